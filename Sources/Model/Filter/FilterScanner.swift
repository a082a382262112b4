/// Splits a filter into words, operators and parentheses. The form of a value depends on the operator before it
/// (`1:30:00` contains colons, an address anything), so the parser asks for one token at a time.
struct FilterScanner {
  enum Token: Equatable {
    case word(String)
    /// The contents of quotation marks.
    case quoted(String)
    case symbol(String)
    case open, close
    case end
  }

  private let text: [Character]
  /// The start of the next token, or of white space before it.
  private(set) var position = 0

  init(_ text: String) { self.text = Array(text) }

  /// The start of the next token.
  var start: Int { text[position...].firstIndex { !$0.isWhitespace } ?? text.count }

  /// The characters in a token's range.
  func found(_ range: Range<Int>) -> String { String(text[range.clamped(to: 0..<text.count)]) }

  /// The next token that is not a value.
  mutating func next() throws(FilterError) -> Token {
    position = start
    guard position < text.count else { return .end }
    let first = text[position]
    switch first {
    case "(", ")":
      position += 1
      return first == "(" ? .open : .close
    case "\"", "“": return .quoted(try quoted())
    default: break
    }
    for symbol in Self.symbols where text[position...].starts(with: symbol) {
      position += symbol.count
      return .symbol(String(symbol))
    }
    return .word(take { !$0.isWhitespace && !Self.delimiters.contains($0) })
  }

  /// The value after an operator: the contents of quotation marks, or everything up to a space or `)`. Empty if there
  /// is none.
  mutating func value() throws(FilterError) -> Token {
    position = start
    guard position < text.count else { return .end }
    if text[position] == "\"" || text[position] == "“" { return .quoted(try quoted()) }
    let word = take { !$0.isWhitespace && $0 != ")" }
    return word.isEmpty ? .close : .word(word)
  }

  /// The longer symbols come first. Phones and some keyboards replace `<=` by `≤`.
  private static let symbols: [[Character]] = ["<=", ">=", "!=", "!~", "<", ">", "=", "~", ":", "≤", "≥", "≠"].map(
    Array.init)
  private static let delimiters: Set<Character> = ["(", ")", "\"", "“", "<", ">", "=", "~", ":", "!", "≤", "≥", "≠"]

  private mutating func take(while belongs: (Character) -> Bool) -> String {
    let begin = position
    while position < text.count, belongs(text[position]) { position += 1 }
    // A lone "!" is neither a symbol nor a word. It becomes a token, so that the error can name it.
    if position == begin, text[begin] == "!" { position += 1 }
    return String(text[begin..<position])
  }

  /// `\"`, `\”` and `\\` are escapes.
  private mutating func quoted() throws(FilterError) -> String {
    let begin = position
    var result = ""
    position += 1
    while position < text.count {
      let character = text[position]
      if character == "\"" || character == "”" {
        position += 1
        return result
      }
      if character == "\\", position + 1 < text.count, "\"\\”".contains(text[position + 1]) { position += 1 }
      result.append(text[position])
      position += 1
    }
    throw FilterError(
      offset: begin, length: text.count - begin, expected: [.closingQuote], found: found(begin..<text.count))
  }
}
