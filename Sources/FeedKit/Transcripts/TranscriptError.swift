/// Why a transcript could not be read.
public enum TranscriptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// More bytes than the transcript of any episode has.
  case tooLarge(bytes: Int)
  /// Nothing in it that could be shown.
  case empty
  /// JSON that is no transcript.
  case notATranscript

  public var description: String {
    switch self {
    case .tooLarge(let bytes): "transcript: \(bytes) bytes are too many"
    case .empty: "transcript: there is no text in it"
    case .notATranscript: "transcript: this JSON is not a transcript"
    }
  }
}
