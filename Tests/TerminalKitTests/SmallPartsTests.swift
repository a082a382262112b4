import Testing

@testable import TerminalKit

@Suite struct PaddingTests {
  @Test func paddingFillsColumnsAndNeverCuts() {
    #expect("ab".rightPadded(4) == "ab  " && "ab".leftPadded(4) == "  ab")
    #expect("流動".rightPadded(6) == "流動  " && "🎧 Deep".leftPadded(8) == " 🎧 Deep")
    for text in ["at 12:34:56", "🎧 Deep Listening", "e\u{301}te\u{301}"] {
      #expect(text.rightPadded(3) == text && text.leftPadded(2) == text)
    }
  }
}

@Suite struct ProgressBarTests {
  @Test(
    arguments: [
      (8, 0, "        "), (8, 1, "████████"), (8, 0.5, "████    "), (8, 0.5 + 1.0 / 64, "████▏   "), (4, 0.24, "▉   "),
      (4, -1, "    "), (4, 9, "████"), (4, .nan, "    "), (0, 0.5, ""), (-3, 0.5, ""),
    ] as [(Int, Double, String)])
  func progressBarDrawsBlocks(_ width: Int, _ fraction: Double, _ expected: String) {
    #expect(ProgressBar(width: width, fraction: fraction).text == expected)
  }

  @Test func progressBarHasBufferAndTicksInASCII() {
    let bar = ProgressBar(width: 10, fraction: 0.35, buffered: 0.6, ticks: [0, 0.1, 0.8, 1, 7], glyphs: .ascii)
    #expect(bar.text == "=|=---..|.")
    #expect(bar.pieces[1] == ProgressBar.Piece(glyph: "|", kind: .played, isTick: true))
    #expect(bar.pieces[8].kind == .rest)
  }

  @Test func progressBarShowsBookmarksAndSkippedParts() {
    let bar = ProgressBar(
      width: 10, fraction: 0.35, ticks: [0.5], bookmarks: [0, 0.5], skipped: [0.72...0.81, 2...3], glyphs: .ascii)
    #expect(bar.text == "*==..*.//.")
    #expect(ProgressBar(width: 4, fraction: 0, bookmarks: [0.5], skipped: [0.8...0.8]).text == "  ◆╱")
  }

  @Test func progressBarHidesABufferBeforeThePosition() {
    #expect(ProgressBar(width: 4, fraction: 0.75, buffered: 0.25).text == "███ ")
    #expect(
      ProgressBar(width: 4, fraction: 0.6, buffered: 1).pieces.map(\.kind) == [.played, .played, .played, .buffered])
  }
}
