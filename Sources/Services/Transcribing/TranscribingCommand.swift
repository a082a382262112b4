import Foundation
import Model
import Programs
import TerminalKit

/// The recogniser that the listener named: `command` of the table `[transcribe]`, split into words.
package struct TranscribingCommand: Sendable, Equatable {
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  package enum Placeholder: String, CaseIterable, Sendable {
    /// A complete file of the episode: the download, or else the same as `wav`.
    case audio
    /// 16 kHz, mono, 16 bits.
    case wav
    /// A path without an ending, for the result.
    case output
    /// The two or three letters of the podcast's language, or `auto`.
    case language
    case title, podcast
  }

  package let executable: String
  private let arguments: [TextTemplate<Placeholder>]

  /// Checks the words. Throws for an unknown placeholder, for a program that does not exist, and if neither `{audio}`
  /// nor `{wav}` is used.
  package init(_ words: [String], home: String, path: String?) throws(Failure) {
    let words = words.map { CommandWords.withHome($0, home) }
    guard let name = words.first, !name.isEmpty else { throw Failure(description: "names no program") }
    guard let executable = ListenerProgram.locate(name, path: path) else {
      throw Failure(description: "there is no program “\(name)”")
    }
    var arguments: [TextTemplate<Placeholder>] = []
    for word in words.dropFirst() {
      arguments.append(try TextTemplate(word) { Failure(description: TextTemplate<Placeholder>.noField($0)) })
    }
    (self.executable, self.arguments) = (executable, arguments)
    guard uses(.audio) || uses(.wav) else {
      throw Failure(description: "must contain {wav} or {audio}, the file to read")
    }
  }

  /// Splits a command as a shell does.
  package init(_ text: String, home: String, path: String?) throws(Failure) {
    let words: [String]
    do throws(CommandWords.Failure) { words = try CommandWords.split(text) } catch {
      throw Failure(description: error.description)
    }
    try self.init(words, home: home, path: path)
  }

  /// The name of the program, without its directory.
  package var name: String { (executable as NSString).lastPathComponent }

  package func uses(_ placeholder: Placeholder) -> Bool { arguments.contains { $0.fields.contains(placeholder) } }

  /// The command with values in place of the placeholders. A value is never split.
  package func resolved(_ value: (Placeholder) -> String) -> [String] {
    [executable] + arguments.map { $0.text(value) }
  }
}
