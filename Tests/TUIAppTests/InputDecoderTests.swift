import TerminalKit
import Testing

@testable import TUIApp

@Suite(InTurn()) struct InputDecoderTests {
  /// Simulates ncurses: finds the defined sequences in terminal input.
  private func codes(_ text: String) -> [InputDecoder.Code] {
    var rest = text[...]
    var codes: [InputDecoder.Code] = []
    let longestFirst = KeySequences.definitions.sorted { $0.sequence.count > $1.sequence.count }
    while let scalar = rest.unicodeScalars.first {
      if let match = longestFirst.first(where: { rest.unicodeScalars.starts(with: $0.sequence.unicodeScalars) }) {
        codes.append(.function(match.number))
        rest.unicodeScalars.removeFirst(match.sequence.unicodeScalars.count)
      } else {
        codes.append(.character(scalar.value))
        rest.unicodeScalars.removeFirst()
      }
    }
    return codes
  }

  private func events(
    _ text: String, with decoder: inout InputDecoder, at milliseconds: UInt64 = 0, after silence: UInt64 = 0
  ) -> [InputEvent] {
    var codes = codes(text)[...]
    return decoder.events(milliseconds: milliseconds, after: silence) { codes.popFirst() }
  }

  private func events(_ text: String) -> [InputEvent] {
    var decoder = InputDecoder()
    return events(text, with: &decoder)
  }

  @Test(arguments: [
    ("jé流", "jé流"), ("\r\n", "<Enter><Enter>"), ("\t\u{1B}[Z", "<Tab><S-Tab>"), ("\u{7F}\u{8}", "<BS><C-h>"),
    ("\u{1B}", "<Esc>"),
    ("\u{1B}\u{1B}", "<Esc><Esc>"), ("\u{1B}x", "<A-x>"), ("\u{1B}\u{7F}", "<A-BS>"), ("\u{1B}[", "<A-[>"),
    ("\u{1B}O", "<A-O>"),
    ("\u{1}\u{4}\u{1A}", "<C-a><C-d><C-z>"), ("\u{0}", "<C-Space>"), ("\u{1C}", "<C-Bslash>"), (" <", "<Space><lt>"),
    ("\u{1B}[A\u{1B}OB", "<Up><Down>"), ("\u{1B}[1;2D\u{1B}[1;5C", "<S-Left><C-Right>"),
    ("\u{1B}[1;8H", "<C-A-S-Home>"),
    ("\u{1B}[5~\u{1B}[6;5~", "<PageUp><C-PageDown>"), ("\u{1B}[15~\u{1B}OP", "<F5><F1>"), ("\u{1B}\u{1B}[A", "<A-Up>"),
    ("\u{1B}[105;5u\u{1B}[27;5;105~\t\u{1B}[111;5u", "<C-i><C-i><Tab><C-o>"),
    ("\u{1B}[99;99Zj", "j"), ("\u{1B}[?62;4cj", "j"), ("\u{1B}[6;20;9tj", "j"), ("\u{1B}OXj", "j"), ("\u{9B}j", "j"),
  ])
  func keysAreDecoded(_ sent: String, _ notation: String) throws {
    let expected = try #require(KeyNotation.parse(notation))
    #expect(events(sent) == expected.map { .key($0) })
  }

  /// On a slow line the bytes of a sequence come too far apart for ncurses, which then gives them as characters. The
  /// beginning of a paste must still be found, or its text would run commands. So must its end, or no key would work
  /// any more.
  @Test func pasteWithSplitMarksIsOnePaste() {
    let sent: [InputDecoder.Code] = "\u{1B}[200~xD~q\u{1B}[201~".unicodeScalars.map { .character($0.value) }
    for first in sent.indices.dropFirst() {
      for second in first..<sent.count {
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        for part in [sent[..<first], sent[first..<second], sent[second...], [.character(0x6A)]] {
          var part = part
          events += decoder.events(milliseconds: 0) { part.popFirst() }
        }
        // The mark may have been read as keys, such as Esc. The text of the paste must still run no command.
        #expect(events.suffix(2) == [.paste("xD~q"), .key(Key("j"))], "\(first) \(second)")
      }
    }
  }

  @Test func textAfterEscIsNoPasteWithoutTheMark() {
    var decoder = InputDecoder()
    #expect(events("\u{1B}", with: &decoder) == [.key(Key(.escape))])
    #expect(events("[20j", with: &decoder) == "[20j".map { .key(Key($0)) })
    #expect(events("\u{1B}", with: &decoder) == [.key(Key(.escape))])
    #expect(events("j", with: &decoder) == [.key(Key("j"))])
    #expect(events("[200~", with: &decoder) == "[200~".map { .key(Key($0)) }, "a key came between")
    #expect(events("\u{1B}", with: &decoder) == [.key(Key(.escape))])
    #expect(events("[200~", with: &decoder, after: 1000) == "[200~".map { .key(Key($0)) }, "it comes too late")
    #expect(events("x\u{1B}[2", with: &decoder).first == .key(Key("x")))
    #expect(events("0x", with: &decoder) == "0x".map { .key(Key($0)) })
  }

  @Test func pasteWithoutAnEndDoesNotLockTheKeyboard() {
    var decoder = InputDecoder()
    #expect(events("\u{1B}[200~hello", with: &decoder, at: 1000).isEmpty)
    #expect(events(" you", with: &decoder, at: 9000, after: 8000).isEmpty, "a slow line")
    #expect(events(", too", with: &decoder, at: 90_000, after: 1).isEmpty, "the program was busy for a minute")
    #expect(events("q", with: &decoder, at: 101_000, after: 11_000) == [.paste("hello you, too"), .key(Key("q"))])
  }

  /// The size of a cell comes from the answer for a cell, else from the one for the text area. An answer may arrive in
  /// two reads.
  @Test func answersAboutPixelsAreRead() {
    var decoder = InputDecoder()
    #expect(decoder.pixels.cell(window: Size(80, 24)) == nil)
    #expect(events("\u{1B}[4;480;720tj", with: &decoder) == [.key(Key("j"))])
    #expect(decoder.pixels.cell(window: Size(80, 24)) == Size(9, 20))
    #expect(events("\u{1B}[6;1", with: &decoder).isEmpty)
    #expect(events("7;8tk", with: &decoder, at: 5) == [.key(Key("k"))])
    #expect(decoder.pixels.cell(window: Size(80, 24)) == Size(8, 17))
    // What cannot be a size changes nothing.
    for text in ["\u{1B}[6;0;0t", "\u{1B}[6;17t", "\u{1B}[6;99999999999999999999;8t", "\u{1B}[6;200000;8t"] {
      #expect(events(text, with: &decoder).isEmpty)
      #expect(decoder.pixels.cell(window: Size(80, 24)) == Size(8, 17))
    }
  }

  @Test func ncursesKeyCodesAreDecoded() {
    var codes: [InputDecoder.Code] = [
      .function(0o403), .function(0o415), .function(0o632), .function(9999), .character(0o632),
    ]
    var decoder = InputDecoder()
    let events = decoder.events(milliseconds: 0) { codes.isEmpty ? nil : codes.removeFirst() }
    #expect(events == [.key(Key(.up)), .key(Key(.function(5))), .key(Key("ƚ"))], "KEY_RESIZE is no key, its letter is")
  }

  @Test func pasteInSeveralReadsIsOneEvent() {
    var decoder = InputDecoder()
    #expect(events("a\u{1B}[200~one\rtwo q", with: &decoder) == [.key(Key("a"))])
    #expect(events(" 流\u{1B}[A", with: &decoder).isEmpty)
    #expect(events("!\u{1B}[201~b", with: &decoder) == [.paste("one\rtwo q 流!"), .key(Key("b"))])
  }

  @Test func mouseEventsAreDecoded() {
    var decoder = InputDecoder()
    let press = "\u{1B}[<0;5;3M"
    let at = Point(4, 2)
    #expect(events(press, with: &decoder, at: 1000) == [.mouse(MouseEvent(.press, at: at))])
    #expect(events("\u{1B}[<0;5;3m", with: &decoder, at: 1050) == [.mouse(MouseEvent(.release, at: at))])
    #expect(events(press, with: &decoder, at: 1200) == [.mouse(MouseEvent(.doubleClick, at: at))])
    #expect(events(press, with: &decoder, at: 1300) == [.mouse(MouseEvent(.press, at: at))])
    #expect(events(press, with: &decoder, at: 9000) == [.mouse(MouseEvent(.press, at: at))])
    #expect(
      events("\u{1B}[<32;6;3M\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<68;1;1Mj", with: &decoder).dropLast(2) == [
        .mouse(MouseEvent(.drag, at: Point(5, 2))), .mouse(MouseEvent(.wheelUp, at: Point(0, 0))),
        .mouse(MouseEvent(.wheelDown, at: Point(0, 0))),
      ])
    #expect(
      events("\u{1B}[<2;1;1M\u{1B}[<99999999999999999999;1;1M\u{1B}[<1Mj\u{1B}[<0;0;0M", with: &decoder, at: 20_000)
        == [
          .key(Key("j")), .mouse(MouseEvent(.press, at: Point(0, 0))),
        ])
  }

  @Test func sequencesAreUnique() {
    let sequences = KeySequences.definitions.map(\.sequence)
    #expect(Set(sequences).count == sequences.count)
  }
}
