import Foundation
import HTTP
import Model
import Streams

/// Settings of a `Downloader`.
public struct DownloadOptions: Sendable {
  /// Where the files go. Created for the first file.
  public var directory: String
  public var atOnce = 3
  public var perHost = 2
  public var template = FileNameTemplate.standard
  /// Without the rules of single podcasts, which are settings in the library.
  public var cleanUp = CleanUpRules()
  /// Bytes that downloads leave free on the disk.
  public var reserve: Int64 = 50_000_000
  /// How many retries a download gets before it fails. The count restarts when bytes arrive.
  public var repeats = 5
  public var retry = RetryPolicy(base: 2, maximum: 60)
  /// Seconds between two progress reports.
  public var reportEvery = 0.25
  /// What the requests for a podcast carry.
  public var access: @Sendable (PodcastID) -> RequestAccess = { _ in RequestAccess() }
  /// The copies of streamed files, whose bytes need not be fetched again.
  public var streams: StreamCache?
  /// Free bytes at this path; nil if unknown.
  public var freeSpace: @Sendable (String) -> Int64? = { DiskState.freeBytes(at: $0) }
  public var now: @Sendable () -> Date = { Date() }
  /// 0..<1, for jitter.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// For tests: the disk counts as full after this many bytes of a file.
  var fullAfter: Int64 = .max

  public init(directory: String) { self.directory = directory }
}
