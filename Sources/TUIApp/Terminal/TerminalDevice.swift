import CNcurses
import Foundation
import TerminalKit

/// The terminal as a device: its modes, its size, and the escape sequences that terminfo does not have.
struct TerminalDevice {
  let path: String
  let fileDescriptor: Int32
  /// The modes that the shell had set.
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

  /// macOS cannot poll /dev/tty, only the real device.
  private static func pollable(_ path: String) -> String {
    #if canImport(Darwin)
      if path == "/dev/tty", let name = ttyname(STDIN_FILENO) { return String(cString: name) }
    #endif
    return path
  }

  /// Starts ncurses on the device. If the system's terminfo does not know the type, a related type is tried: Debian has
  /// no description of kitty, alacritty, foot or ghostty, and all of them understand xterm. If COLORTERM announces
  /// direct colours, a description with them is tried first.
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

  /// The descriptions with direct colours for a terminal type. ncurses only writes direct colours if the description
  /// has them, and the usual types have 256. Only for types with 256 colours: on a console or a vt100, COLORTERM is
  /// left over from another terminal. The descriptions are in the package ncurses-term.
  ///
  /// GNU screen inherits COLORTERM and drops direct colours, so that no theme and no selection would be visible. STY
  /// tells that it runs here; over ssh only TERM does, which tmux may have, too. tmux itself converts direct colours to
  /// what its terminal shows.
  static func direct(_ type: String, _ environment: [String: String]) -> [String] {
    guard ["truecolor", "24bit"].contains(environment["COLORTERM"]), (environment["NO_COLOR"] ?? "").isEmpty,
      environment["STY"] == nil, !type.hasPrefix("screen") || environment["TMUX"] != nil
    else { return [] }
    return directRelatives[type].map { [$0] } ?? []
  }

  /// Only what is certainly no terminal behind xterm-256color gets colours with colons (ISO 8613-6). mosh 1.4 reads
  /// direct colours only with semicolons, and has that type. Of the descriptions with semicolons, that of alacritty is
  /// nearest to xterm's.
  private static let directRelatives = [
    "xterm-kitty": "xterm-direct", "xterm-256color": "alacritty-direct", "xterm-ghostty": "xterm-direct",
    "tmux-256color": "tmux-direct", "screen-256color": "tmux-direct", "alacritty": "alacritty-direct",
    "foot": "foot-direct", "konsole-256color": "konsole-direct", "vte-256color": "vte-direct",
  ]

  private static func relatives(of type: String) -> [String] {
    families.first { row in row.prefixes.contains { type.hasPrefix($0) } }?.relatives ?? []
  }

  /// The size of the window, limited to what is drawn, and the size of a cell in pixels if the terminal tells it. Nil
  /// if the device does not know its size (a serial line).
  var window: (size: Size, cell: Size?)? {
    guard let (size, cell) = reportedWindow else { return nil }
    return (size.withinScreen, cell)
  }

  /// Whether the device claims to be larger than what is drawn.
  var reportsTooLargeSize: Bool { reportedWindow.map { $0.size != $0.size.withinScreen } ?? false }

  private var reportedWindow: (size: Size, cell: Size?)? {
    var (width, height, across, down): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard cn_window_size(fileDescriptor, &width, &height, &across, &down), width > 0, height > 0 else { return nil }
    let cell = Size(Int(across / width), Int(down / height))
    return (Size(Int(width), Int(height)), cell.width > 0 && cell.height > 0 ? cell : nil)
  }

  /// Writes directly to the device. ncurses must have been flushed. Errors are ignored, because `poll` notices a closed
  /// terminal.
  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { _ = DescriptorOutput.write($0, to: fileDescriptor) }
  }

  /// Collects `text` and what ncurses writes during `body`. Empty if that is not possible; then both are written
  /// directly.
  func collect(after text: String = "", _ body: () -> Void) -> [UInt8] {
    if let frame { return frame.collect(after: text, body) }
    if !text.isEmpty { send(text) }
    body()
    return []
  }

  /// Call it after ncurses' screen was deleted.
  func close() {
    fclose(input)
    fclose(output)
  }

  func restoreModes() {
    var modes = savedModes
    tcsetattr(fileDescriptor, TCSADRAIN, &modes)
  }
}

/// Modes that terminfo does not have (xterm's ctlseqs, "DEC Private Mode Set").
enum TerminalMode {
  static let pasteOn = "\u{1B}[?2004h"
  static let pasteOff = "\u{1B}[?2004l"
  /// Presses, releases and drags (1002), with decimal coordinates (1006).
  static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l"
  /// Synchronized output: the terminal shows the frame when it is complete. Other terminals ignore it.
  static let frameBegin = "\u{1B}[?2026h"
  static let frameEnd = "\u{1B}[?2026l"
  static let cursorOn = "\u{1B}[?25h"
  static let cursorOff = "\u{1B}[?25l"
  static let titlePush = "\u{1B}[22;2t"
  static let titlePop = "\u{1B}[23;2t"
  /// Saves the cursor and the attributes (DECSC, DECRC), so that ncurses finds the terminal as it left it.
  static let save = "\u{1B}7"
  static let restore = "\u{1B}8"

  static func clipboard(_ base64: String) -> String { "\u{1B}]52;c;\(base64)\u{7}" }

  static func title(_ text: String) -> String { "\u{1B}]2;\(text)\u{7}" }

  /// DA1, "primary device attributes". The answer contains 4 if the terminal supports sixel.
  static let askAttributes = "\u{1B}[c"
  /// Asks for the size in pixels of a cell (16) and of the text area (14): xterm's ctlseqs, "Window manipulation". The
  /// answers are `CSI 6 ; height ; width t` and `CSI 4 ; height ; width t`. Some terminals answer only one of them.
  static let askPixels = "\u{1B}[16t\u{1B}[14t"

  /// For a crash, without terminfo: attributes off, keypad off, cursor on, alternate screen off.
  static let crash = "\(frameEnd)\(mouseOff)\(pasteOff)\u{1B}[0m\u{1B}(B\u{1B}[?1l\u{1B}>\u{1B}[?25h\u{1B}[?1049l\r\n"

  /// Whether a terminal type has the modes above. A real vt100 and the kernel's console do not.
  static func understands(type: String) -> Bool {
    !["vt", "linux", "ansi", "dumb", "cons25", "sun", "wsvt"].contains { type.hasPrefix($0) }
  }
}

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
