import TerminalKit
import Testing

@testable import TUIApp

/// Hyperlinks with OSC 8: which terminals get them, which links, and how they are written.
@Suite(InTurn()) struct TerminalHyperlinksTests {
  private func frame(_ text: String, _ address: String, style: Style = .plain) -> Frame {
    var frame = Frame(Size(40, 3))
    frame.put(text, x: 2, y: 1, style: style)
    frame.link(address, x: 2, y: 1, width: Clusters.width(text))
    return frame
  }

  private func links(depth: ColorDepth = .palette256) -> TerminalHyperlinks {
    TerminalHyperlinks(type: "xterm-256color", environment: ["FORCE_HYPERLINK": "1"], depth: depth)
  }

  @Test func linkedCellsAreWrittenAgainWithALink() {
    var links = links()
    let frame = frame("page", "https://example.org/a", style: Style(.palette(33), on: .palette(4), .underline))
    let text = links.text(for: frame, changed: [1])
    #expect(text.hasPrefix("\u{1B}7\u{1B}[2;3H\u{1B}]8;id="))
    #expect(text.hasSuffix("\u{1B}]8;;\u{1B}\\\u{1B}8"))
    #expect(text.contains(";https://example.org/a\u{1B}\\\u{1B}[0;4;38;5;33;44mpage\u{1B}]8;;"))
    #expect(links.text(for: frame, changed: [0, 2]) == "", "nothing of it was written anew")
    #expect(links.text(for: frame, changed: [1]) == text)
  }

  @Test func linkedCellsKeepTheirColours() {
    var links = links(depth: .trueColor)
    let text = links.text(for: frame("x", "https://e.org", style: Style(.rgb(1, 200, 3))), changed: [1])
    #expect(text.contains("\u{1B}[0;38;2;1;200;3mx"))
  }

  @Test func linkWithUnknownWidthsIsLeftOut() {
    var links = links()
    // The character is unassigned. The C library has no width for it, so the painter wrote U+FFFD.
    let text = links.text(for: frame("a\u{10FFFF}b", "https://e.org"), changed: [1])
    #expect(!text.contains("]8;id"))
  }

  @Test(arguments: [
    ("https://example.org/ä b", "https://example.org/%C3%A4%20b"), ("mailto:a@example.org", "mailto:a@example.org"),
    ("HTTP://EXAMPLE.ORG", "HTTP://EXAMPLE.ORG"), ("https://e.org/\u{1B}]8;;\u{7}", "https://e.org/%1B]8;;%07"),
    ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("/relative", nil),
    ("https://e.org/" + String(repeating: "x", count: 3000), nil),
  ]) func onlyCleanAddressesOfTheWebAndMail(address: String, clean: String?) {
    #expect(TerminalHyperlinks.clean(address) == clean)
  }

  @Test(
    arguments: [
      ("xterm-256color", [:], false), ("xterm-256color", ["VTE_VERSION": "6800"], true),
      ("xterm-256color", ["VTE_VERSION": "4601"], false), ("xterm-256color", ["TERM_PROGRAM": "iTerm.app"], true),
      ("xterm-256color", ["TERM": "xterm-kitty"], true), ("linux", ["FORCE_HYPERLINK": "1"], false),
      ("vt100", ["VTE_VERSION": "6800"], false),
      ("xterm-256color", ["VTE_VERSION": "6800", "FORCE_HYPERLINK": "0"], false),
      ("tmux-256color", ["TMUX": "/tmp/x", "VTE_VERSION": "6800"], false),
      ("tmux-256color", ["TMUX": "/tmp/x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], false),
      ("tmux-256color", ["TMUX": "/tmp/x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"], true),
      ("screen-256color", ["STY": "1.x", "VTE_VERSION": "6800"], false),
    ] as [(String, [String: String], Bool)])
  func linksAreOnlyWrittenForSupportingTerminals(type: String, environment: [String: String], supported: Bool) {
    #expect(TerminalHyperlinks.isSupported(type: type, environment: environment) == supported)
  }
}
