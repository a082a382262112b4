/// Why there is no picture.
public enum CoverArtError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A library that is not installed, or is another version than this program was built with.
  case libraryMissing(String)
  /// Neither JPEG, PNG, GIF nor WebP.
  case unknownFormat
  case tooLarge(bytes: Int)
  /// Damaged, animated in a way the decoder does not know, or of more pixels than any cover has.
  case undecodable

  public var description: String {
    switch self {
    case .libraryMissing(let name): "cover art: \(name) is missing"
    case .unknownFormat: "cover art: neither JPEG, PNG, GIF nor WebP"
    case .tooLarge(let bytes): "cover art: \(bytes) bytes are too many"
    case .undecodable: "cover art: the picture is damaged or too large"
    }
  }
}
