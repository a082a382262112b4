/// Why a transcript could not be read.
public enum TranscriptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// More bytes than a transcript can reasonably have.
  case tooLarge(bytes: Int)
  /// There is no text to show.
  case empty
  /// The JSON is not a transcript.
  case notATranscript

  public var description: String {
    switch self {
    case .tooLarge(let bytes): "transcript: \(bytes) bytes are too many"
    case .empty: "transcript: there is no text in it"
    case .notATranscript: "transcript: this JSON is not a transcript"
    }
  }
}
