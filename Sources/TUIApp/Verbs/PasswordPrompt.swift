import Foundation

/// Asks on the terminal for a user name or a password.
enum PasswordPrompt {
  /// Reads a password: typed without echo on a terminal, else the next line of standard input.
  /// - Returns: nil at the end of the input, or when the listener cancelled typing.
  static func ask(_ text: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
    return try? PasswordInput.typed(text)
  }

  /// - Returns: nil when standard input is not a terminal.
  static func askName(_ text: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    Report.progress(text)
    return readLine(strippingNewline: true)
  }
}
