import Model

/// Parses plain text: one line per paragraph, with times and names at the start of a line ("[00:12] Anna: Hello").
enum PlainTranscript {
  static func lines(_ text: String) -> [Transcript.Line] {
    CleanText.lines(text).lazy.filter { !$0.isEmpty }.prefix(TranscriptReader.lineLimit).map { line in
      let (start, rest) = time(line)
      let (speaker, spoken) = TranscriptLines.speakerAndText(rest)
      return Transcript.Line(start: start, speaker: speaker, text: spoken)
    }
  }

  private static func time(_ line: String) -> (Double?, String) {
    guard let first = line.first, first == "[" || first == "(" || first.isNumber else { return (nil, line) }
    let head = line.dropFirst(first.isNumber ? 0 : 1)
    let digits = head.prefix { "0123456789:.".contains($0) }
    guard digits.contains(":"), let seconds = NormalPlayTime.parse(String(digits)) else { return (nil, line) }
    let rest = CleanText.line(String(head.dropFirst(digits.count).drop { "])- –".contains($0) }))
    return rest.isEmpty ? (nil, line) : (seconds, rest)
  }
}
