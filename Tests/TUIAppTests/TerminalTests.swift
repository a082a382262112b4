import Foundation
import TerminalKit
import Testing

@testable import TUIApp

/// A pseudo-terminal. The test simulates the terminal emulator.
private final class FakeTerminal {
  let master: Int32
  let path: String

  init() throws {
    // The slave stays open, so that the master does not read an end of file between two uses.
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    try #require(openpty(&ends.master, &ends.slave, nil, nil, nil) == 0)
    (master, slave) = ends
    path = String(cString: try #require(ttyname(slave)))
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    resize(Size(40, 12))
  }

  private let slave: Int32
  private var isHungUp = false

  deinit {
    if !isHungUp { close(master) }
    close(slave)
  }

  func hangUp() {
    isHungUp = true
    close(master)
  }

  func resize(_ size: Size) {
    var window = winsize(ws_row: UInt16(size.height), ws_col: UInt16(size.width), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  func type(_ text: String) { type(Array(text.utf8)) }

  func type(_ bytes: [UInt8]) { _ = write(master, bytes, bytes.count) }

  /// The output since the last call.
  func written() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(master, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The local and input flags, which show raw mode.
  var flags: [tcflag_t] {
    var modes = termios()
    tcgetattr(slave, &modes)
    return [modes.c_lflag, modes.c_iflag, modes.c_oflag]
  }
}

/// Serialized, because ncurses has one current screen, and a process has one handler for each signal.
@Suite(.serialized) struct TerminalTests {
  private let fake: FakeTerminal

  init() throws { fake = try FakeTerminal() }

  private func terminal(_ environment: [String: String] = ["TERM": "xterm-256color"]) throws -> Terminal {
    try Terminal(.init(device: fake.path, divertsOutput: false), environment: environment)
  }

  /// The description of xterm-color has no string for it.
  @Test func cursorIsHiddenWhereTheDescriptionCannotHideIt() throws {
    let terminal = try terminal(["TERM": "xterm-color"])
    defer { terminal.restore() }
    guard terminal.type == "xterm-color" else { return }
    terminal.present(Frame(terminal.size))
    #expect(fake.written().contains(TerminalMode.cursorOff))
    var frame = Frame(terminal.size)
    frame.cursor = Point(3, 2)
    terminal.present(frame)
    #expect(fake.written().contains(TerminalMode.cursorOn))
    terminal.present(Frame(terminal.size))
    _ = fake.written()
    terminal.restore()
    #expect(fake.written().contains(TerminalMode.cursorOn))
  }

  @Test func terminalIsTakenAndRestored() throws {
    let before = fake.flags
    let terminal = try terminal()
    defer { terminal.restore() }
    #expect(terminal.size == Size(40, 12))
    let taken = fake.written()
    #expect(taken.contains("\u{1B}[?1049h") && taken.contains("\u{1B}[?2004h") && taken.contains("\u{1B}[?1006h"))
    #expect(fake.flags != before)
    terminal.restore()
    let given = fake.written()
    #expect(given.contains("\u{1B}[?1049l") && given.contains("\u{1B}[?2004l") && given.contains("\u{1B}[?1006l"))
    #expect(fake.flags == before)
    terminal.restore()
    #expect(fake.written().isEmpty)
  }

  @Test func onlyChangedCellsAreWritten() throws {
    let terminal = try terminal()
    defer { terminal.restore() }
    var frame = Frame(terminal.size)
    frame.put("流動的資金 first row", x: 0, y: 0, style: .plain)
    frame.put("second row", x: 0, y: 1, style: Style(.palette(196)))
    terminal.present(frame)
    let first = fake.written()
    #expect(first.contains("流動的資金 first row") && first.contains("38;5;196m"))
    terminal.present(frame)
    #expect(fake.written().isEmpty)
    frame.put("SECOND", x: 0, y: 1, style: .plain)
    terminal.present(frame)
    let second = fake.written()
    #expect(second.contains("SECOND") && !second.contains("first"))
  }

  @Test func newSizeIsDrawnInFull() throws {
    let terminal = try terminal()
    defer { terminal.restore() }
    terminal.present(Frame(terminal.size))
    _ = fake.written()
    fake.resize(Size(20, 5))
    #expect(terminal.resize() == Size(20, 5))
    var frame = Frame(terminal.size)
    frame.put("12345678901234567890", x: 0, y: 3, style: .plain)
    terminal.present(frame)
    #expect(fake.written().contains("12345678901234567890"))
    fake.type("j")
    _ = try Poller.poll([terminal.fileDescriptor], timeoutMilliseconds: nil)
    #expect(terminal.readEvents() == [.key(Key("j"))], "KEY_RESIZE is swallowed")
  }

  @Test func keysAndPastesAreRead() throws {
    let terminal = try terminal()
    defer { terminal.restore() }
    fake.type("j\u{1B}[1;2D\u{1B}OA\u{1B}x流\u{1B}[200~a\rb\u{1B}[201~\u{3}\u{1A}\u{1B}[<64;5;3M")
    _ = try Poller.poll([terminal.fileDescriptor], timeoutMilliseconds: nil)
    let expected: [InputEvent] = [
      .key(Key("j")), .key(Key(.left, .shift)), .key(Key(.up)), .key(Key("x", .alt)), .key(Key("流")), .paste("a\rb"),
      .key(Key("c", .control)), .key(Key("z", .control)), .mouse(MouseEvent(.wheelUp, at: Point(4, 2))),
    ]
    #expect(terminal.readEvents() == expected)
    #expect(terminal.readEvents().isEmpty)
  }

  /// On a slow line the bytes of a character arrive one after the other.
  @Test func charactersArriveInPieces() throws {
    let terminal = try terminal()
    defer { terminal.restore() }
    var events: [InputEvent] = []
    for byte in "é流\u{1F600}z".utf8 {
      fake.type([byte])
      _ = try Poller.poll([terminal.fileDescriptor], timeoutMilliseconds: nil)
      events += terminal.readEvents()
    }
    #expect(events == ["é", "流", "\u{1F600}", "z"].map { .key(Key(Character($0))) })
  }

  @Test func byteThatIsNoTextLosesOnlyItself() throws {
    let terminal = try terminal()
    defer { terminal.restore() }
    fake.type([UInt8]("ab".utf8) + [0xE9] + [UInt8](" cd".utf8))
    _ = try Poller.poll([terminal.fileDescriptor], timeoutMilliseconds: nil)
    #expect(terminal.readEvents() == [.typed("ab cd")])
    fake.type([UInt8]("\u{1B}[200~caf".utf8) + [0xE9] + [UInt8](" noir\u{1B}[201~".utf8))
    _ = try Poller.poll([terminal.fileDescriptor], timeoutMilliseconds: nil)
    #expect(terminal.readEvents() == [.paste("caf noir")])
  }

  @Test func unknownCharactersKeepTheirColumns() throws {
    let terminal = try terminal()
    defer { terminal.restore() }
    var frame = Frame(terminal.size)
    frame.put("<\u{378}>", x: 0, y: 0, style: .plain)
    terminal.present(frame)
    #expect(fake.written().contains("<\u{FFFD}>"))
  }

  @Test func noColorKeepsAttributes() throws {
    let terminal = try terminal(["TERM": "xterm-256color", "NO_COLOR": "1"])
    defer { terminal.restore() }
    #expect(terminal.colorDepth == .monochrome)
    _ = fake.written()
    var frame = Frame(terminal.size)
    frame.put("bold", x: 0, y: 0, style: Style(.palette(196), on: .rgb(1, 2, 3), .bold))
    terminal.present(frame)
    let written = fake.written()
    #expect(
      written.contains("1mbold") && !written.contains("38;5") && !written.contains("48;5"),
      "\(written.debugDescription)")
  }

  @Test(arguments: [
    ("linux", ColorDepth.ansi8), ("vt100", .monochrome), ("screen", .ansi8), ("xterm-kitty-of-tomorrow", .palette256),
  ])
  func colourDepthFollowsTheTerminalType(_ type: String, _ depth: ColorDepth) throws {
    let terminal = try terminal(["TERM": type])
    defer { terminal.restore() }
    #expect(terminal.colorDepth == depth)
  }

  /// The window was closed or the connection broke. `poll` reports it, and leaving does not hang.
  @Test func closedTerminalIsNoticed() throws {
    let terminal = try terminal()
    #expect(try Poller.poll([terminal.fileDescriptor], timeoutMilliseconds: 0) == [[]])
    fake.hangUp()
    #expect(try Poller.poll([terminal.fileDescriptor], timeoutMilliseconds: nil)[0].contains(.hangUp))
    #expect(terminal.readEvents().isEmpty)
    terminal.present(Frame(terminal.size))
    terminal.restore()
  }

  @Test func screenCanBeReleasedForAnotherProgram() throws {
    let before = fake.flags
    let terminal = try terminal()
    defer { terminal.restore() }
    var frame = Frame(terminal.size)
    frame.put("here again", x: 0, y: 0, style: .plain)
    terminal.present(frame)
    _ = fake.written()
    terminal.leave()
    #expect(fake.written().contains("\u{1B}[?1049l"))
    #expect(fake.flags == before)
    terminal.present(frame)
    #expect(fake.written().isEmpty, "nothing is written while somebody else has the screen")
    fake.resize(Size(50, 10))
    terminal.resumeAfterSuspend()
    #expect(terminal.size == Size(50, 10))
    #expect(fake.flags != before)
    terminal.present(frame)
    let written = fake.written()
    #expect(written.contains("\u{1B}[?1049h") && written.contains("here again") && written.contains("\u{1B}[?2004h"))
  }

  @Test func titlesAreSanitizedAndRestored() throws {
    let terminal = try terminal()
    defer { terminal.restore() }
    terminal.setTitle("a\u{7}b\u{1B}]0;c\u{1B}[2Jd\n流")
    #expect(fake.written().contains("\u{1B}]2;ab0;cd 流\u{7}"))
    terminal.restore()
    #expect(fake.written().contains("\u{1B}[23;2t"))
  }

  /// The copied text may be pasted into a shell.
  @Test func copiedTextIsSanitized() throws {
    let terminal = try terminal()
    defer { terminal.restore() }
    _ = fake.written()
    terminal.copy("https://e.org/\u{7F}a\u{202E}b\u{2066}\u{200B}\u{1B}[31mc\u{9B}2Jd\u{0}\u{8}\n流")
    #expect(fake.written() == TerminalMode.clipboard(Data("https://e.org/abcd 流".utf8).base64EncodedString()))
  }

  /// ncurses must not ask the device for its size, because it would accept any value.
  @Test(arguments: [Size(65_535, 65_535), Size(10_000, 10_000), Size(65_535, 1)]) func reportedTerminalSizeIsLimited(
    size: Size
  ) throws {
    fake.resize(size)
    let terminal = try terminal()
    defer { terminal.restore() }
    #expect(terminal.size == size.withinScreen)
    terminal.present(Frame(terminal.size))
    fake.resize(Size(40, 12))
    #expect(terminal.resize() == Size(40, 12))
    fake.resize(size)
    #expect(terminal.resize() == size.withinScreen)
  }

  @Test func missingScreenIsReported() throws {
    #expect(throws: TerminalError.unknownType("nonsense")) { try terminal(["TERM": "nonsense"]) }
    #expect(throws: TerminalError.unknownType("")) { try terminal([:]) }
    #expect(throws: TerminalError.incapable("dumb")) { try terminal(["TERM": "dumb"]) }
    let error = #expect(throws: TerminalError.self) { try Terminal(.init(device: "/dev/null", divertsOutput: false)) }
    #expect(error?.description.contains("/dev/null") == true)
  }

  @Test func signalsArriveInThePipe() throws {
    let signals = try Signals()
    let terminal = try terminal()
    defer { terminal.restore() }
    for number in [SIGWINCH, SIGWINCH, SIGTERM, SIGHUP] { kill(getpid(), number) }
    var received: [Signal] = []
    while Set(received).count < 3 {
      _ = try Poller.poll([signals.fileDescriptor], timeoutMilliseconds: nil)
      received += signals.drain()
    }
    #expect(Set(received) == [.resize, .deadly(SIGTERM), .deadly(SIGHUP)])
  }
}
