import Foundation
import HTTP
import Model
import Streams

/// Limits and manners of the downloads.
public struct DownloadOptions: Sendable {
  /// Where files go; made when the first one comes.
  public var directory: String
  public var atOnce = 3
  public var perHost = 2
  public var template = FileNameTemplate.standard
  public var cleanUp = CleanUpRules()
  /// Bytes that are always left free on the disk.
  public var reserve: Int64 = 50_000_000
  /// How often one is tried again by itself before it counts as failed; bytes that came start the count anew.
  public var repeats = 5
  public var retry = RetryPolicy(base: 2, longest: 60)
  /// Between two reports of progress, in seconds.
  public var reportEvery = 0.25
  /// What the listener gave for a podcast behind a password; sent to its own origin only.
  public var credentials: @Sendable (PodcastID) -> Credentials? = { _ in nil }
  /// What was streamed, and need not be fetched again.
  public var streams: StreamCache?
  /// Bytes that a user may still write where this path is; nil when the system does not say.
  public var freeSpace: @Sendable (String) -> Int64? = { DiskSpace.free(at: $0) }
  public var now: @Sendable () -> Date = { Date() }
  /// 0..<1, for jitter.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// For tests: the disk is full after so many bytes of one file.
  var fullAfter: Int64 = .max

  public init(directory: String) { self.directory = directory }
}
