import CNcurses
import Foundation

/// What `earshot doctor` reports about the terminal. It does not change the terminal.
enum TerminalProbe {
  static var version: String { String(cString: curses_version()) }

  /// Why a terminal of this type cannot show the player; nil if it can.
  static func problem(of type: String) -> String? {
    var result: Int32 = 0
    guard setupterm(type, STDOUT_FILENO, &result) == OK else { return TerminalError.unknownType(type).description }
    return nil
  }

  /// The colours of the type that `problem` was last called with.
  static var colors: Int { max(0, Int(tigetnum("colors"))) }

  static var isUTF8: Bool {
    setlocale(LC_CTYPE, "")
    return String(cString: nl_langinfo(Int32(CODESET))).uppercased() == "UTF-8"
  }
}
