import Testing

@testable import TerminalKit

@Suite struct TimeTextTests {
  @Test(
    arguments: [
      (0, "0:00"), (5, "0:05"), (59.99, "0:59"), (245, "4:05"), (3723, "1:02:03"), (360_000, "100:00:00"),
      (-5, "-0:05"),
      (-0.5, "0:00"), (.nan, "-:--"), (.infinity, "-:--"), (1e300, "876000:00:00"),
    ] as [(Double, String)])
  func clock(_ seconds: Double, _ expected: String) { #expect(TimeText.clock(seconds) == expected) }

  @Test(
    arguments: [
      (0, "0s"), (30, "30s"), (59.6, "1m"), (89, "1m"), (90, "2m"), (2700, "45m"), (3599, "1h 00m"), (3720, "1h 02m"),
      (36_000, "10h 00m"), (-4, "0s"), (.nan, ""),
    ] as [(Double, String)])
  func short(_ seconds: Double, _ expected: String) { #expect(TimeText.short(seconds) == expected) }
}

@Suite struct ProgressBarTests {
  @Test(
    arguments: [
      (8, 0, "        "), (8, 1, "████████"), (8, 0.5, "████    "), (8, 0.5 + 1.0 / 64, "████▏   "), (4, 0.24, "▉   "),
      (4, -1, "    "), (4, 9, "████"), (4, .nan, "    "), (0, 0.5, ""), (-3, 0.5, ""),
    ] as [(Int, Double, String)])
  func blocks(_ width: Int, _ fraction: Double, _ expected: String) {
    #expect(ProgressBar(width: width, fraction: fraction).text == expected)
  }

  @Test func buffersAndTicksInASCII() {
    let bar = ProgressBar(width: 10, fraction: 0.35, buffered: 0.6, ticks: [0, 0.1, 0.8, 1, 7], glyphs: .ascii)
    #expect(bar.text == "=|=---..|.")
    #expect(bar.pieces[1] == ProgressBar.Piece(glyph: "|", kind: .played, isTick: true))
    #expect(bar.pieces[8].kind == .rest)
  }

  @Test func bufferBeforeThePlayedPartShowsNothing() {
    #expect(ProgressBar(width: 4, fraction: 0.75, buffered: 0.25).text == "███ ")
    #expect(
      ProgressBar(width: 4, fraction: 0.6, buffered: 1).pieces.map(\.kind) == [.played, .played, .head, .buffered])
  }
}
