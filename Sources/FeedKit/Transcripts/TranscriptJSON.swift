import Model

/// Parses JSON transcripts of the podcast namespace (docs/examples/transcripts: `segments` with `startTime`,
/// `endTime`, `speaker`, `body`), those of Whisper (`start`, `end`, `text`), and those of whisper.cpp (`transcription`
/// with `offsets` in milliseconds). Bare lists may be in milliseconds.
enum TranscriptJSON {
  static func lines(_ text: String) throws(TranscriptError) -> [Transcript.Line] {
    guard let value = JSONValue(text),
      let segments = (value["segments"] ?? value["transcription"] ?? value["transcript"] ?? value).array
    else {
      throw .notATranscript
    }
    let isScaled = value.array != nil && isInMilliseconds(segments)
    func seconds(_ time: JSONValue?) -> Double? { isScaled ? time?.thousandth?.seconds : time?.seconds }
    // A speaker applies until another one is named.
    var speaker: String?
    let lines = segments.prefix(TranscriptReader.lineLimit).compactMap { value -> Transcript.Line? in
      guard case .object(let segment) = value, let body = (segment["body"] ?? segment["text"])?.string else {
        return nil
      }
      if let name = segment["speaker"]?.string.map(CleanText.line), !name.isEmpty { speaker = name }
      let line = HTMLDocument.plainText(body)
      guard !line.isEmpty else { return nil }
      let (start, end) = times(segment)
      return Transcript.Line(
        start: seconds(start).map { max(0, $0) }, end: seconds(end), speaker: speaker, text: line)
    }
    return zip(lines, RollingCaptions.unrolled(lines.map { [$0.text] })).compactMap { line, rest in
      rest.isEmpty ? nil : Transcript.Line(start: line.start, end: line.end, speaker: line.speaker, text: rest[0])
    }
  }

  private static func times(_ segment: [String: JSONValue]) -> (start: JSONValue?, end: JSONValue?) {
    if case .object(let offsets)? = segment["offsets"] {
      return (offsets["from"]?.thousandth, offsets["to"]?.thousandth)
    }
    return (segment["startTime"] ?? segment["start"], segment["endTime"] ?? segment["end"])
  }

  /// All times are whole numbers, and as seconds most cues would be impossibly long: ten minutes, or one minute in a
  /// recording of more than a day.
  private static func isInMilliseconds(_ segments: [JSONValue]) -> Bool {
    var lengths: [Double] = []
    var last = 0.0
    for case .object(let segment) in segments.prefix(TranscriptReader.lineLimit) {
      let times = times(segment)
      guard let start = times.start?.number, let end = times.end?.number, start == start.rounded(),
        end == end.rounded()
      else { return false }
      lengths.append(end - start)
      last = max(last, end)
    }
    guard !lengths.isEmpty else { return false }
    let median = lengths.sorted()[lengths.count / 2]
    return median > 600 || median > 60 && last > 86_400
  }
}

extension JSONValue {
  /// Seconds, if this is a number of milliseconds.
  fileprivate var thousandth: JSONValue? { number.map { .number($0 / 1000) } }
}
