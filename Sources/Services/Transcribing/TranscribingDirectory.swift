import Foundation
import Model

/// The private directory for the files of a job, in the cache directory. Its lock allows one job at a time, in all
/// processes. The kernel releases it when the process ends in whatever way, and the next job deletes what was left.
package final class TranscribingDirectory: Sendable {
  private let lock: Int32
  /// Exists while this value does.
  package let path: String

  /// Where all files are that have to do with making transcripts.
  static func base(in cache: String) -> String { cache + "/transcribing" }

  /// - Returns: nil if another process is working.
  package init?(in cache: String) throws(ReportedError) {
    let base = Self.base(in: cache)
    path = base + "/job"
    do {
      try FileManager.default.createDirectory(
        atPath: base, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw ReportedError("\(base) cannot be made: \(FileFailure.text(error))") }
    let descriptor = open(base + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw ReportedError("\(base)/lock cannot be opened: \(String(cString: strerror(errno)))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    // From here on, `deinit` closes it, also after an error.
    lock = descriptor
    Self.delete(path)
    guard mkdir(path, 0o700) == 0 else {
      throw ReportedError("\(path) cannot be made: \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    Self.delete(path)
    close(lock)
  }

  /// Deletes what a killed process has left, also if no program makes transcripts any more. Does nothing while another
  /// process is working.
  package static func deleteLeftovers(in cache: String) {
    guard FileManager.default.fileExists(atPath: base(in: cache) + "/job") else { return }
    _ = try? TranscribingDirectory(in: cache)
  }

  private static func delete(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
