import Model

/// Finds chapters that show notes list as lines with times: `00:00 Intro`, `(12:34) – A topic`, `A topic 1:02:03`.
///
/// At least three lines must begin with a time, or all lines with times must end with one, and the times must rise
/// within the episode. `NotesChapterRules` refuses lists that are something else, such as transcripts and timetables.
public enum NotesChapters {
  /// A longer list is no table of contents.
  private static let maximum = 500
  private static let minimum = 3

  /// The chapters in order of time. Empty if the notes have no list of chapters.
  /// - Parameters:
  ///   - notes: HTML or plain text, as in the feed.
  ///   - duration: of the episode in seconds; nil if unknown.
  public static func find(in notes: String, duration: Double?) -> [Chapter] {
    // Most notes have no times. They need not be parsed.
    guard mayHaveTimes(notes) else { return [] }
    return find(in: HTMLDocument.parse(notes), duration: duration)
  }

  static func find(in document: Document, duration: Double?) -> [Chapter] {
    let lines = NotesLine.lines(of: document)
    let timed = lines.indices.filter { lines[$0].hasTime }
    guard timed.count >= minimum else { return [] }
    let starts = timed.filter { lines[$0].side == .start }
    if let chapters = chapters(starts, in: lines, duration: duration) { return chapters }
    let ends = timed.filter { lines[$0].side == .end }
    guard ends.count == timed.count else { return [] }
    return chapters(ends, in: lines, duration: duration) ?? []
  }

  private static func chapters(_ all: [Int], in lines: [NotesLine], duration: Double?) -> [Chapter]? {
    let listed = withoutRepetition(all, in: lines)
    guard (minimum...maximum).contains(listed.count) else { return nil }
    let titles = listed.map { title(of: $0, in: lines) }
    guard titles.count(where: { $0 != nil }) >= minimum else { return nil }
    let rules = NotesChapterRules(lines: lines, listed: listed, duration: duration)
    guard rules.accept else { return nil }
    return ChapterTimes.completed(
      zip(listed, titles).map { Chapter(start: lines[$0].second, title: $1, origin: .notes) })
  }

  /// Notes in two languages have the same list twice.
  private static func withoutRepetition(_ listed: [Int], in lines: [NotesLine]) -> [Int] {
    let half = listed.prefix(listed.count / 2)
    let isRepeated =
      listed.count.isMultiple(of: 2)
      && half.map { lines[$0].second } == listed.suffix(listed.count / 2).map { lines[$0].second }
    return isRepeated ? Array(half) : listed
  }

  /// The words of the line, or the next line if there are none.
  private static func title(of index: Int, in lines: [NotesLine]) -> String? {
    if let title = lines[index].title { return title }
    guard index + 1 < lines.count, !lines[index + 1].hasTime else { return nil }
    let next = lines[index + 1].text
    return next.isEmpty || next.count > NotesLine.longestTitle ? nil : next
  }

  /// Whether a text has three colons between digits. Escaped and full-width colons count, too.
  private static func mayHaveTimes(_ notes: String) -> Bool {
    var notes = notes
    return notes.withUTF8 { bytes in
      var found = 0
      for index in bytes.indices.dropFirst().dropLast() {
        let isColon =
          bytes[index] == UInt8(ascii: ":") && isDigit(bytes[index - 1]) && isDigit(bytes[index + 1])
          || bytes[index] == 0xBC && bytes[index - 1] == 0xEF && bytes[index + 1] == 0x9A
          || bytes[index] == UInt8(ascii: "#") && bytes[index - 1] == UInt8(ascii: "&")
        if isColon { found += 1 }
        if found == minimum { return true }
      }
      return false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
