import Foundation
import Model
import Store

/// The private directory for the files of a job, in the cache directory. Its lock allows one job at a time, in all
/// processes. The next job deletes what an earlier process has left, however that ended.
package final class TranscribingDirectory: Sendable {
  private let lock: FileLock
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
    let outcome: FileLock.Outcome
    do throws(POSIXError) { outcome = try FileLock.acquire(base + "/lock") } catch {
      throw ReportedError("\(base)/lock cannot be opened: \(FileFailure.text(error))")
    }
    guard case .held(let lock) = outcome else { return nil }
    self.lock = lock
    Self.delete(path)
    guard mkdir(path, 0o700) == 0 else {
      throw ReportedError("\(path) cannot be made: \(String(cString: strerror(errno)))")
    }
  }

  // `lock` is released only after this, so no other job works in the directory yet.
  deinit { Self.delete(path) }

  /// Deletes what a killed process has left, also if no program makes transcripts any more. Does nothing while another
  /// process is working.
  package static func deleteLeftovers(in cache: String) {
    guard FileManager.default.fileExists(atPath: base(in: cache) + "/job") else { return }
    _ = try? TranscribingDirectory(in: cache)
  }

  private static func delete(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
