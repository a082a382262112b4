import Seeded

/// Malicious text as in feeds, the same in every run.
struct HostileText: Sequence, IteratorProtocol {
  private var random: SplitMix64
  private var left: Int

  init(seed: UInt64, count: Int) {
    random = SplitMix64(seed: seed)
    left = count
  }

  private static let pieces: [String] = [
    "word", " ", "  ", "\n", "\r\n", "\t", "-", "https://example.org/a/very/long/path?with=query", "流動的資金盛宴", "、", "。",
    "「", "」", "한국어", "\u{1112}\u{1161}\u{11AB}", "e\u{301}", "\u{301}", "👩‍👩‍👧‍👦", "👍🏿", "🇩🇪", "🇩", "❤️", "1️⃣", "مرحبا", "مُ",
    "क्षि", "ไทย", "\u{1B}[31m", "\u{1B}]0;x\u{7}", "\u{1B}]0;open", "\u{9B}2J", "\u{202E}", "\u{2066}", "\u{200B}",
    "\u{FEFF}",
    "\u{0}", "\u{7F}", "\u{85}", "\u{2028}", "\u{E0041}", "\u{AD}", "\u{A0}", "\u{3000}", "\u{FFFD}", "\u{10FFFF}", "…",
    "a", "\r", "\u{B}", "\u{200D}", "\u{9C}", "\u{9D}0;", "é", "«",
  ]

  mutating func next() -> String? {
    guard left > 0 else { return nil }
    left -= 1
    var text = ""
    for _ in 0..<Int.random(in: 0..<24, using: &random) {
      if Int.random(in: 0..<6, using: &random) == 0 {
        if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &random)) {
          text.unicodeScalars.append(scalar)
        }
      } else {
        text += Self.pieces.randomElement(using: &random) ?? ""
      }
    }
    return text
  }
}
