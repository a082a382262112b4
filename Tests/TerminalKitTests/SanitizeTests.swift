import Testing

@testable import TerminalKit

@Suite struct SanitizeTests {
  @Test(arguments: [
    ("plain", "plain"), ("a\u{0}b\u{7}c\u{7F}", "abc"), ("\u{1B}[1;31mred\u{1B}[0m", "red"),
    ("\u{1B}]0;title\u{7}x", "x"), ("\u{1B}]0;title\u{1B}\\x", "x"), ("\u{1B}]52;c;aGk=\u{9C}x", "x"),
    ("\u{1B}]0;never ended", "0;never ended"), ("\u{1B}Pq#0\u{1B}\\x", "x"), ("\u{9B}31mx", "x"), ("\u{1B}cx", "x"),
    ("\u{1B}(0x", "x"), ("\u{1B}", ""), ("\u{1B}[", ""), ("\u{1B}\u{1B}[Ax", "x"), ("\u{85}x\u{91}y", " xy"),
    ("a\tb\nc\r\nd\re", "a b c d e"), ("a\u{2028}b\u{2029}c", "a b c"), ("\u{202E}abc\u{202C}", "abc"),
    ("\u{2066}abc\u{2069}", "abc"), ("a\u{200B}b\u{FEFF}c\u{2060}d\u{AD}e", "abcde"), ("\u{E0041}\u{E007F}x", "x"),
    ("👩\u{200D}🚀", "👩\u{200D}🚀"), ("a\u{200D}b", "ab"), ("\u{61C}\u{200F}x", "x"),
  ])
  func sanitizedLine(_ text: String, _ expected: String) {
    #expect(Array(Sanitize.line(text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  /// As `TextFlow` reads a text.
  private func paragraphs(_ text: String) -> String {
    String(String.UnicodeScalarView(CleanScalars(Substring(text), keepsNewlines: true)))
  }

  @Test func sanitizedParagraphsKeepLineEnds() {
    #expect(paragraphs("a\r\nb\rc\nd\u{2029}e\u{85}f\tg") == "a\nb\nc\nd\ne\nf g")
  }

  @Test func sanitizedTextHasNoControlSequences() {
    for text in HostileText(seed: 1, count: 4000) {
      for scalar in Sanitize.line(text).unicodeScalars {
        #expect(
          scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) && !(0xE0000..<0xE1000).contains(scalar.value))
        #expect(scalar.properties.generalCategory != .format || scalar.value == 0x200D)
      }
    }
  }

  @Test func sanitizedTextIsUnchangedIfClean() {
    for text in HostileText(seed: 2, count: 2000) {
      let once = paragraphs(text)
      #expect(paragraphs(once) == once)
    }
  }

  /// Without storing that no string ends, this would need 10¹¹ steps.
  @Test func unterminatedSequencesAreRemovedInLinearTime() {
    #expect(Sanitize.line(String(repeating: "\u{1B}]", count: 400_000)).isEmpty)
  }
}
