import Foundation
import Logging
import Model
import Store
import TerminalKit

/// The log file in the state directory, one line for each message. When it is larger than a megabyte at the start, a
/// new one begins, and the old one is kept beside it.
struct LogFile: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info
  private let descriptor: Int32

  private static let limit = 1_048_576

  /// nil if the file cannot be opened. The player works without a log.
  init?(path: String) {
    if let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size > Self.limit {
      rename(path, path + ".1")
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    for file in [path, path + ".1"] { OwnerOnly.restrict(file) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    // Logs are sent to maintainers, so passwords and keys are removed from all messages.
    // Text of feeds and servers must not reach a terminal that shows the log.
    let text = Sanitize.line(Redaction.text("\(event.message)"))
    let line = "\(Date().formatted(.iso8601)) \(event.level) \(text)\n"
    // One write for each line, so that lines of several threads do not mix (O_APPEND, write(2)).
    _ = Array(line.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  static func logger(_ directories: Directories) -> Logger {
    guard let file = LogFile(path: directories.logFile) else {
      return Logger(label: "earshot", factory: { _ in SwiftLogNoOpLogHandler() })
    }
    return Logger(label: "earshot", factory: { _ in file })
  }
}
