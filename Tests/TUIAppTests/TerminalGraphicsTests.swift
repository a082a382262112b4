import TerminalKit
import Testing

@testable import TUIApp

/// Which terminals get graphics, and with which protocol.
@Suite(InTurn()) struct TerminalGraphicsTests {
  private static let cell = Size(9, 18)

  @Test(
    arguments: [
      (["TERM": "xterm-kitty"], .kitty), (["TERM": "xterm-ghostty"], .kitty),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .kitty),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm2),
      (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm2),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm2),
      (["TERM": "foot"], .sixel), (["TERM": "xterm-256color"], .automatic),
      // Variables of the terminal outside the multiplexer are ignored.
      (["TERM": "tmux-256color", "TMUX": "/tmp/x", "TERM_PROGRAM": "iTerm.app"], .cells),
      (["TERM": "screen", "STY": "1.x", "LC_TERMINAL": "iTerm2"], .cells), (["TERM": "linux"], .cells),
      (["TERM": "vt100", "TERM_PROGRAM": "iTerm.app"], .cells),
    ] as [([String: String], GraphicsChoice)])
  func environmentSelectsTheProtocol(environment: [String: String], known: GraphicsChoice) throws {
    let type = try #require(environment["TERM"])
    #expect(TerminalGraphics(.automatic, type: type, environment: environment).known == known)
  }

  @Test func settingOverridesTheEnvironment() {
    let kitty = ["TERM": "xterm-kitty"]
    func known(_ choice: GraphicsChoice) -> GraphicsChoice {
      TerminalGraphics(choice, type: "xterm-kitty", environment: kitty).known
    }
    #expect(known(.cells) == .cells)
    #expect(known(.sixel) == .sixel)
    #expect(known(.iterm2) == .iterm2)
  }

  @Test func sixelsNeedSupportAndTheCellSize() {
    let asked = TerminalGraphics(.automatic, type: "xterm", environment: ["TERM": "xterm"])
    #expect(asked.target(attributes: nil, cell: Self.cell) == GraphicsTarget(nil, cell: Self.cell))
    #expect(asked.target(attributes: [63, 1, 2], cell: Self.cell) == GraphicsTarget(nil, cell: Self.cell))
    #expect(asked.target(attributes: [63, 1, 2, 4], cell: nil) == GraphicsTarget(nil))
    #expect(asked.target(attributes: [63, 1, 2, 4], cell: Self.cell) == GraphicsTarget(.sixel, cell: Self.cell))
    let told = TerminalGraphics(.kitty, type: "xterm", environment: [:])
    #expect(told.target(attributes: nil, cell: nil) == GraphicsTarget(.kitty, cell: GraphicsTarget.usualCell))
  }
}
