import CNcurses
import Foundation
import TerminalKit

/// The terminal as a file: its modes, its size, and the escape sequences that terminfo has no names for.
struct TerminalDevice {
  let path: String
  let fileDescriptor: Int32
  /// As the shell had it.
  let savedModes: termios
  private let input: UnsafeMutablePointer<FILE>
  private let output: UnsafeMutablePointer<FILE>
  private let frame: TerminalFrame?

  init(path: String) throws(TerminalError) {
    let path = Self.pollable(path)
    func failure() -> TerminalError { .noTerminal(device: path, reason: String(cString: strerror(errno))) }
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0, let input = fdopen(descriptor, "r") else {
      let error = failure()
      _ = Foundation.close(descriptor)
      throw error
    }
    guard let output = fdopen(fcntl(descriptor, F_DUPFD_CLOEXEC, 3), "w") else {
      let error = failure()
      fclose(input)
      throw error
    }
    (self.path, fileDescriptor, savedModes, self.input, self.output) = (path, descriptor, modes, input, output)
    frame = TerminalFrame(terminal: descriptor, output: fileno(output))
  }

  /// macOS cannot poll /dev/tty, only the device behind it.
  private static func pollable(_ path: String) -> String {
    #if canImport(Darwin)
      if path == "/dev/tty", let name = ttyname(STDIN_FILENO) { return String(cString: name) }
    #endif
    return path
  }

  /// Starts ncurses on the device. A type unknown to the system's terminfo is tried as its well-known relative: Debian
  /// describes no kitty, alacritty, foot or ghostty, and all of them understand xterm. Where COLORTERM says so, the
  /// description with all colours comes first, if there is one.
  func start(
    type: String, environment: [String: String]
  ) throws(TerminalError) -> (screen: OpaquePointer, type: String) {
    for candidate in Self.direct(type, environment) + [type] + Self.relatives(of: type) {
      if let screen = newterm(candidate, output, input) { return (screen, candidate) }
    }
    close()
    throw .unknownType(type)
  }

  private static let families: [(prefixes: [String], relatives: [String])] = [
    (["tmux", "screen"], ["screen-256color", "screen"]),
    (
      [
        "xterm", "alacritty", "foot", "wezterm", "kitty", "ghostty", "konsole", "vte", "gnome", "contour", "rio", "st-",
        "iterm",
      ],
      ["xterm-256color", "xterm"]
    ),
    (["rxvt"], ["rxvt-unicode-256color", "rxvt"]),
  ]

  /// ncurses writes direct colours only where the description has them, and those that the environment names have 256:
  /// the colours of xterm-256color beside xterm-direct (package ncurses-term) are all that tells the two apart. Only for
  /// types of 256 colours: on a console or a vt100 a COLORTERM is left over from elsewhere.
  static func direct(_ type: String, _ environment: [String: String]) -> [String] {
    guard ["truecolor", "24bit"].contains(environment["COLORTERM"]), (environment["NO_COLOR"] ?? "").isEmpty else {
      return []
    }
    return directRelatives[type].map { [$0] } ?? []
  }

  private static let directRelatives = [
    "xterm-kitty": "xterm-direct", "xterm-256color": "xterm-direct", "xterm-ghostty": "xterm-direct",
    "tmux-256color": "tmux-direct", "screen-256color": "tmux-direct", "alacritty": "alacritty-direct",
    "foot": "foot-direct", "konsole-256color": "konsole-direct", "vte-256color": "vte-direct",
  ]

  private static func relatives(of type: String) -> [String] {
    families.first { row in row.prefixes.contains { type.hasPrefix($0) } }?.relatives ?? []
  }

  /// The window's size, as far as it is drawn, and the pixels of one of its cells where the terminal tells them; nil where the device does not
  /// know its size (a serial line).
  var window: (size: Size, cell: Size?)? {
    guard let (size, cell) = claim else { return nil }
    return (size.withinScreen, cell)
  }

  /// Whether the window claims to be larger than what is drawn.
  var claimsTooMuch: Bool { claim.map { $0.size != $0.size.withinScreen } ?? false }

  private var claim: (size: Size, cell: Size?)? {
    var (width, height, across, down): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard cn_window_size(fileDescriptor, &width, &height, &across, &down), width > 0, height > 0 else { return nil }
    let cell = Size(Int(across / width), Int(down / height))
    return (Size(Int(width), Int(height)), cell.width > 0 && cell.height > 0 ? cell : nil)
  }

  /// Writes past ncurses, which must have flushed before. A terminal that is gone is noticed by whoever polls it.
  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(fileDescriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// What `body` makes ncurses write; nothing where that could not be collected, and is written.
  func collect(_ body: () -> Void) -> [UInt8] {
    if let frame { return frame.collect(body) }
    body()
    return []
  }

  /// After the screen was deleted.
  func close() {
    fclose(input)
    fclose(output)
  }

  func restoreModes() {
    var modes = savedModes
    tcsetattr(fileDescriptor, TCSADRAIN, &modes)
  }
}

/// Modes that terminfo does not name (xterm's ctlseqs, "DEC Private Mode Set").
enum TerminalMode {
  static let pasteOn = "\u{1B}[?2004h"
  static let pasteOff = "\u{1B}[?2004l"
  /// Presses, releases and drags (1002), in decimal (1006).
  static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l"
  /// The terminal shows nothing until the end, so that no half-drawn frame is seen. Others ignore it.
  static let frameBegin = "\u{1B}[?2026h"
  static let frameEnd = "\u{1B}[?2026l"
  static let titlePush = "\u{1B}[22;2t"
  static let titlePop = "\u{1B}[23;2t"

  static func clipboard(_ base64: String) -> String { "\u{1B}]52;c;\(base64)\u{7}" }

  static func title(_ text: String) -> String { "\u{1B}]2;\(text)\u{7}" }

  /// DA1, "primary device attributes": the terminal answers with numbers, 4 among them if it draws sixels.
  static let askAttributes = "\u{1B}[c"

  /// For a crash, without terminfo: attributes off, keypad off, cursor on, alternate screen off.
  static let crash = "\(frameEnd)\(mouseOff)\(pasteOff)\u{1B}[0m\u{1B}(B\u{1B}[?1l\u{1B}>\u{1B}[?25h\u{1B}[?1049l\r\n"

  /// Types with the modes above. A real vt100 and the kernel's console know none of them.
  static func understands(type: String) -> Bool {
    !["vt", "linux", "ansi", "dumb", "cons25", "sun", "wsvt"].contains { type.hasPrefix($0) }
  }
}
