import Foundation
import TerminalKit
import Testing

@testable import TUIApp

/// Terminals of all types, and several locales: the text is the same, and colours are only used if they are allowed.
@Suite(.withTmux, InTerminal()) struct TerminalTypeTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  /// SGR with a colour: 30–38, 40–48, 90–97, 100–107, also as the last of several parameters.
  private static var color: Regex<Substring> { /\u{1B}\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m/ }
  /// One of 256 colours, or an RGB colour.
  private static var extended: Regex<Substring> { /\u{1B}\[(?:[\d;]*;)?[34]8;[\d;]*m/ }

  private static var reverse: Regex<Substring> { /\u{1B}\[(?:[\d;]*;)?7m/ }

  /// The first screen as text, and with styles.
  private func firstScreen(_ variables: [String: String]) async throws -> (text: String, styled: String) {
    // A second start would show what the first one has left.
    let home = try TemporaryHome()
    let session = try await TmuxSession(home, variables: variables)
    // Waits for the last row, because a slow terminal shows it last.
    let text = try await session.waitFor("Nothing playing")
    let styled = try await session.styledScreen()
    // Keys work, wide text is shown, and the program quits.
    try await session.press("Enter", "j", shows: "2/4")
    try await session.quit()
    return (text, styled)
  }

  private static func isKnown(_ type: String) -> Bool {
    ["/lib/terminfo", "/usr/share/terminfo", "/etc/terminfo"].contains {
      let initial = type.prefix(1)
      let code = String(initial.utf8.first ?? 0, radix: 16)
      return FileManager.default.fileExists(atPath: "\($0)/\(initial)/\(type)")
        || FileManager.default.fileExists(atPath: "\($0)/\(code)/\(type)")
    }
  }

  /// Terminal types and the number of their colours.
  private static let types = [("vt100", 0), ("linux", 8), ("xterm", 8), ("screen", 8), ("xterm-256color", 256)]

  @Test(arguments: types) func textIsTheSameOnEveryTerminalType(type: String, colors: Int) async throws {
    guard Self.isKnown(type) else { return }
    let screen = try await firstScreen(["TERM": type])
    let reference = try await firstScreen([:])
    #expect(screen.text == reference.text)
    #expect(screen.styled.contains(Self.color) == (colors > 0))
    #expect(screen.styled.contains(Self.extended) == (colors > 8))
    // The selected row differs from the others with any number of colours.
    let rows = screen.styled.split(separator: "\n")
    let selected = try #require(rows.first { $0.contains("●") })
    if colors >= 256 { #expect(selected.contains(Self.extended)) }
    #expect(selected.contains(Self.reverse), "visible even if the terminal ignores the colours")
  }

  @Test(arguments: ["1", "yes"]) func noColorDisablesColours(value: String) async throws {
    let screen = try await firstScreen(["NO_COLOR": value])
    #expect(!screen.styled.contains(Self.color))
    #expect(screen.styled.contains(/\u{1B}\[(?:[\d;]*;)?7m/), "the chosen row is reversed")
  }

  /// The exact colours of the themes, if COLORTERM announces them and terminfo has a description for them
  /// (ncurses-term).
  @Test func colortermEnablesAllColours() async throws {
    guard Self.isKnown("xterm-direct") else { return }
    let screen = try await firstScreen(["TERM": "xterm-256color", "COLORTERM": "truecolor"])
    #expect(screen.styled.contains(/[34]8;2;\d+;\d+;\d+/))
    let selected = try #require(screen.styled.split(separator: "\n").first { $0.contains("●") })
    #expect(selected.contains(Self.reverse))
    let without = try await firstScreen(["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"])
    #expect(!without.styled.contains(Self.color))
    #expect(screen.text == without.text)
  }

  @Test func trueColourNeedsATypeWith256Colours() {
    let promise = ["COLORTERM": "truecolor"]
    // With semicolons, because mosh has this type and drops colours with colons.
    #expect(TerminalDevice.direct("xterm-256color", promise) == ["alacritty-direct"])
    #expect(TerminalDevice.direct("tmux-256color", ["COLORTERM": "24bit"]) == ["tmux-direct"])
    for type in ["linux", "vt100", "xterm", "dumb", ""] { #expect(TerminalDevice.direct(type, promise) == []) }
    #expect(TerminalDevice.direct("xterm-256color", [:]) == [])
    #expect(TerminalDevice.direct("xterm-256color", ["COLORTERM": "yes"]) == [])
  }

  /// GNU screen inherits COLORTERM, and drops direct colours. Over ssh only its type is known.
  @Test func screenGetsNoDirectColours() {
    let promise = ["COLORTERM": "truecolor"]
    for type in ["screen-256color", "screen.xterm-256color", "xterm-256color", "xterm-kitty"] {
      #expect(TerminalDevice.direct(type, promise.merging(["STY": "1.pts-0.host"]) { $1 }) == [])
    }
    #expect(TerminalDevice.direct("screen-256color", promise) == [])
    #expect(TerminalDevice.direct("screen-256color", promise.merging(["TMUX": "/tmp/s,1,0"]) { $1 }) == ["tmux-direct"])
  }

  /// A real GNU screen that inherits COLORTERM from the terminal around it. It drops direct colours.
  @Test(.enabled(if: screenProgram != nil, "GNU screen is not installed"))
  func selectionIsVisibleInScreen() async throws {
    let program = try #require(Self.screenProgram)
    let sockets = home.path + "/screens"
    try FileManager.default.createDirectory(
      atPath: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let session = try await TmuxSession.shell(
      home, variables: ["COLORTERM": "truecolor", "SCREENDIR": sockets, "TERM": "xterm-256color"])
    try await session.type("\(program) -c /dev/null -T screen-256color earshot; echo over")
    try await session.press("Enter", shows: "Nothing playing")
    let styled = try await session.styledScreen()
    let selected = try #require(styled.split(separator: "\n").first { $0.contains("●") })
    #expect(selected.contains(Self.reverse))
    #expect(styled.contains(Self.extended))
    try await session.press("Q", shows: "over")
  }

  private static var screenProgram: String? {
    ["/usr/bin/screen", "/usr/local/bin/screen", "/opt/homebrew/bin/screen"]
      .first(where: FileManager.default.isExecutableFile)
  }

  /// no-color.org: set but empty does not count. `TmuxSession` cannot set an empty variable, so this checks only that
  /// NO_COLOR overrides the listener's theme.
  @Test func noColorOverridesTheTheme() async throws {
    try home.configure("theme = \"high-contrast\"\nrefresh_on_start = false\n")
    #expect(try await firstScreen([:]).styled.contains(Self.color))
    let session = try await TmuxSession(home, variables: ["NO_COLOR": "1"])
    try await session.waitFor("Playing and seeking")
    try await session.press("T")
    try await session.waitUntil("an answer to T") { $0.contains("heme") }
    #expect(try await !session.styledScreen().contains(Self.color))
    try await session.quit()
  }

  /// A German locale has a comma in numbers, which libmpv refuses. "C" has no UTF-8. The last locale does not exist.
  @Test(arguments: ["de_DE.UTF-8", "C", "xx_YY.UTF-8"]) func playbackWorksInEveryLocale(locale: String) async throws {
    let broadcast = try Broadcast("Nachrichten ärger")
    #expect(try await BuiltProgram.run(["remove", "1"], in: home, environment: ["LC_ALL": locale]).status == 0)
    #expect(
      try await BuiltProgram.run(["add", broadcast.feedURL], in: home, environment: ["LC_ALL": locale]).status == 0)
    let session = try await TmuxSession(home, variables: ["LC_ALL": locale])
    try await session.waitFor("流動的資金盛宴")
    #expect(try await session.screen().contains("Nachrichten ärger"))
    try await session.press("Enter", "Enter")
    try await session.waitForBar("sound") { $0.phase == .playing && $0.elapsed >= 1 }
    try await session.press("]")
    try await session.waitForBar("faster") { $0.row.contains("1.1×") }
    try await session.quit()
  }

  @Test func unsuitableTerminalIsRefused() async throws {
    let session = try await TmuxSession.shell(home, variables: ["TERM": "dumb"])
    try await session.type("earshot; echo status $?")
    try await session.press("Enter")
    let screen = try await session.waitFor("status 69")
    #expect(screen.contains("the terminal type dumb (from TERM) cannot place its cursor"))
  }
}
