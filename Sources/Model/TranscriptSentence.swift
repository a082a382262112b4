extension Transcript {
  /// The sentence that is said at a second, with the lines before and after that belong to it. Nil without times, and
  /// where nothing is said.
  public func sentence(at second: Double) -> String? {
    guard let index = lines.lastIndex(where: { $0.start.map { $0 <= second } ?? false }),
      let start = lines[index].start,
      (lines[index].end ?? lines[safe: index + 1]?.start ?? start + Self.longestLine) > second - Self.pause
    else { return nil }
    var range = index...index
    while range.lowerBound > 0, lines[range.lowerBound - 1].speaker == lines[index].speaker,
      !Self.endsSentence(lines[range.lowerBound - 1].text), text(of: range).count < Self.longestText
    {
      range = (range.lowerBound - 1)...range.upperBound
    }
    while range.upperBound + 1 < lines.count, lines[range.upperBound + 1].speaker == lines[index].speaker,
      !Self.endsSentence(lines[range.upperBound].text), text(of: range).count < Self.longestText
    {
      range = range.lowerBound...(range.upperBound + 1)
    }
    let text = text(of: range)
    return text.isEmpty ? nil : text.count > Self.longestText ? text.prefix(Self.longestText - 1) + "…" : text
  }

  /// Seconds that a line without an end is shown.
  private static let longestLine = 10.0
  /// Seconds of silence after a sentence in which it still is the last one.
  private static let pause = 5.0
  /// In characters.
  private static let longestText = 300

  private func text(of range: ClosedRange<Int>) -> String {
    lines[range].map(\.text).joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func endsSentence(_ text: String) -> Bool {
    let end = text.last { !$0.isWhitespace && !"\"'”’»)".contains($0) }
    return end.map { ".!?…。！？".contains($0) } ?? true
  }
}
