/// Reads a filter by recursive descent:
///
///     filter     = condition [ "order" key ] [ "limit" number ]
///     condition  = and { "or" and }
///     and        = not { [ "and" ] not }
///     not        = "not" not | "(" condition ")" | flag | field operator value | "quoted text"
///                | ( "<" | "<=" | ">" | ">=" ) length
struct FilterParser {
  private var scanner: FilterScanner
  private var token = FilterScanner.Token.end
  /// The characters of `token`.
  private var range = 0..<0
  private var depth = 0
  private var conditions = 0
  /// What is allowed after the text, once `filter()` has succeeded.
  private(set) var following = FilterExpectation.connective
  /// A word that is none of the language is searched in the titles.
  private let takesWords: Bool

  /// The maximum nesting depth. SQLite's limit is 1000, and the parser must not overflow the stack.
  private static let maximumDepth = 64
  /// The maximum number of conditions. SQLite takes no expression of more than 1000.
  private static let maximumConditions = 250

  init(_ text: String, takesWords: Bool = false) throws(FilterError) {
    self.takesWords = takesWords
    scanner = FilterScanner(text)
    try advance()
  }

  mutating func filter() throws(FilterError) -> EpisodeFilter {
    var filter = EpisodeFilter(try any())
    if isWord("order") {
      try advance()
      guard case .word(let word) = token, let order = EpisodeFilter.Order(rawValue: word.lowercased()) else {
        throw unexpected(.order)
      }
      filter.order = order
      following = .limit
      try advance()
    }
    if isWord("limit") {
      try advance()
      guard case .word(let word) = token, let limit = FilterValue.whole(word), limit > 0 else {
        throw unexpected(.count)
      }
      filter.limit = limit
      following = .end
      try advance()
    }
    guard token == .end else { throw unexpected(following) }
    return filter
  }

  // MARK: Conditions

  private mutating func any() throws(FilterError) -> EpisodeFilter.Condition {
    var parts = [try all()]
    while isWord("or") {
      try advance()
      parts.append(try all())
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func all() throws(FilterError) -> EpisodeFilter.Condition {
    var parts = [try negation()]
    while true {
      if isWord("and") {
        try advance()
      } else if !beginsCondition {
        break
      }
      parts.append(try negation())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Whether the token begins a condition. Two conditions without an operator between them are joined by `and`.
  private var beginsCondition: Bool {
    switch token {
    case .open, .quoted: true
    case .symbol(let symbol): isLengthSymbol(symbol)
    case .word(let word): !["or", "order", "limit"].contains(word.lowercased())
    case .close, .end: false
    }
  }

  /// `<20m` is short for `duration < 20m`.
  private func isLengthSymbol(_ symbol: String) -> Bool {
    ["<", "<=", ">", ">="].contains(Self.plain[symbol] ?? symbol)
  }

  private mutating func negation() throws(FilterError) -> EpisodeFilter.Condition {
    guard depth < Self.maximumDepth else { throw unexpected(.lessNesting) }
    guard conditions < Self.maximumConditions else { throw unexpected(.fewerConditions) }
    depth += 1
    conditions += 1
    defer { depth -= 1 }
    switch token {
    case .open:
      try advance()
      let condition = try any()
      guard token == .close else { throw unexpected(.connective, .closingParenthesis) }
      try advance()
      return condition
    case .quoted(let text):
      guard !text.isEmpty else { throw unexpected(.condition) }
      try advance()
      return .text(.title, .contains, text)
    case .word(let word):
      if word.lowercased() == "not" {
        try advance()
        return .not(try negation())
      }
      return try term(word.lowercased())
    case .symbol(let symbol) where isLengthSymbol(symbol): return try comparison(.duration, symbol)
    case .symbol, .close, .end: throw unexpected(.condition)
    }
  }

  private mutating func term(_ word: String) throws(FilterError) -> EpisodeFilter.Condition {
    if let flag = FilterFlag(rawValue: word) {
      try advance()
      return .flag(flag)
    }
    guard let field = FilterField(rawValue: word) else {
      let error = unexpected(.condition)
      try advance()
      // Another word before an operator is a field that does not exist.
      if case .symbol(let symbol) = token, !isLengthSymbol(symbol) { throw error }
      guard takesWords else { throw error }
      return .text(.title, .contains, error.found)
    }
    try advance()
    guard case .symbol(let symbol) = token else { throw unexpected(.comparison(field)) }
    return try comparison(field, symbol)
  }

  private mutating func comparison(
    _ field: FilterField, _ symbol: String
  ) throws(FilterError) -> EpisodeFilter.Condition {
    let symbol = Self.plain[symbol] ?? symbol
    guard field.operators.contains(symbol) else { throw unexpected(.comparison(field)) }
    let start = scanner.start
    let value: String
    let isEmpty: Bool
    switch try scanner.value() {
    case .quoted(let text): (value, isEmpty) = (text, text.isEmpty)
    case .word(let text): (value, isEmpty) = (text, false)
    case .end, .close, .open, .symbol: (value, isEmpty) = ("", true)
    }
    range = start..<scanner.position
    guard !isEmpty, let condition = FilterValue.condition(field, symbol, value) else {
      throw error(at: isEmpty && scanner.found(range).isEmpty ? start..<start : range, .value(field))
    }
    try advance()
    return condition
  }

  private static let plain = ["≤": "<=", "≥": ">=", "≠": "!="]

  // MARK: Tokens

  private mutating func advance() throws(FilterError) {
    let start = scanner.start
    token = try scanner.next()
    range = start..<scanner.position
  }

  private func isWord(_ text: String) -> Bool {
    if case .word(let word) = token { return word.lowercased() == text }
    return false
  }

  private func unexpected(_ expected: FilterExpectation...) -> FilterError {
    FilterError(
      offset: range.lowerBound, length: range.count, expected: expected, found: scanner.found(range))
  }

  private func error(at range: Range<Int>, _ expected: FilterExpectation) -> FilterError {
    FilterError(offset: range.lowerBound, length: range.count, expected: [expected], found: scanner.found(range))
  }
}

extension EpisodeFilter {
  public init(parsing text: String) throws(FilterError) {
    var parser = try FilterParser(text)
    self = try parser.filter()
  }

  /// Reads a filter that is typed to narrow a list. Words that the language does not have are searched in the titles.
  public init(typed text: String) throws(FilterError) {
    var parser = try FilterParser(text, takesWords: true)
    self = try parser.filter()
  }

  /// Reads the beginning of a filter. The last word is left out while it can become a word of the language.
  /// - Returns: nil if there is no condition yet.
  public static func typing(_ text: String) throws(FilterError) -> EpisodeFilter? {
    var text = text[...]
    if let last = text.split(separator: " ").last, text.hasSuffix(last), isBeginning(last.lowercased()) {
      text = text.dropLast(last.count)
      let words = ["and", "or", "not"]
      while let word = text.split(separator: " ").last, words.contains(word.lowercased()) {
        text = text[..<word.startIndex]
      }
    }
    return text.allSatisfy(\.isWhitespace) ? nil : try EpisodeFilter(typed: String(text))
  }

  private static func isBeginning(_ word: String) -> Bool {
    // A field needs an operator.
    if FilterField(rawValue: word) != nil { return true }
    let flags = FilterFlag.allCases.map(\.rawValue)
    let words = flags + FilterField.allCases.map(\.rawValue) + ["and", "or", "not", "order", "limit"]
    return words.contains { $0.hasPrefix(word) && $0 != word }
  }
}
