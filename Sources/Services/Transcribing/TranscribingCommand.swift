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

  /// The executable and its arguments, with placeholders.
  package let words: [String]
  package let executable: String

  /// Checks the words. Throws for an unknown placeholder, for a program that does not exist, and if neither `{audio}`
  /// nor `{wav}` is used.
  package init(_ words: [String], home: String, path: String?) throws(Failure) {
    let words = words.map { CommandWords.withHome($0, home) }
    guard let name = words.first, !name.isEmpty else { throw Failure(description: "names no program") }
    guard let executable = ListenerProgram.locate(name, path: path) else {
      throw Failure(description: "there is no program “\(name)”")
    }
    var used: Set<Placeholder> = []
    for word in words.dropFirst() {
      for name in Self.names(in: word) {
        guard let placeholder = Placeholder(rawValue: name) else {
          let all = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
          throw Failure(description: "{\(name)} is none of: \(all)")
        }
        used.insert(placeholder)
      }
    }
    guard used.contains(.audio) || used.contains(.wav) else {
      throw Failure(description: "must contain {wav} or {audio}, the file to read")
    }
    self.words = words
    self.executable = executable
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

  package func uses(_ placeholder: Placeholder) -> Bool { words.contains { $0.contains("{\(placeholder.rawValue)}") } }

  /// The command with values in place of the placeholders. A value is never split, and no value is read again for
  /// placeholders.
  package func resolved(_ value: (Placeholder) -> String) -> [String] {
    [executable]
      + words.dropFirst().map { word in
        var result = ""
        var rest = word[...]
        while let (before, name, after) = Self.next(in: rest) {
          result += before + (Placeholder(rawValue: name).map(value) ?? "{\(name)}")
          rest = after
        }
        return result + rest
      }
  }

  /// A text of a feed as an argument: one line, without characters for terminals, and never an option.
  package static func argument(_ text: String) -> String {
    String(Sanitize.line(text).drop { $0 == "-" || $0 == " " }.prefix(200))
  }

  /// `{name}` with letters only. Other braces stay as they are.
  private static func next(in text: Substring) -> (before: String, name: String, after: Substring)? {
    guard let match = text.firstMatch(of: /\{([a-z]+)\}/) else { return nil }
    return (String(text[..<match.range.lowerBound]), String(match.1), text[match.range.upperBound...])
  }

  private static func names(in word: String) -> [String] { word.matches(of: /\{([a-z]+)\}/).map { String($0.1) } }
}
