/// Why a picture cannot be shown.
public enum CoverArtError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A library that is not installed, or has another version than the program was built with.
  case libraryMissing(String)
  /// Not JPEG, PNG, GIF or WebP.
  case unknownFormat
  case tooLarge(bytes: Int)
  /// The picture is damaged, has an unsupported animation, or has too many pixels.
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
