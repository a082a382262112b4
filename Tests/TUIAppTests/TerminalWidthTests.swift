import Foundation
import TerminalKit
import Testing

@testable import TUIApp

/// Compares the widths of characters with those of a real terminal emulator.
@Suite(.withTmux, InTerminal()) struct TerminalWidthTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  /// Texts that often have wrong widths. Each becomes one or more clusters.
  private static let texts = [
    "Aé\u{FC}ßøđŁ", "e\u{301}a\u{308}o\u{302}\u{301}", "流動的資金", "ｆｕｌｌ　ｗｉｄｔｈ", "ｶﾀｶﾅ", "かなカナ", "한국어",
    "\u{1112}\u{1161}\u{11AB}", "👩‍👩‍👧‍👦👍🏿🎧🚀", "🇩🇪🇨🇭", "❤️☎️1️⃣", "مرحبا بالعالم", "שלום", "क्षि नमस्ते", "ไทยที่", "ភាសា", "မြန်မာ",
    "ελληνικά", "кириллица", "─│╭▶●◔◑◕≡↓∅Ⅱ■✗✓✂∗◌", "▁▂▃▄▅▆▇█▏▎▍▌▋▊▉░", "“„«‹–—…‥•†‡", "①②ⅷ℃№㎏",
    "\u{200B}a\u{AD}b\u{FEFF}c",
    "\u{A0}\u{2003}\u{3000}x", "𝒜𝔅𐍈𠀀𪛖", "⚡⌚⏩☕♿⚽⛔", "🀄🃏🅰🈁", "ꦏꦫ", "ᚠᚢᚦ", "㊗㊙〰〽", "🩷🫨🪿🫎🩵🫩🪾",
  ]

  /// Each cluster is at the left, with a bar at its computed end. If the terminal draws it wider, the bar covers a part
  /// of it. If it is narrower, there is a gap.
  @Test func clusterWidthsEqualTheTerminals() async throws {
    Terminal.useUTF8()
    let clusters = Set(Self.texts.flatMap { Clusters.split($0) })
      .filter { TerminalPainter.isWrittenAsIs(Cell($0.text, width: UInt8($0.width))) }
      .sorted { $0.text < $1.text }
    try #require(clusters.count > 150)
    var bytes = "\u{1B}[H\u{1B}[2J"
    for (index, cluster) in clusters.enumerated() {
      bytes += "\u{1B}[\(index + 1);1H\(cluster.text)\u{1B}[\(index + 1);\(cluster.width + 1)H|"
    }
    bytes += "\u{1B}[\(clusters.count + 2);1Hwritten\n"
    let file = try home.file("clusters", bytes.utf8)
    let session = try await TmuxSession.shell(home)
    try await session.resize(Size(40, clusters.count + 8))
    try await session.type("cat \(file)")
    try await session.press("Enter")
    try await session.waitFor(/(?m)^written$/)
    let lines = try await session.lines()
    for (index, cluster) in clusters.enumerated() where lines[index] != cluster.text + "|" {
      let scalars = cluster.text.unicodeScalars.map { String($0.value, radix: 16, uppercase: true) }
      Issue.record("U+\(scalars.joined(separator: " ")) is not \(cluster.width) wide: “\(lines[index])”")
    }
  }
}
