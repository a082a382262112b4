import Model

/// Processing of lines that all formats share.
enum TranscriptLines {
  /// The durations in seconds after which a joined line ends at a full stop, and after which it ends in any case.
  private static let comfortable = 5.0
  private static let maxLength = 8.0
  /// A pause of this many seconds always ends a line.
  private static let pause = 1.5
  private static let characterLimit = 160

  /// Joins segments of one word, which speech recognition creates, to lines of five to eight seconds. Other lines
  /// stay unchanged.
  static func joined(_ lines: [Transcript.Line]) -> [Transcript.Line] {
    guard isWordByWord(lines) else { return lines }
    var result: [Transcript.Line] = []
    for line in lines {
      if let last = result.last, continues(last, line) {
        result[result.count - 1].text += (needsBlank(last.text, line.text) ? " " : "") + line.text
        result[result.count - 1].end = line.end ?? line.start
      } else {
        result.append(line)
      }
    }
    return result
  }

  /// Splits "Name: text", which marks the speaker. A name is short, capitalised and not a time.
  static func speakerAndText(_ text: String) -> (speaker: String?, text: String) {
    guard let colon = text.unicodeScalars.prefix(40).firstIndex(where: { $0 == ":" || $0 == "：" }) else {
      return (nil, text)
    }
    let name = text[..<colon]
    let rest = text[text.unicodeScalars.index(after: colon)...]
    guard let first = name.first, first.isLetter || first == "[",
      text.unicodeScalars[colon] == "：" || rest.isEmpty || rest.first == " ",
      isName(name), !name.contains(where: { ".,;!?\"“”".contains($0) && $0 != "." }),
      !name.hasSuffix("http"), !name.hasSuffix("https")
    else { return (nil, text) }
    let body = CleanText.line(String(rest))
    return body.isEmpty ? (nil, text) : (CleanText.line(String(name)), body)
  }

  /// At most four words, none in lower case.
  private static func isName(_ text: Substring) -> Bool {
    let words = text.split(separator: " ")
    return words.count <= 4 && words.allSatisfy { $0.first?.isLowercase == false }
  }

  /// Three quarters of the lines have one or two words, in a script with blanks.
  private static func isWordByWord(_ lines: [Transcript.Line]) -> Bool {
    let sample = lines.prefix(400)
    guard sample.count >= 4, sample.count(where: { $0.start != nil }) * 4 >= sample.count * 3 else { return false }
    let short = sample.count { $0.text.utf8.count <= 24 && $0.text.split(separator: " ").count <= 2 }
    return short * 4 >= sample.count * 3
  }

  private static func continues(_ last: Transcript.Line, _ next: Transcript.Line) -> Bool {
    guard let start = last.start, let nextStart = next.start, last.speaker == next.speaker else { return false }
    if startsWithMark(next.text) { return true }
    let length = (next.end ?? nextStart) - start
    if length > maxLength || nextStart - (last.end ?? nextStart) > pause { return false }
    if last.text.count + next.text.count > characterLimit { return false }
    let ended = last.text.last.map { ".!?。！？…".contains($0) } ?? false
    return !(ended && nextStart - start >= comfortable)
  }

  private static func startsWithMark(_ text: String) -> Bool {
    text.first.map { ".,;:!?)]}’”…%、。，！？；：".contains($0) } ?? false
  }

  private static func needsBlank(_ left: String, _ right: String) -> Bool {
    guard let last = left.unicodeScalars.last, let first = right.unicodeScalars.first else { return false }
    if startsWithMark(right) || "([{“‘¿¡".unicodeScalars.contains(last) { return false }
    // "it" + "'s", "twenty-" + "one"
    if first == "'" && right.unicodeScalars.count <= 3 || last == "-" { return false }
    return !(CleanText.isUnspaced(last) && CleanText.isUnspaced(first))
  }
}
