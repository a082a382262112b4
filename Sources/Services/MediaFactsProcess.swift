import Foundation
import Model
import Playback
import Programs

/// Reads facts of files with `earshot media-facts`, in a process of its own. See `MediaFactsReader` for the reasons.
package struct MediaFactsProcess: Sendable {
  /// The path of `earshot`.
  private let executable: String

  /// Files for one process.
  private static let batch = 50
  /// Seconds for one process, which gives up a file after `MediaFactsReader.patience`.
  private static let timeLimit = 300.0
  /// Bytes.
  private static let outputLimit = 64 << 20

  package init(executable: String) { self.executable = executable }

  /// Blocks the thread until all are read. A file that ends the process has no facts, and the rest goes on.
  /// - Parameters:
  ///   - addresses: of files (`FolderAddress`).
  ///   - progress: called with the number of files that are read.
  /// - Returns: for each of them its facts. Nil: they cannot be read.
  package func read(_ addresses: [String], progress: (Int) -> Void) -> [MediaFacts?] {
    var result: [MediaFacts?] = []
    // A file may end its process. If two in a row have no answer, the reason is another one.
    var silent = 0
    while result.count < addresses.count, silent < 2 {
      progress(result.count)
      let rest = addresses[result.count...].prefix(Self.batch)
      let (facts, isRunnable) = read(rest)
      result += facts
      // The file after the last answer has ended the process.
      if facts.count < rest.count { result.append(nil) }
      silent = isRunnable ? 0 : silent + 1
    }
    return result + Array(repeating: nil, count: max(0, addresses.count - result.count))
  }

  private func read(_ addresses: ArraySlice<String>) -> (facts: [MediaFacts?], isRunnable: Bool) {
    guard let outcome = run(["media-facts"], addresses) else { return ([], false) }
    let decoder = JSONDecoder()
    let lines = outcome.output.split(separator: UInt8(ascii: "\n"))
    let facts = lines.prefix(addresses.count).map { try? decoder.decode(MediaFacts?.self, from: Data($0)) }
    // A process that ends by itself without any answer does so for each file: libmpv may be missing.
    if case .exited = outcome.ending { return (facts, !facts.isEmpty) }
    return (facts, true)
  }

  /// The picture in a file, as JPEG. Blocks the thread. Nil if there is none.
  package func picture(of address: String, maxBytes: Int64) -> Data? {
    let file = NSTemporaryDirectory() + "earshot-picture-\(UUID().uuidString).jpg"
    defer { unlink(file) }
    guard run(["media-facts", "--picture", file], [address])?.ending == .exited(0) else { return nil }
    var status = stat()
    guard stat(file, &status) == 0, status.st_size <= maxBytes else { return nil }
    return FileManager.default.contents(atPath: file)
  }

  private func run(_ words: [String], _ addresses: ArraySlice<String>) -> ListenerProgram.Outcome? {
    var program = ListenerProgram([executable] + words, environment: ProcessInfo.processInfo.environment)
    program.input = Data((addresses.joined(separator: "\n") + "\n").utf8)
    program.timeLimit = Self.timeLimit
    program.outputLimit = Self.outputLimit
    return try? program.run()
  }
}
