import Foundation
import Model

/// The parsed text of a library search.
///
/// Every word must occur; case and diacritics are ignored. "Words in quotes" are a phrase. A word that ends in `*`,
/// and the last word, which may still be incomplete, can be the beginning of a word. Filters: `podcast:name` (in
/// quotes if it has spaces) for podcasts with that in their titles; `note:word` for words of the listener's notes;
/// `after:2024`, `after:2024-05` and `before:2024-05-31` for dates in the listener's time zone: `after` starts with the
/// first day, `before` includes the last.
struct SearchQuery: Equatable {
  struct Term: Equatable {
    enum Kind { case word, beginning, phrase }
    var text: String
    var kind: Kind

    /// As FTS5 has it.
    var expression: String {
      let forms = SearchText.expressions(text, isPhrase: kind == .phrase).map { kind == .beginning ? $0 + "*" : $0 }
      return forms.count == 1 ? forms[0] : "(\(forms.joined(separator: " OR ")))"
    }

    /// Whether a title has it, as the index would find it.
    /// - Parameters:
    ///   - title: the words of the title, by `SearchText.words`.
    ///   - words: those of the term.
    func isIn(_ title: [[String]], words: [[String]]) -> Bool {
      title.contains { title in words.contains { isIn(title, words: $0) } }
    }

    private func isIn(_ title: [String], words: [String]) -> Bool {
      guard let last = words.last, words.count <= title.count else { return false }
      return (0...(title.count - words.count)).contains { start in
        let end = title[start + words.count - 1]
        return title[start..<(start + words.count - 1)].elementsEqual(words.dropLast())
          && (kind == .beginning ? end.hasPrefix(last) : end == last)
      }
    }
  }

  var terms: [Term] = []
  /// Parts of podcast titles, folded. A podcast must match one of them.
  var podcasts: [String] = []
  /// Words of the listener's notes. A note of the episode must have all of them.
  var notes: [String] = []
  /// Seconds since 1970, inclusive.
  var after: Double?
  /// Seconds since 1970, exclusive.
  var before: Double?

  /// Shorter prefixes match too many words, and FTS5 must merge all their lists before it can answer.
  private static let minimumPrefix = 2

  /// - Parameter hasFilters: false treats `podcast:x` as words.
  init(_ text: String, timeZone: TimeZone = .gmt, hasFilters: Bool = true) {
    for piece in Self.pieces(text.withoutNUL, filters: hasFilters ? Self.filters : []) {
      if let filter = piece.filter, add(filter, piece.text, timeZone) { continue }
      let text = piece.filter.map { "\($0):\(piece.text)" } ?? piece.text
      guard text.contains(where: { $0.isLetter || $0.isNumber }) else { continue }
      let isPhrase = piece.isQuoted && piece.filter == nil
      terms.append(Term(text: text, kind: isPhrase ? .phrase : text.hasSuffix("*") ? .beginning : .word))
    }
    guard let last = terms.last, last.kind == .word, text.hasSuffix(last.text) else { return }
    if last.text.count >= Self.minimumPrefix || SearchText.segmented(last.text) != last.text {
      terms[terms.count - 1].kind = .beginning
    }
  }

  /// The words as they appear in a text, for the snippet.
  var words: [String] {
    terms.map { $0.text.trimmingCharacters(in: Self.notWords) }.filter { !$0.isEmpty }
  }

  /// The query for FTS5. Nil if it has no words.
  var expression: String? {
    guard !terms.isEmpty else { return nil }
    return terms.map(\.expression).joined(separator: " AND ")
  }

  /// The same, where a term may also be one of the podcast's title.
  /// - Parameter scopes: for each term, expressions for the podcasts that have it in their titles.
  func expression(_ scopes: [[String]]) -> String {
    zip(terms, scopes).map { term, scopes in
      scopes.isEmpty ? term.expression : "(\(term.expression) OR scope : (\(scopes.joined(separator: " OR "))))"
    }.joined(separator: " AND ")
  }

  private static let notWords = CharacterSet.alphanumerics.union(.nonBaseCharacters).inverted

  // MARK: Pieces

  private struct Piece {
    var filter: String?
    var text: String
    var isQuoted: Bool
  }

  private static let filters = ["podcast", "after", "before", "note"]

  /// Splits into words and quoted phrases, each with the filter name directly before it.
  private static func pieces(_ text: String, filters: [String]) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { return pieces }
      var filter: String?
      if let name = filters.first(where: { rest.lowercased().hasPrefix($0 + ":") }) {
        filter = name
        rest = rest.dropFirst(name.count + 1)
      }
      if rest.first == "\"" {
        rest = rest.dropFirst()
        let end = rest.firstIndex(of: "\"") ?? rest.endIndex
        pieces.append(Piece(filter: filter, text: String(rest[..<end]), isQuoted: true))
        rest = rest[end...].dropFirst()
      } else {
        let end = rest.firstIndex { $0.isWhitespace || $0 == "\"" } ?? rest.endIndex
        pieces.append(Piece(filter: filter, text: String(rest[..<end]), isQuoted: false))
        rest = rest[end...]
      }
    }
  }

  /// False if the filter's value is not valid. It is then treated as a word.
  private mutating func add(_ filter: String, _ text: String, _ timeZone: TimeZone) -> Bool {
    switch filter {
    case "podcast":
      let name = text.trimmed.folded
      guard !name.isEmpty else { return true }
      podcasts.append(name)
    case "note":
      // While the word is typed, all notes match.
      notes.append(text.trimmed.folded)
    default:
      // A date that is still being typed ("after:20") does not filter yet.
      guard let span = Self.day(text)?.span(in: timeZone, now: Date()) else {
        return text.allSatisfy { $0.isNumber || $0 == "-" }
      }
      if filter == "after" { after = span.start.seconds } else { before = span.end.seconds }
    }
    return true
  }

  /// A day, month or year that is perhaps still being typed: "2024-" is the year. A day that its month does not have is
  /// counted on: 2024-02-31 is 2 March.
  private static func day(_ text: String) -> FilterDay? {
    let text = text.hasSuffix("-") ? String(text.dropLast()) : text
    if let day = FilterDay(date: text) { return day }
    guard let dash = text.lastIndex(of: "-"),
      case .date(let year, let month?, nil)? = FilterDay(date: String(text[..<dash])),
      let day = Int(text[dash...].dropFirst()), (29...31).contains(day)
    else { return nil }
    return .date(year: year, month: month, day: day)
  }
}
