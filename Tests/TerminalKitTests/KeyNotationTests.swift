import Testing

@testable import TerminalKit

@Suite struct KeyNotationTests {
  @Test(arguments: [
    ("j", [Key("j")]), ("jj<Enter>/a", [Key("j"), Key("j"), Key(.enter), Key("/"), Key("a")]),
    ("<Esc>", [Key(.escape)]),
    ("<Space>", [Key(" ")]), (" ", [Key(" ")]), ("<Tab>", [Key(.tab)]), ("<S-Tab>", [Key(.tab, .shift)]),
    ("<BS>", [Key(.backspace)]), ("<Del>", [Key(.delete)]), ("<C-d>", [Key("d", .control)]),
    ("<c-D>", [Key("d", .control)]),
    ("<A-x>", [Key("x", .alt)]), ("<M-x>", [Key("x", .alt)]), ("<S-Left>", [Key(.left, .shift)]),
    ("<F5>", [Key(.function(5))]),
    ("<lt>", [Key("<")]), ("<", [Key("<")]), (">", [Key(">")]), ("<C-lt>", [Key("<", .control)]),
    ("<A-->", [Key("-", .alt)]),
    ("<->", [Key("-")]), ("<PageDown>", [Key(.pageDown)]), ("<home>", [Key(.home)]), ("<CR>", [Key(.enter)]),
    ("<C-A-S-Up>", [Key(.up, [.control, .alt, .shift])]), ("<S-a>", [Key("A")]), ("<A-G>", [Key("G", .alt)]),
    ("<A-gt>", [Key(">", .alt)]),
    ("<C-Space>", [Key(" ", .control)]), ("ä流", [Key("ä"), Key("流")]), ("", []),
  ])
  func keyNotationIsParsed(_ text: String, _ keys: [Key]) { #expect(KeyNotation.parse(text) == keys) }

  @Test(arguments: ["<Nope>", "a<", "<C-", "<C->", "<F0>", "<F64>", "<F-1>", "<>", "<X-a>", "<Enter"])
  func keyNotationIsRefused(_ text: String) { #expect(KeyNotation.parse(text) == nil) }

  static let everyKey: [Key] = {
    let characters: [Key.Base] = (0x20..<0x7F).map { .character(Character(Unicode.Scalar(UInt8($0)))) }
    let named: [Key.Base] = [
      .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .escape, .tab, .backspace, .delete, .insert,
    ]
    let bases = characters + named + (1...63).map { .function($0) } + [.character("流"), .character("é")]
    return bases.flatMap { base in (0..<8).map { Key(base, Key.Modifiers(rawValue: $0)) } }
  }()

  @Test func keyNotationOfKeysParsesToTheSameKeys() {
    for key in Self.everyKey {
      // No terminal reports these: control has no case, and shift with a letter is the capital.
      if case .character(let character) = key.base, character.isLetter,
        !key.modifiers.isDisjoint(with: [.control, .shift])
      {
        if key.modifiers.contains(.shift), !key.modifiers.contains(.control) { continue }
        if character.isUppercase { continue }
      }
      #expect(KeyNotation.parse(key.description) == [key], "\(key)")
    }
  }

  @Test(arguments: [
    (Key("<"), "<lt>"), (Key(" "), "<Space>"), (Key(.tab, .shift), "<S-Tab>"), (Key("d", .control), "<C-d>"),
    (Key("x", [.alt, .control]), "<C-A-x>"), (Key(.function(5)), "<F5>"), (Key(.backspace), "<BS>"), (Key("g"), "g"),
  ])
  func keyNotationIsWritten(_ key: Key, _ text: String) { #expect(key.description == text) }
}
