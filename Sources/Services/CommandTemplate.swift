import Foundation
import Model
import Programs

/// The names that a command of the configuration may have in braces, such as `{url}`.
package protocol CommandPlaceholder: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// Why a command with these placeholders cannot be used. Nil: it can.
  static func problem(using placeholders: Set<Self>) -> String?
}

/// A command line of the configuration, split into words, with placeholders for values. No shell runs it. Its program
/// need not exist until it runs: it may be on a disk that is not mounted, or outside the `PATH` of a timer.
package struct CommandTemplate<Placeholder: CommandPlaceholder>: Sendable, Equatable {
  private var program: String
  private let path: String?
  private let arguments: [TextTemplate<Placeholder>]

  /// Checks the words. Throws for an unknown placeholder, and for placeholders that are not enough.
  package init(_ words: [String], home: String, path: String?) throws(ReportedError) {
    let words = words.map { HomePath.expanding($0, home: home) }
    guard let program = words.first, !program.isEmpty else { throw ReportedError("names no program") }
    var arguments: [TextTemplate<Placeholder>] = []
    for word in words.dropFirst() { arguments.append(try TextTemplate(word)) }
    if let problem = Placeholder.problem(using: Set(arguments.flatMap(\.fields))) { throw ReportedError(problem) }
    (self.program, self.path, self.arguments) = (program, path, arguments)
  }

  /// The name of the program, without its directory.
  package var name: String { (program as NSString).lastPathComponent }

  /// The command with the path of its program. Throws if it does not exist.
  package func located() throws(ReportedError) -> CommandTemplate {
    if let executable = ListenerProgram.locate(program, path: path) {
      var command = self
      command.program = executable
      return command
    }
    let isFile = program.contains("/") && FileManager.default.fileExists(atPath: program)
    throw ReportedError(
      isFile ? "“\(program)” is no program: it cannot be executed" : "there is no program “\(program)”")
  }

  package func uses(_ placeholder: Placeholder) -> Bool { arguments.contains { $0.fields.contains(placeholder) } }

  /// The words of the command with values in place of the placeholders. A value is never split.
  package func resolved(_ value: (Placeholder) -> String) -> [String] {
    [program] + arguments.map { $0.text(value) }
  }
}
