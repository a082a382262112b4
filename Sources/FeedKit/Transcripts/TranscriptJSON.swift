import Foundation
import Model

/// Parses JSON transcripts of the podcast namespace (docs/examples/transcripts: `segments` with `startTime`,
/// `endTime`, `speaker`, `body`), and those of Whisper (`start`, `end`, `text`).
enum TranscriptJSON {
  static func lines(_ text: String) throws(TranscriptError) -> [Transcript.Line] {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    } catch {
      throw .notATranscript
    }
    let object = value as? [String: Any]
    guard let segments = (object?["segments"] ?? object?["transcript"] ?? value) as? [Any] else {
      throw .notATranscript
    }
    // A speaker applies until another one is named.
    var speaker: String?
    return segments.prefix(TranscriptReader.lineLimit).compactMap { value -> Transcript.Line? in
      guard let segment = value as? [String: Any], let body = (segment["body"] ?? segment["text"]) as? String else {
        return nil
      }
      if let name = (segment["speaker"] as? String).map(CleanText.line), !name.isEmpty { speaker = name }
      let line = HTMLDocument.plainText(body)
      guard !line.isEmpty else { return nil }
      let start = ChaptersJSON.seconds(segment["startTime"] ?? segment["start"]).map { max(0, $0) }
      return Transcript.Line(
        start: start, end: ChaptersJSON.seconds(segment["endTime"] ?? segment["end"]), speaker: speaker, text: line)
    }
  }
}
