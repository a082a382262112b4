/// Why chapters could not be read.
public enum ChaptersError: Error, Equatable, Sendable, CustomStringConvertible {
  /// More bytes than a list of chapters can reasonably have.
  case tooLarge(bytes: Int)
  /// Not JSON.
  case notJSON
  /// JSON without a list of chapters.
  case noChapters

  public var description: String {
    switch self {
    case .tooLarge(let bytes): "chapters: \(bytes) bytes are too many"
    case .notJSON: "chapters: this is not JSON"
    case .noChapters: "chapters: the JSON has no list of chapters"
    }
  }
}
