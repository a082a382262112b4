import AppCore
import Model
import TerminalKit
import Testing

@testable import TUIApp

/// A text that arrives as keys does not run a thousand commands. An open prompt accepts it.
@Suite(InTurn()) struct InputFloodTests {
  /// The number of characters that are read as keys, and of those that only a prompt accepts.
  private func counts(_ actions: [Action]) -> (keys: Int, flood: Int) {
    actions.reduce(into: (0, 0)) { sum, action in
      switch action {
      case .input(.typed(let text)): sum.0 += text.unicodeScalars.count
      case .input(.key): sum.0 += 1
      case .flood(.typed(let text)): sum.1 += text.unicodeScalars.count
      case .flood(.key): sum.1 += 1
      default: break
      }
    }
  }

  @Test func keysOfALongRowAreAFlood() {
    var flood = InputFlood()
    #expect(counts(flood.actions(of: [.typed(String(repeating: "j", count: 999))], after: 1000)) == (999, 0))
    #expect(counts(flood.actions(of: [.typed("jjj"), .key(Key(.down))], after: 40)) == (1, 3))
    // The program was busy with the keys before, and did not wait for these.
    #expect(counts(flood.actions(of: [.typed("jj")], after: 0)) == (0, 2))
    // A pause ends the flood.
    #expect(counts(flood.actions(of: [.typed("jj"), .key(Key(.down))], after: 60)) == (3, 0))
  }

  @Test func pastesAndResizesAreNoFlood() {
    var flood = InputFlood()
    _ = flood.actions(of: [.typed(String(repeating: "j", count: 5000))], after: 0)
    let actions = flood.actions(of: [.paste("x"), .resize(Size(1, 1))], after: 1)
    #expect(actions.count == 2)
    for action in actions { if case .input = action {} else { Issue.record("\(action)") } }
  }

  @Test func joinedInputEqualsSingleInput() {
    let keys: [InputEvent] = [
      .key(Key("a")), .key(Key("\u{301}")), .key(Key("b", .control)), .key(Key("c")), .key(Key(.enter)), .paste("x"),
      .key(Key("d")), .key(Key("e")),
    ]
    #expect(
      InputEvent.joined(keys) == [
        .typed("a\u{301}"), .key(Key("b", .control)), .key(Key("c")), .key(Key(.enter)), .paste("x"), .typed("de"),
      ])
  }

  /// Text and pastes that are read in pieces, without ncurses, give the same codes for any size of the pieces.
  @Test(arguments: [1, 2, 3, 5, 7, 64, 4096]) func piecesGiveTheSameCodes(size: Int) {
    let text = "aé流👩\u{1B}[200~b\u{1B}[201~c\u{1B}[<0;1;1Md\u{1B}[Ae\u{7F}\r"
    let whole = TerminalFlood.codes(of: Array(text.utf8))
    #expect(whole.rest.isEmpty)
    #expect(
      whole.codes.contains(.function(KeySequences.pasteBegin)) && whole.codes.contains(.function(KeySequences.mouse)))
    var (codes, rest) = ([InputDecoder.Code](), Array(text.utf8)[...])
    var begun: [UInt8] = []
    while !rest.isEmpty {
      let piece = TerminalFlood.codes(of: begun + rest.prefix(size))
      rest = rest.dropFirst(size)
      codes += piece.codes
      begun = piece.rest
    }
    #expect(codes == whole.codes && begun.isEmpty)
    // Invalid UTF-8 is left out, but not the text after it.
    #expect(TerminalFlood.codes(of: [0xFF, 0xC3, 0x28, 0x61]).codes == [.character(0x28), .character(0x61)])
  }
}
