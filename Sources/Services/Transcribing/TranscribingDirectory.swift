import Foundation

/// The private directory for the files of a job, in the cache directory. Its lock allows one job at a time, in all
/// processes. The kernel releases it when the process ends in whatever way, and the next job deletes what was left.
package final class TranscribingDirectory: Sendable {
  private let base: String
  private let lock: Int32
  /// Exists while this value does.
  package let path: String

  /// - Returns: nil if another process is working.
  package init?(in cache: String) throws(ReportedFailure) {
    base = cache + "/transcribing"
    path = base + "/job"
    do {
      try FileManager.default.createDirectory(
        atPath: base, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw ReportedFailure("\(base) cannot be made: \(error.localizedDescription)") }
    let descriptor = open(base + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw ReportedFailure("\(base)/lock cannot be opened: \(String(cString: strerror(errno)))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    lock = descriptor
    Self.delete(path)
    guard mkdir(path, 0o700) == 0 else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw ReportedFailure("\(path) cannot be made: \(reason)")
    }
  }

  deinit {
    Self.delete(path)
    close(lock)
  }

  /// Deletes what a killed process has left. Does nothing while another process is working.
  package static func deleteLeftovers(in cache: String) {
    guard FileManager.default.fileExists(atPath: cache + "/transcribing/job") else { return }
    _ = try? TranscribingDirectory(in: cache)
  }

  private static func delete(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

/// Why a transcript was not made, as a sentence for the listener.
package struct ReportedFailure: Error, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
