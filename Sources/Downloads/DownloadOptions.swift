import FeedKit
import Foundation
import Model

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
  /// What to send to the host of an enclosure, for shows behind a password.
  public var credentials: @Sendable (PodcastID, WebAddress) -> Credentials? = { _, _ in nil }
  /// Bytes that a user may still write where this path is; nil when the system does not say.
  public var freeSpace: @Sendable (String) -> Int64? = { DiskSpace.free(at: $0) }
  public var now: @Sendable () -> Date = { Date() }
  /// 0..<1, for jitter.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// For tests: the disk is full after so many bytes of one file.
  var fullAfter: Int64 = .max

  public init(directory: String) { self.directory = directory }
}

/// Space on the disk.
public enum DiskSpace {
  /// Of the file system that holds `path`, or the nearest directory above it that exists.
  public static func free(at path: String) -> Int64? {
    var path = path
    var status = statvfs()
    while statvfs(path, &status) != 0 {
      guard errno == ENOENT, path.count > 1 else { return nil }
      path = (path as NSString).deletingLastPathComponent
    }
    // f_bavail is what is left for users other than root; counted in units of f_frsize (statvfs(3)).
    let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }
}
