/// The length of an episode from its notes, for feeds that have it nowhere else: `(34:10)` at the beginning or the end.
///
/// Notes are full of times: of chapters, of broadcasts, of verses of the Bible. So it must be the only time in the
/// notes, alone in its parentheses.
enum NotesLength {
  /// Seconds. Nil if the notes do not have it, or other times as well.
  static func seconds(in notes: String) -> Int? {
    // Most notes have no such time, and this is the cheapest question.
    guard notes.utf8.count <= 100_000, notes.holds(UInt8(ascii: "(")),
      let match = notes.firstMatch(of: /\((\d{1,2}:\d{2}(?::\d{2})?)\)/),
      let seconds = FeedScalar.duration(String(match.1)), notes.matches(of: /\d:\d{2}(?::\d{2})?/).count == 1
    else { return nil }
    let isAtEdge = isEmpty(notes[..<match.range.lowerBound]) || isEmpty(notes[match.range.upperBound...])
    return isAtEdge ? seconds : nil
  }

  /// Whether there is nothing but tags and white space.
  private static func isEmpty(_ text: Substring) -> Bool {
    text.replacing(/<[^>]*>/, with: "").allSatisfy { $0.isWhitespace || $0 == "." }
  }
}
