/// The completions of a filter.
public struct FilterCompletion: Sendable, Equatable {
  /// The characters that a candidate replaces. Empty if a new word begins.
  public var replaces: Range<Int>
  /// In the order of the language's tables, then words of the library.
  public var candidates: [String]

  /// - Parameters:
  ///   - text: the text up to the cursor.
  ///   - takesWords: the filter is typed to narrow a list, so that it can have words of titles.
  ///   - vocabulary: the library's values of a field: tags, titles of podcasts.
  public init(_ text: String, takesWords: Bool = false, vocabulary: (FilterField) -> [String] = { _ in [] }) {
    let characters = Array(text)
    let expected: [FilterExpectation]
    let start = Self.wordStart(characters)
    let word = String(characters[start...])
    let before = String(characters[..<start])
    replaces = start..<characters.count
    do throws(FilterError) {
      var parser = try FilterParser(before, takesWords: takesWords)
      _ = try parser.filter()
      // In a list of words, the next one need not be a connective.
      let isList = takesWords && parser.following == .connective
      expected = [parser.following] + (isList ? [.condition] : [])
    } catch {
      // There are no candidates if the error is before the last word.
      guard error.found.isEmpty, error.offset >= before.count else {
        candidates = []
        return
      }
      expected = error.expected
    }
    let prefix = word.lowercased().trimmingPrefix { $0 == "\"" }
    var candidates: [String] = []
    for expectation in expected {
      candidates += expectation.candidates
      guard case .value(let field) = expectation else { continue }
      candidates += vocabulary(field).map(Self.quotedIfNeeded)
    }
    self.candidates = candidates.filter {
      $0.lowercased().trimmingPrefix { $0 == "\"" }.hasPrefix(prefix) && $0 != word
    }
  }

  /// The start of the last word: after a space, a parenthesis or an operator, or at an open quotation mark.
  private static func wordStart(_ text: [Character]) -> Int {
    var openMark: Int?
    var isEscaped = false
    for (index, character) in text.enumerated() {
      if character == "\"", !isEscaped { openMark = openMark == nil ? index : nil }
      isEscaped = openMark != nil && character == "\\" && !isEscaped
    }
    if let openMark { return openMark }
    let delimiters: Set<Character> = ["(", ")", "<", ">", "=", "~", ":", "!", "\""]
    return (text.lastIndex { $0.isWhitespace || delimiters.contains($0) } ?? -1) + 1
  }

  private static func quotedIfNeeded(_ text: String) -> String {
    text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      ? text : EpisodeFilter.Condition.quoted(text)
  }
}
