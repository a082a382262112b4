import Testing

@testable import TerminalKit

@Suite struct LineEditorTests {
  /// The text with "|" where the cursor stands, after typing `keys`.
  private func typed(_ keys: String, into text: String = "") throws -> String {
    var editor = LineEditor(text)
    for key in try #require(KeyNotation.parse(keys)) {
      let handled = editor.handle(key)
      #expect(handled, "\(key)")
    }
    let characters = Array(editor.text)
    return String(characters[..<editor.cursor]) + "|" + String(characters[editor.cursor...])
  }

  @Test(arguments: [
    ("", "abc", "abc|"), ("abc", "<C-a>x", "x|abc"), ("abc", "<Home><C-e>x", "abcx|"), ("abc", "<C-b><Left>x", "ax|bc"),
    ("abc", "<C-a><C-f><Right>x", "abx|c"), ("abc", "<C-a><Left>x", "x|abc"), ("abc", "<End><Right>x", "abcx|"),
    ("one two.three", "<A-b>", "one two.|three"), ("one two.three", "<A-b><A-b><C-Left>", "|one two.three"),
    ("one two", "<C-a><A-f>", "one| two"), ("one two", "<C-a><C-Right><A-f>", "one two|"),
    ("one two.three  ", "<C-w>", "one |"), ("one two.three", "<A-BS>", "one two.|"), ("one two", "<C-a><A-d>", "| two"),
    ("one two", "<C-u>", "|"), ("one two", "<A-b><C-u>", "|two"), ("one two", "<A-b><C-k>", "one |"),
    ("one two", "<C-w><C-a><C-y>", "two|one "), ("abc", "<BS><C-h>", "a|"), ("abc", "<C-a><Del><C-d>", "|c"),
    ("", "<BS><Del><C-w><C-k><C-y>", "|"), ("e\u{301}流👩‍👩‍👧‍👦", "<BS><BS>", "e\u{301}|"), ("", "<Space>", " |"),
  ])
  func lineEditorEdits(_ text: String, _ keys: String, _ expected: String) throws {
    #expect(try typed(keys, into: text) == expected)
  }

  @Test(arguments: ["<Enter>", "<Esc>", "<Up>", "<Tab>", "<C-x>", "<A-x>", "<F1>"]) func lineEditorIgnoresOtherKeys(
    _ notation: String
  )
    throws
  {
    var editor = LineEditor("abc")
    let key = try #require(KeyNotation.parse(notation)?.first)
    let handled = editor.handle(key)
    #expect(!handled)
    #expect(editor == LineEditor("abc"))
  }

  @Test func pastedLinesBecomeOne() {
    var editor = LineEditor("<>")
    editor.moveTo(1)
    editor.insert("a\r\nb\u{1B}[2Jc")
    #expect(editor.text == "<a bc>")
    #expect(editor.head == "<a bc")
  }

  @Test func combiningMarkJoinsTheLetterBefore() {
    var editor = LineEditor("e")
    editor.insert("\u{301}")
    #expect(editor.cursor == 1)
    #expect(editor.text == "e\u{301}")
  }

  @Test(arguments: [
    ("abcdef", 6, 10, "abcdef", 6), ("abcdef", 6, 7, "abcdef", 6), ("abcdef", 6, 6, "def", 3),
    ("abcdef", 0, 4, "abcd", 0),
    ("流動資金", 4, 5, "資金", 4), ("流動資金", 2, 5, "動資", 2), ("流動資金", 2, 1, "", 0), ("abc", 3, 0, "", 0),
  ])
  func lineEditorScrolls(_ text: String, _ cursor: Int, _ width: Int, _ shown: String, _ column: Int) {
    var editor = LineEditor(text)
    editor.moveTo(cursor)
    let visible = editor.visible(width: width)
    #expect(visible.text == shown)
    #expect(visible.cursorColumn == column)
  }

  @Test func cursorIsAlwaysVisible() {
    for text in HostileText(seed: 6, count: 250) {
      var editor = LineEditor(text)
      for width in [1, 2, 5, 20] {
        for cursor in 0...editor.text.count {
          editor.moveTo(cursor)
          let visible = editor.visible(width: width)
          #expect(Clusters.width(visible.text) <= width)
          #expect((0..<width).contains(visible.cursorColumn))
        }
      }
    }
  }

  /// An edit may read the whole line, so the length of the line is limited.
  @Test(arguments: ["a", "流", "\u{301}", "👩‍👩‍👧‍👦", "\u{1B}[0m", "\u{202E}"]) func longInputIsTruncated(_ unit: String) {
    let megabyte = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
    var editor = LineEditor("ab")
    editor.moveTo(1)
    let isWhole = editor.insert(megabyte)
    #expect(!isWhole)
    #expect(editor.text.unicodeScalars.count <= LineEditor.limit)
    #expect(editor.text.unicodeScalars.first == "a" && editor.text.unicodeScalars.last == "b")
    editor.text = megabyte
    #expect(editor.text.unicodeScalars.count <= LineEditor.limit && editor.cursor == editor.text.count)
    #expect(LineEditor(megabyte).text == editor.text)
  }

  /// Deleted text makes room again, and killed text does not accumulate.
  @Test func deletingMakesRoomForTyping() {
    var editor = LineEditor(String(repeating: "é", count: LineEditor.limit))
    func insert(_ text: String, after key: Key? = nil) -> Bool {
      if let key { _ = editor.handle(key) }
      return editor.insert(text)
    }
    let taken = [
      insert("x"), insert("x", after: Key(.backspace)), insert("y"), insert("a流b", after: Key("u", .control)),
    ]
    #expect(taken == [false, true, false, true])
    for _ in 0..<3 { _ = editor.handle(Key("y", .control)) }
    #expect(editor.text.unicodeScalars.count == LineEditor.limit)
    let fits = insert(String(repeating: "z", count: LineEditor.limit), after: Key("u", .control))
    #expect(fits)
  }

  /// Graphemes are counted again after each edit, wherever they were cut.
  @Test func typedAndPastedAreTheSame() {
    for text in HostileText(seed: 11, count: 40) {
      let clean = String(Sanitize.line(text).prefix(60))
      var (typed, pasted) = (LineEditor(), LineEditor())
      for character in clean { typed.insert(String(character)) }
      pasted.insert(clean)
      #expect(typed == pasted)
    }
  }

  @Test func lineEditorEditsInTheMiddleOfASCII() {
    let line = LineEditor("one two")
    for place in 0...7 {
      var editor = line
      editor.moveTo(place)
      editor.insert("xy")
      #expect(editor.text.count == 9 && editor.cursor == place + 2)
      _ = editor.handle(Key(.backspace))
      _ = editor.handle(Key(.backspace))
      #expect(editor.text == line.text && editor.cursor == place)
    }
  }
}
