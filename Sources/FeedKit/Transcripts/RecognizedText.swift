import Foundation
import Model

/// Reads what recognisers of speech write: WebVTT, SubRip, JSON in three shapes, and Whisper's TSV. Unlike the
/// transcript of a publisher, which is shown as well as possible, a result without true times is refused.
public enum RecognizedText {
  /// The file extensions, in the order in which a result is looked for.
  public static let endings = ["vtt", "srt", "json", "tsv"]
  /// The largest result in bytes. A day of talk has less than 4 MB.
  public static let maxBytes = 20_000_000

  /// - Parameters:
  ///   - ending: one of `endings`.
  ///   - duration: of the sound, in seconds. Nil: unknown, so the end is not checked.
  public static func read(
    _ data: Data, ending: String, duration: Double?
  ) throws(RecognizedTextError) -> Transcript {
    guard data.count <= maxBytes else { throw .tooLarge }
    let text = TextBytes.string(data)
    let lines: [Transcript.Line]
    switch ending {
    case "json": do { lines = try TranscriptJSON.lines(text) } catch { throw .notATranscript }
    case "tsv": lines = tabSeparated(text)
    default: lines = CueReader.lines(text)
    }
    return try checked(lines, duration: duration)
  }

  /// Checks and joins lines in the order in which they were written.
  public static func checked(
    _ lines: [Transcript.Line], duration: Double?
  ) throws(RecognizedTextError) -> Transcript {
    // The readers stop at the limit.
    guard lines.count < TranscriptReader.lineLimit else { throw .tooManyLines }
    var checked: [Transcript.Line] = []
    var last = 0.0
    for var line in lines where !line.text.isEmpty {
      guard let start = line.start else { throw .noTimes }
      // Whisper's windows overlap by parts of a second.
      guard start >= last - 1 else { throw .backwards(from: last, to: start) }
      if let duration, start > duration + 2 { throw .pastEnd(start, duration: duration) }
      last = max(last, start)
      // A last window is often longer than the sound.
      line.end = line.end.map { max(start, min($0, duration ?? $0)) }
      checked.append(line)
    }
    guard !checked.isEmpty else { throw .empty }
    checked.sort { ($0.start ?? 0) < ($1.start ?? 0) }
    return Transcript(lines: TranscriptLines.joined(checked))
  }

  /// Whisper's `start`, `end` and `text`, in milliseconds, below a row with these names.
  private static func tabSeparated(_ text: String) -> [Transcript.Line] {
    text.split(whereSeparator: \.isNewline).compactMap { row in
      let fields = row.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, let start = Int(fields[0]), let end = Int(fields[1]), start >= 0 else { return nil }
      return Transcript.Line(
        start: Double(start) / 1000, end: Double(end) / 1000, text: HTMLDocument.plainText(String(fields[2])))
    }
  }
}

/// Reads the lines that a recogniser prints while it works, in the two usual shapes:
/// `[00:00:00.000 --> 00:00:02.760] text`, and SubRip or WebVTT.
public struct RecognizedLines {
  public private(set) var lines: [Transcript.Line] = []
  private var times: (start: Double, end: Double?)?
  private var text: [String] = []
  /// A number stands before each cue.
  private var isNumbered = false

  /// No more lines are read.
  public var isFull: Bool { lines.count >= TranscriptReader.lineLimit }

  public init() {}

  /// - Returns: whether a line is complete.
  @discardableResult
  public mutating func add(_ printed: String) -> Bool {
    let line = Substring(printed.trimmingCharacters(in: .whitespaces))
    if line.first == "[", let close = line.firstIndex(of: "]"),
      let times = CueReader.timing(line[line.index(after: line.startIndex)..<close])
    {
      finish()
      return append(times, String(line[line.index(after: close)...]))
    }
    if let times = CueReader.timing(line) {
      // The number of this cue. Empty lines do not arrive here, so it follows the text of the previous one.
      if isNumbered, let last = text.last, CueReader.isNumber(last) { text.removeLast() }
      let isComplete = finish()
      self.times = times
      return isComplete
    }
    if times == nil, text.isEmpty, CueReader.isNumber(line) { isNumbered = true }
    if times != nil, text.count < 8 { text.append(String(line)) }
    return false
  }

  /// Completes the last line.
  @discardableResult
  public mutating func finish() -> Bool {
    guard let times else { return false }
    self.times = nil
    defer { text = [] }
    return append(times, text.joined(separator: " "))
  }

  private mutating func append(_ times: (start: Double, end: Double?), _ text: String) -> Bool {
    let text = HTMLDocument.plainText(text)
    guard !text.isEmpty, !isFull else { return false }
    lines.append(Transcript.Line(start: times.start, end: times.end, text: text))
    return true
  }
}

/// Why the result of a recogniser is refused.
public enum RecognizedTextError: Error, Equatable, Sendable, CustomStringConvertible {
  case tooLarge
  case tooManyLines
  case empty
  case notATranscript
  case noTimes
  /// Seconds.
  case backwards(from: Double, to: Double)
  case pastEnd(Double, duration: Double)

  public var description: String {
    switch self {
    case .tooLarge: "it has more than \(RecognizedText.maxBytes / 1_000_000) MB"
    case .tooManyLines: "it has more than \(TranscriptReader.lineLimit) lines"
    case .empty: "there is no text in it"
    case .notATranscript: "it is not a transcript"
    case .noTimes: "it has text without times"
    case .backwards(let from, let to):
      "its times run backwards, from \(TimeText.clock(from)) to \(TimeText.clock(to))"
    case .pastEnd(let start, let duration):
      "it has a line at \(TimeText.clock(start)), but the sound is only \(TimeText.clock(duration)) long"
    }
  }
}
