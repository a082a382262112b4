import ArgumentParser
import Foundation
import Model
import TerminalKit

/// Reads a password, or a user name, without an argument, because arguments are in the list of processes and in the
/// shell's history.
enum PasswordInput {
  static let variable = "EARSHOT_PASSWORD"

  /// From the environment, else typed without echo, else the first line of standard input.
  static func read(for user: String) throws -> String {
    if let given = ProcessEnvironment.variables[variable], !given.isEmpty { return given }
    if isatty(STDIN_FILENO) == 1 { return try typed("Password of \(user): ") }
    guard let line = readLine(strippingNewline: true) else {
      throw ValidationError("There is no password on standard input.")
    }
    return line
  }

  /// Reads from the terminal without echo. Keys that raise signals are disabled meanwhile (termios(3): ISIG), so that
  /// the terminal is always restored.
  private static func typed(_ prompt: String) throws -> String {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw ValidationError("The terminal cannot be asked.") }
    var quiet = before
    quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      Report.detail("")
    }
    Report.question(prompt)
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while Foundation.read(STDIN_FILENO, &byte, 1) == 1 {
      switch byte {
      case 10, 13: return String(decoding: bytes, as: UTF8.self)
      case 3, 4, 27: throw ExitCode(130)
      case 8, 127:
        // A UTF-8 character may have several bytes.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      case 21: bytes = []
      default: bytes.append(byte)
      }
    }
    throw ValidationError("No password was typed.")
  }

  /// Reads a password: typed without echo on a terminal, else the next line of standard input.
  /// - Returns: nil at the end of the input, or when the listener cancelled typing.
  static func ask(_ text: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
    return try? typed(text)
  }

  /// Asks for a user name and a password. The password in the environment may be for another server.
  /// - Returns: nil when standard input is not a terminal, or when the listener typed nothing.
  static func askLogin(for server: Origin) -> FeedLogin? {
    guard let user = askName("User name for \(server.name): "), !user.isEmpty,
      let password = try? typed("Password of \(user): ")
    else { return nil }
    return FeedLogin(user: user, password: password, server: server)
  }

  /// Asks for a user name.
  /// - Returns: nil when standard input is not a terminal.
  static func askName(_ text: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    Report.question(text)
    return readLine(strippingNewline: true)
  }
}
