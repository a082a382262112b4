import Foundation
import Model

/// Parses JSON transcripts of the podcast namespace (docs/examples/transcripts: `segments` with `startTime`,
/// `endTime`, `speaker`, `body`), those of Whisper (`start`, `end`, `text`), and those of whisper.cpp (`transcription`
/// with `offsets` in milliseconds). Bare lists may be in milliseconds.
enum TranscriptJSON {
  static func lines(_ text: String) throws(TranscriptError) -> [Transcript.Line] {
    guard let value = ForeignJSON.value(Data(text.utf8)) else { throw .notATranscript }
    let object = value as? [String: Any]
    guard let segments = (object?["segments"] ?? object?["transcription"] ?? object?["transcript"] ?? value) as? [Any]
    else {
      throw .notATranscript
    }
    let isScaled = value is [Any] && isInMilliseconds(segments)
    func seconds(_ time: Any?) -> Double? {
      isScaled ? number(time).flatMap { ChaptersJSON.seconds($0 / 1000) } : ChaptersJSON.seconds(time)
    }
    // A speaker applies until another one is named.
    var speaker: String?
    let lines = segments.prefix(TranscriptReader.lineLimit).compactMap { value -> Transcript.Line? in
      guard let segment = value as? [String: Any], let body = (segment["body"] ?? segment["text"]) as? String else {
        return nil
      }
      if let name = (segment["speaker"] as? String).map(CleanText.line), !name.isEmpty { speaker = name }
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

  private static func times(_ segment: [String: Any]) -> (start: Any?, end: Any?) {
    if let offsets = segment["offsets"] as? [String: Any] {
      return (number(offsets["from"]).map { $0 / 1000 }, number(offsets["to"]).map { $0 / 1000 })
    }
    return (segment["startTime"] ?? segment["start"], segment["endTime"] ?? segment["end"])
  }

  private static func number(_ time: Any?) -> Double? { (time as? NSNumber)?.doubleValue }

  /// All times are whole numbers, and as seconds most cues would be impossibly long: ten minutes, or one minute in a
  /// recording of more than a day.
  private static func isInMilliseconds(_ segments: [Any]) -> Bool {
    var lengths: [Double] = []
    var last = 0.0
    for case let segment as [String: Any] in segments.prefix(TranscriptReader.lineLimit) {
      let times = times(segment)
      guard let start = number(times.start), let end = number(times.end), start == start.rounded(),
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
