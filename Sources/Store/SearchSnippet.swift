import Foundation
import Model

/// The piece of an episode's texts that a hit shows, and the time it stands for.
struct SearchSnippet: Equatable {
  var text: String
  /// Seconds, when the words were found in a chapter or a line of the transcript.
  var time: Double?

  /// Characters before the word, and in all.
  private static let (lead, length) = (40, 160)

  init(words: [String], notes: String, chapters: [Chapter], transcript: Transcript?) {
    if let text = Self.excerpt(notes, words) {
      self.text = text
    } else if let chapter = chapters.first(where: { Self.find(words, in: $0.title ?? "") != nil }) {
      (text, time) = (chapter.title ?? "", chapter.start)
    } else if let line = transcript?.lines.first(where: { Self.find(words, in: $0.text) != nil }) {
      (text, time) = (Self.excerpt(line.text, words) ?? line.text, line.start)
    } else {
      // Found in the title or among the people: the notes' beginning says what it is about.
      text = Self.squashed(notes.prefix(Self.length))
    }
  }

  private static func find(_ words: [String], in text: String) -> Range<String.Index>? {
    words.lazy.compactMap {
      text.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive])
    }.first
  }

  private static func excerpt(_ text: String, _ words: [String]) -> String? {
    guard let found = find(words, in: text) else { return nil }
    var start = text.index(found.lowerBound, offsetBy: -lead, limitedBy: text.startIndex) ?? text.startIndex
    if start != text.startIndex, let space = text[start..<found.lowerBound].firstIndex(where: \.isWhitespace) {
      start = space
    }
    let end = text.index(start, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
    return (start == text.startIndex ? "" : "…") + squashed(text[start..<end]) + (end == text.endIndex ? "" : "…")
  }

  private static func squashed(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
