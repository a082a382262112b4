import Foundation
import Model

/// The keys of `earshot play` on a terminal: Space pauses, arrows seek, `<` goes to the previous chapter or the start,
/// `>` to the next item, `q` ends. `^C` and `^Z` stay signals. Keys are not read in the background, where reading would
/// stop the process (termios(3)).
final class HeadlessKeys {
  private let preferences: Preferences
  /// The modes of the terminal before. Nil: they are in force.
  private var before: termios?

  init(_ preferences: Preferences) {
    self.preferences = preferences
    takeTerminal()
  }

  deinit { giveBackTerminal() }

  /// Nil: there are no keys to read now.
  var fileDescriptor: Int32? { before == nil ? nil : STDIN_FILENO }

  /// Call at the start, and when the process continues in the foreground.
  func takeTerminal() {
    guard before == nil, isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
    let old = modes
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(STDIN_FILENO, TCSADRAIN, &modes) == 0 else { return }
    before = old
  }

  /// Call before the process stops or ends.
  func giveBackTerminal() {
    guard var modes = before else { return }
    before = nil
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
  }

  /// The commands of the keys that were pressed. At the end of the input the keys are given up.
  func read() -> [RemoteCommand] {
    // The process may have been stopped since there was something to read.
    guard before != nil else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      if count == 0 || errno != EINTR && errno != EAGAIN { giveBackTerminal() }
      return []
    }
    return Self.commands(bytes[..<count], preferences)
  }

  /// Arrows are `ESC [ A` or `ESC O A` to `D` (ECMA-48, xterm's ctlseqs). Other sequences are skipped.
  static func commands(_ bytes: ArraySlice<UInt8>, _ preferences: Preferences) -> [RemoteCommand] {
    var commands: [RemoteCommand] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: " "): commands.append(.toggle)
      case UInt8(ascii: "q"): commands.append(.quit)
      case UInt8(ascii: ">"): commands.append(.next)
      case UInt8(ascii: "<"): commands.append(.previous)
      case 0x1b:
        guard let kind = rest.first, [UInt8(ascii: "["), UInt8(ascii: "O")].contains(kind) else { continue }
        rest.removeFirst()
        let parameters = rest.prefix { !(0x40...0x7e).contains($0) }
        rest = rest.dropFirst(parameters.count)
        guard let final = rest.popFirst(), parameters.isEmpty else { continue }
        switch final {
        case UInt8(ascii: "A"): commands.append(.seekBy(preferences.seekForwardLong))
        case UInt8(ascii: "B"): commands.append(.seekBy(-preferences.seekBackLong))
        case UInt8(ascii: "C"): commands.append(.seekBy(preferences.seekForward))
        case UInt8(ascii: "D"): commands.append(.seekBy(-preferences.seekBack))
        default: break
        }
      default: break
      }
    }
    return commands
  }
}
