import CAVUtil
import Model

/// The libraries for pictures, for `earshot doctor`.
public enum CoverLibraries {
  public static func check() -> [OptionalLibrary] {
    let chafa = try? ChafaLibrary()
    let decoder = try? PictureDecoder()
    let releases = PictureDecoder.releases
    return [
      OptionalLibrary(
        name: "chafa", wanted: ChafaLibrary.names[0], found: chafa.map { _ in ChafaLibrary.names[0] },
        loss: "no pictures"),
      OptionalLibrary(
        name: "FFmpeg", wanted: "releases \(releases.lowerBound) to \(releases.upperBound)",
        found: decoder.map { "release \($0.release), libavcodec \(earshot_avcodec_major($0.release))" },
        loss: "no pictures, and no search with a key of Podcast Index"),
    ]
  }
}

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
