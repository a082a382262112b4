import Foundation
import Model

/// Parses transcripts of all formats of podcast:transcript.
public enum TranscriptReader {
  /// A day of talk has less than 4 MB of SRT. JSON with one segment per word is ten times as large.
  static let maxBytes = 48_000_000
  static let lineLimit = 200_000

  /// Parses a transcript. The format is detected from the text if possible, else from `type` (a media type), then
  /// from the extension of `url`; otherwise it is plain text. HTML instead of JSON, WebVTT or SubRip is an error.
  ///
  /// The lines are cleaned (see `CleanText`), in order of time, and not empty.
  public static func read(_ data: Data, type: String? = nil, url: String? = nil) throws(TranscriptError) -> Transcript {
    guard data.count <= maxBytes else { throw .tooLarge(bytes: data.count) }
    let text = TextBytes.string(data)
    var lines: [Transcript.Line]
    switch try format(of: text, type: type, url: url) {
    case .json: lines = try TranscriptJSON.lines(text)
    case .webVTT, .subRip: lines = CueReader.lines(text)
    case .html: lines = TranscriptHTML.lines(text)
    case .plain: lines = PlainTranscript.lines(text)
    }
    lines = Array(lines.prefix(lineLimit))
    if lines.allSatisfy({ $0.start != nil }) { lines.sort { ($0.start ?? 0) < ($1.start ?? 0) } }
    lines = TranscriptLines.joined(lines)
    guard !lines.isEmpty else { throw .empty }
    return Transcript(lines: lines)
  }

  /// The transcript to fetch: the one in the best format.
  public static func preferred(_ links: [TranscriptLink]) -> TranscriptLink? { sorted(links).first }

  /// The best one first.
  public static func sorted(_ links: [TranscriptLink]) -> [TranscriptLink] {
    func rank(_ link: TranscriptLink) -> Int {
      let format = TranscriptFormat.ofType(link.type) ?? TranscriptFormat.ofAddress(link.url)
      return format?.rawValue ?? TranscriptFormat.allCases.count
    }
    return links.sorted { rank($0) < rank($1) }
  }

  private static func format(of text: String, type: String?, url: String?) throws(TranscriptError) -> TranscriptFormat {
    let named = TranscriptFormat.ofType(type) ?? TranscriptFormat.ofAddress(url) ?? .plain
    // Servers send SRT and VTT as text/plain. So the detected format takes precedence.
    guard let seen = TranscriptFormat.sniffed(text[...]) else { return named == .json ? .plain : named }
    // Servers answer with a page if the file is missing, and networks if the listener must log in.
    if seen == .html, [.json, .webVTT, .subRip].contains(named) { throw .webPage }
    return seen
  }
}

/// Why a transcript could not be read.
public enum TranscriptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// More bytes than a transcript can reasonably have.
  case tooLarge(bytes: Int)
  /// There is no text to show.
  case empty
  /// The JSON is not a transcript.
  case notATranscript
  /// HTML, although the feed names another format.
  case webPage

  public var description: String {
    switch self {
    case .tooLarge(let bytes): "transcript: \(bytes) bytes are too many"
    case .empty: "transcript: there is no text in it"
    case .notATranscript: "transcript: this JSON is not a transcript"
    case .webPage: "transcript: a web page came instead"
    }
  }
}
