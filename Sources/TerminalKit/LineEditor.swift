/// A text field of one line with readline's keys. The cursor counts graphemes, so that it is never inside one.
///
/// It has at most `limit` scalars, because every edit may take as long as the whole text.
public struct LineEditor: Equatable, Sendable {
  /// In Unicode scalars. Addresses, filters and titles are far shorter.
  public static let limit = 4096

  private var characters: [Character]
  /// The number of graphemes before the cursor.
  public private(set) var cursor: Int
  /// The text is a suggestion. Typing replaces it, and any other key keeps it.
  public private(set) var isSelected = false
  /// The text of the last kill, for `^Y`.
  private var killed: [Character] = []

  public init(_ text: String = "") {
    characters = Array(Self.fitting(text, room: Self.limit).text)
    cursor = characters.count
  }

  public var isEmpty: Bool { characters.isEmpty }

  public var text: String {
    get { String(characters) }
    set { self = LineEditor(newValue, killed: killed) }
  }

  /// The text before the cursor, for completion.
  public var head: String { String(characters[..<cursor]) }

  /// The text from the cursor on.
  public var tail: String { String(characters[cursor...]) }

  /// Replaces the text before the cursor.
  public mutating func replaceHead(with text: String) {
    let tail = tail
    self.text = text
    let head = characters.count
    insert(tail)
    moveTo(head)
  }

  /// Inserts typed or pasted text at the cursor. Line ends become spaces.
  /// - Returns: false if the text was cut because of the limit.
  @discardableResult
  public mutating func insert(_ text: String) -> Bool {
    if isSelected { clear() }
    let (text, isWhole) = Self.fitting(text, room: Self.limit - self.text.unicodeScalars.count)
    if !text.isEmpty { set(head: head + text, tail: tail) }
    return isWhole
  }

  /// Makes the text a suggestion: see `isSelected`.
  public mutating func selectAll() { isSelected = !characters.isEmpty }

  public mutating func moveTo(_ index: Int) { cursor = min(max(0, index), characters.count) }

  /// Handles a key.
  /// - Returns: false if the key has no function here.
  public mutating func handle(_ key: Key) -> Bool {
    if edit(key) {
      isSelected = false
      return true
    }
    guard let character = key.text else { return false }
    insert(String(character))
    return true
  }

  /// The visible part of the text in `width` columns, and the column of the cursor. Scrolls by half the width, and
  /// keeps the grapheme under the cursor whole.
  public func visible(width: Int) -> (text: String, cursorColumn: Int) {
    guard width > 0 else { return ("", 0) }
    let shown = characters.map { Clusters.split(String($0)) }
    let widths = shown.map { $0.reduce(0) { $0 + $1.width } }
    let before = widths[..<cursor].reduce(0, +)
    let under = min(width, cursor < widths.count ? max(1, widths[cursor]) : 1)
    var start = 0
    var skipped = 0
    if before + under > width {
      let step = max(1, width / 2)
      let minimum = before + under - width
      let wanted = min(before, (minimum + step - 1) / step * step)
      while start < cursor, skipped < wanted {
        skipped += widths[start]
        start += 1
      }
    }
    let text = shown[start...].joined().reduce(into: "") { $1.scalars.write(to: &$0) }
    let fitted = Clusters.fit(text, columns: width, ellipsis: "")
    return (fitted.clusters.reduce(into: "") { $1.scalars.write(to: &$0) }, min(before - skipped, width - 1))
  }
}

extension LineEditor {
  private init(_ text: String, killed: [Character]) {
    self.init(text)
    self.killed = killed
  }

  /// The beginning of the text that fits, without control characters.
  private static func fitting(_ text: String, room: Int) -> (text: String, isWhole: Bool) {
    // Only as much as can fit is cleaned, because a paste may have megabytes.
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: 4 * limit, limitedBy: scalars.endIndex) ?? scalars.endIndex
    let clean = Sanitize.line(text[..<end])
    let kept = clean.unicodeScalars.prefix(max(0, room))
    let isWhole = end == scalars.endIndex && kept.endIndex == clean.unicodeScalars.endIndex
    return (isWhole ? clean : String(kept), isWhole)
  }

  /// Sets the text before the cursor, and the text from it on. Graphemes may merge (a combining mark after its letter),
  /// so they are counted again.
  private mutating func set(head: String, tail: String) {
    characters = Array(head + tail)
    cursor = min(head.count, characters.count)
  }

  /// Does what a key does in a text.
  /// - Returns: false if it does nothing.
  private mutating func edit(_ key: Key) -> Bool {
    switch key {
    case Key("a", .control), Key(.home): cursor = 0
    case Key("e", .control), Key(.end): cursor = characters.count
    case Key("b", .control), Key(.left): moveTo(cursor - 1)
    case Key("f", .control), Key(.right): moveTo(cursor + 1)
    case Key("b", .alt), Key(.left, .control): cursor = wordStart
    case Key("f", .alt), Key(.right, .control): cursor = wordEnd
    case Key("h", .control), Key(.backspace): erase(cursor - 1..<cursor)
    case Key("d", .control), Key(.delete): erase(cursor..<cursor + 1)
    case Key("w", .control): kill(blankStart..<cursor)
    case Key(.backspace, .alt): kill(wordStart..<cursor)
    case Key("d", .alt): kill(cursor..<wordEnd)
    case Key("u", .control): kill(0..<cursor)
    case Key("k", .control): kill(cursor..<characters.count)
    case Key("y", .control): insert(String(killed))
    default: return false
    }
    return true
  }

  /// Removes a range, or the whole text if it is a suggestion.
  private mutating func erase(_ range: Range<Int>) { if isSelected { clear() } else { remove(range) } }

  private mutating func clear() {
    characters = []
    cursor = 0
    isSelected = false
  }

  /// The start of the word of letters and digits before the cursor, as for `M-b`.
  private var wordStart: Int {
    var index = cursor
    while index > 0, !Self.isWord(characters[index - 1]) { index -= 1 }
    while index > 0, Self.isWord(characters[index - 1]) { index -= 1 }
    return index
  }

  private var wordEnd: Int {
    var index = cursor
    while index < characters.count, !Self.isWord(characters[index]) { index += 1 }
    while index < characters.count, Self.isWord(characters[index]) { index += 1 }
    return index
  }

  /// The start of the run of non-blanks before the cursor, as for `^W`.
  private var blankStart: Int {
    var index = cursor
    while index > 0, characters[index - 1].isWhitespace { index -= 1 }
    while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
    return index
  }

  private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  /// Removes a range, limited to the text.
  private mutating func remove(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<characters.count)
    guard !range.isEmpty else { return }
    set(head: String(characters[..<range.lowerBound]), tail: String(characters[range.upperBound...]))
  }

  private mutating func kill(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    killed = Array(characters[range])
    remove(range)
  }
}
