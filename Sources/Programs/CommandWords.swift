import Foundation

/// Splits a command line into words as a shell does (POSIX.1-2024, "Shell Command Language", 2.2 Quoting), for programs
/// that are run without a shell.
package enum CommandWords {
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// Quotes and backslashes protect characters. What only a shell could do is an error instead of an argument: pipes,
  /// redirection, several commands, variables, and the output of commands.
  package static func split(_ text: String) throws(Failure) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("'", "'"), ("\"", "\""): quote = nil
      case (_, "'"): word = (word ?? "") + String(character)
      case ("\\", "\""):
        guard let next = rest.popFirst() else { throw Failure(description: "the quotation mark \" is not closed") }
        word = (word ?? "") + ("$`\"\\".contains(next) ? "" : "\\") + String(next)
      case ("\\", nil):
        guard let next = rest.popFirst() else { throw Failure(description: "it ends with a backslash") }
        word = (word ?? "") + String(next)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case ("$", _), ("`", _): throw Self.needsShell(character)
      case (_, "\""): word = (word ?? "") + String(character)
      case ("|", _), ("&", _), (";", _), ("<", _), (">", _), ("(", _), (")", _): throw Self.needsShell(character)
      case (_, _) where character.isWhitespace:
        if let ended = word { words.append(ended) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let quote { throw Failure(description: "the quotation mark \(quote) is not closed") }
    if let word { words.append(word) }
    return words
  }

  private static func needsShell(_ character: Character) -> Failure {
    Failure(description: "no shell runs it, so \(character) must be quoted with '…', or the command put into a script")
  }
}
