import Foundation
import Model

/// Writes a transcript as WebVTT (W3C TR webvtt1) or SubRip. Lines without a time are left out. A line without an end
/// lasts until the next one.
public enum TranscriptWriter {
  public static func webVTT(_ transcript: Transcript) -> [String] {
    ["WEBVTT", ""]
      + cues(transcript).flatMap { cue in
        let voice = cue.line.speaker.map { "<v \(escaped($0))>" } ?? ""
        return ["\(time(cue.start, ".")) --> \(time(cue.end, "."))", voice + escaped(cue.line.text), ""]
      }
  }

  public static func subRip(_ transcript: Transcript) -> [String] {
    cues(transcript).enumerated().flatMap { index, cue in
      let speaker = cue.line.speaker.map { "\($0): " } ?? ""
      return ["\(index + 1)", "\(time(cue.start, ",")) --> \(time(cue.end, ","))", speaker + cue.line.text, ""]
    }
  }

  private static func cues(_ transcript: Transcript) -> [(start: Double, end: Double, line: Transcript.Line)] {
    let timed = transcript.lines.compactMap { line in line.start.map { (start: $0, line: line) } }
    return timed.enumerated().map { index, cue in
      let next = index + 1 < timed.count ? timed[index + 1].start : cue.start + 5
      return (cue.start, max(cue.start, cue.line.end ?? next), cue.line)
    }
  }

  private static func time(_ seconds: Double, _ mark: String) -> String {
    let thousandths = Int64((min(max(0, seconds), MediaTime.maximum) * 1000).rounded())
    let (whole, rest) = (thousandths / 1000, thousandths % 1000)
    return String(format: "%02lld:%02lld:%02lld%@%03lld", whole / 3600, whole / 60 % 60, whole % 60, mark, rest)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
