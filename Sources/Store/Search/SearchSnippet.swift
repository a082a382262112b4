import Foundation
import Model

/// The excerpt that a search result shows, and its time in the episode.
///
/// A chapter or transcript line with all of the words is best, because it can be played. Next are the notes, then any
/// text with at least one of the words.
extension SearchMatch {
  /// Characters before the word, and in total.
  private static let (leadIn, length) = (40, 160)

  init(words: [String], notes: String, chapters: [Chapter], transcript: Transcript?) {
    let words = words.map(WordFinder.init)
    let lines = transcript?.lines ?? []
    let chapter = chapters.first { Self.hasAll(words, $0.title) }
    let line = chapter == nil ? lines.first { Self.hasAll(words, $0.text) } : nil
    let found = words.lazy.compactMap { $0.first(in: notes) }.first
    if let chapter {
      self.init(snippet: chapter.title ?? "", time: chapter.start)
    } else if let line {
      self.init(snippet: Self.excerpt(line.text, words), time: line.start)
    } else if let found {
      self.init(snippet: Self.excerpt(notes, around: found))
    } else if let chapter = chapters.first(where: { Self.hasAny(words, $0.title) }) {
      self.init(snippet: chapter.title ?? "", time: chapter.start)
    } else if let line = lines.first(where: { Self.hasAny(words, $0.text) }) {
      self.init(snippet: Self.excerpt(line.text, words), time: line.start)
    } else {
      // The words were found in the title or among the people. The start of the notes is shown.
      self.init(snippet: Self.collapsed(notes.prefix(Self.length)))
    }
  }

  private static func hasAll(_ words: [WordFinder], _ text: String?) -> Bool {
    guard let text, !words.isEmpty else { return false }
    return words.allSatisfy { $0.first(in: text) != nil }
  }

  private static func hasAny(_ words: [WordFinder], _ text: String?) -> Bool {
    guard let text else { return false }
    return words.contains { $0.first(in: text) != nil }
  }

  private static func excerpt(_ text: String, _ words: [WordFinder]) -> String {
    excerpt(text, around: words.lazy.compactMap { $0.first(in: text) }.first ?? text.startIndex)
  }

  private static func excerpt(_ text: String, around found: String.Index) -> String {
    var start = text.index(found, offsetBy: -leadIn, limitedBy: text.startIndex) ?? text.startIndex
    if start != text.startIndex, let space = text[start..<found].firstIndex(where: \.isWhitespace) { start = space }
    let end = text.index(start, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
    return (start == text.startIndex ? "" : "…") + collapsed(text[start..<end]) + (end == text.endIndex ? "" : "…")
  }

  private static func collapsed(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// Finds a word or prefix in a text like the index does (`TextFolding`).
struct WordFinder {
  private let word: TextFolding.Finder
  /// The folded word, if it is ASCII.
  private let ascii: [UInt8]?

  init(_ word: String) {
    self.word = TextFolding.Finder(word)
    ascii = word.utf8.allSatisfy { $0 < 0x80 } ? Array(TextFolding.fold(word).utf8) : nil
  }

  func first(in text: String) -> String.Index? {
    if let ascii, let found = first(ascii, in: text) { return found }
    // For "Cafe" in "Café", "dont" in "Don't", "流動" and similar. Folding the text takes much longer.
    guard ascii == nil || text.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "'") }) else { return nil }
    return word.first(in: text)
  }

  /// Only at the start of a word.
  private func first(_ word: [UInt8], in text: String) -> String.Index? {
    guard let head = word.first else { return nil }
    var text = text
    let offset: Int? = text.withUTF8 { bytes in
      guard bytes.count >= word.count else { return nil }
      for start in 0...(bytes.count - word.count) where Self.lowered(bytes[start]) == head {
        if start > 0, Self.isWord(bytes[start - 1]) { continue }
        var length = 1
        while length < word.count, Self.lowered(bytes[start + length]) == word[length] { length += 1 }
        if length == word.count { return start }
      }
      return nil
    }
    return offset.map { text.utf8.index(text.startIndex, offsetBy: $0) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte >= 0x80
  }
}
