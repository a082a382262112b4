import Foundation
import Model
import Programs

/// The names that a command of the configuration may have in braces, such as `{url}`.
package protocol CommandPlaceholder: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// Why a command with these placeholders cannot be used. Nil: it can.
  static func problem(using placeholders: Set<Self>) -> String?
}

/// A command line of the configuration, split into words, with placeholders for values. No shell runs it.
package struct CommandTemplate<Placeholder: CommandPlaceholder>: Sendable, Equatable {
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  package let executable: String
  private let arguments: [TextTemplate<Placeholder>]

  /// Checks the words. Throws for an unknown placeholder, for placeholders that are not enough, and for a program that
  /// does not exist.
  package init(_ words: [String], home: String, path: String?) throws(Failure) {
    let words = words.map { HomePath.expanding($0, home: home) }
    guard let name = words.first, !name.isEmpty else { throw Failure(description: "names no program") }
    guard let executable = ListenerProgram.locate(name, path: path) else {
      let isFile = name.contains("/") && FileManager.default.fileExists(atPath: name)
      throw Failure(
        description: isFile ? "“\(name)” is no program: it cannot be executed" : "there is no program “\(name)”")
    }
    (self.executable, arguments) = (executable, try Self.check(words))
  }

  /// Splits a command as a shell does.
  package init(_ text: String, home: String, path: String?) throws(Failure) {
    try self.init(try Self.split(text), home: home, path: path)
  }

  package static func split(_ text: String) throws(Failure) -> [String] {
    do throws(CommandWords.Failure) { return try CommandWords.split(text) } catch {
      throw Failure(description: error.description)
    }
  }

  /// Checks the placeholders of a command whose program need not exist.
  /// - Returns: its arguments.
  @discardableResult
  package static func check(_ words: [String]) throws(Failure) -> [TextTemplate<Placeholder>] {
    guard words.first?.isEmpty == false else { throw Failure(description: "names no program") }
    var arguments: [TextTemplate<Placeholder>] = []
    for word in words.dropFirst() {
      arguments.append(try TextTemplate(word) { Failure(description: TextTemplate<Placeholder>.noField($0)) })
    }
    if let problem = Placeholder.problem(using: Set(arguments.flatMap(\.fields))) {
      throw Failure(description: problem)
    }
    return arguments
  }

  /// The name of the program, without its directory.
  package var name: String { (executable as NSString).lastPathComponent }

  package func uses(_ placeholder: Placeholder) -> Bool { arguments.contains { $0.fields.contains(placeholder) } }

  /// The command with values in place of the placeholders. A value is never split.
  package func resolved(_ value: (Placeholder) -> String) -> [String] {
    [executable] + arguments.map { $0.text(value) }
  }
}
