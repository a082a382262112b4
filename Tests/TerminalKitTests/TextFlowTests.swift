import Testing

@testable import TerminalKit

@Suite struct TextFlowTests {
  @Test(arguments: [
    ("", 5, [""]), ("hello world", 20, ["hello world"]), ("hello world", 5, ["hello", "world"]),
    ("hello world", 8, ["hello", "world"]), ("hello   world", 5, ["hello", "world"]), ("a b c d", 3, ["a b", "c d"]),
    ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
    ("see https://example.org/x", 10, ["see", "https://ex", "ample.org/", "x"]),
    ("one\ntwo\n\nthree", 10, ["one", "two", "", "three"]), ("one\n", 10, ["one", ""]),
    ("abcde\nf", 5, ["abcde", "f"]),
    ("abcde  \nf", 5, ["abcde", "f"]), ("well-known fact", 6, ["well-", "known", "fact"]), ("-5 -6", 3, ["-5", "-6"]),
    ("  indented text", 8, ["  indent", "ed text"]), ("   ", 2, [""]), ("  code here", 7, ["  code", "here"]),
    ("流動的資金盛宴", 6, ["流動的", "資金盛", "宴"]), ("流動的資金", 5, ["流動", "的資", "金"]),
    ("今日は、晴れ", 6, ["今日", "は、晴", "れ"]), ("彼は「はい」と", 6, ["彼は", "「は", "い」と"]),
    ("日本word語", 6, ["日本", "word語"]), ("流動", 1, ["?", "?"]), ("a流", 1, ["a", "?"]),
    ("10\u{A0}km away", 5, ["10\u{A0}km", "away"]),
    ("a\u{1B}[31mb", 5, ["ab"]),
  ])
  func textFlowWraps(_ text: String, _ width: Int, _ expected: [String]) {
    #expect(TextFlow.wrap(text, width: width) == expected)
  }

  private static func piece(_ text: String, _ source: Int) -> TextFlow.Piece { .init(source: source, text: text) }

  @Test func piecesKeepTheirTextsAcrossLines() {
    let texts = ["See ", "the long link", ", then go."]
    let lines = TextFlow.lines(of: texts, width: 10, firstIndent: 2, restIndent: 4)
    #expect(
      lines == [
        [Self.piece("See ", 0), Self.piece("the", 1)], [Self.piece("long", 1)],
        [Self.piece("link", 1), Self.piece(",", 2)], [Self.piece("then", 2)], [Self.piece("go.", 2)],
      ])
  }

  @Test func wordOfSeveralTextsIsNotBroken() {
    let lines = TextFlow.lines(of: ["an un", "break", "able"], width: 11)
    #expect(lines == [[Self.piece("an", 0)], [Self.piece("un", 0), Self.piece("break", 1), Self.piece("able", 2)]])
  }

  /// The clusters of a text that must not get lost: all except spaces, also spaces with combining marks.
  private func solid(_ text: String) -> [Cluster] {
    Clusters.split(text).filter { $0.text.unicodeScalars.first != " " }
  }

  @Test func linesFitTheWidthAndKeepAllText() {
    for text in HostileText(seed: 4, count: 600) {
      for width in [-1, 1, 2, 3, 7, 20, 80] {
        let lines = TextFlow.wrap(text, width: width)
        #expect(lines.allSatisfy { Clusters.width($0) <= max(1, width) })
        guard width > 1 else { continue }
        #expect(lines.flatMap(solid) == solid(text))
      }
    }
  }

  @Test func linesOfTextsFitTheWidth() {
    let texts = Array(HostileText(seed: 5, count: 500))
    for (index, text) in texts.enumerated() {
      let both = [text, texts[(index + 1) % texts.count]]
      for (width, first, rest) in [(10, 0, 4), (3, 2, 1), (1, 5, 5), (40, -2, 0)] {
        let lines = TextFlow.lines(of: both, width: width, firstIndent: first, restIndent: rest)
        for (row, line) in lines.enumerated() {
          let room = max(1, width - max(0, row == 0 ? first : rest))
          #expect(line.reduce(0) { $0 + Clusters.width($1.text) } <= room)
        }
      }
    }
  }
}
