import Foundation
import Model

/// The file extension of an enclosure, and whether a response can be media.
enum MediaType {
  /// File extensions by content type (IANA types, and others found in feeds).
  private static let extensions: [String: String] = [
    "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/x-mp3": "mp3", "audio/mpeg3": "mp3", "audio/x-mpeg": "mp3",
    "audio/mp4": "m4a", "audio/x-m4a": "m4a", "audio/m4a": "m4a", "audio/aac": "aac", "audio/aacp": "aac",
    "audio/ogg": "ogg", "application/ogg": "ogg", "audio/vorbis": "ogg", "audio/opus": "opus", "audio/flac": "flac",
    "audio/x-flac": "flac", "audio/wav": "wav", "audio/x-wav": "wav", "audio/webm": "webm", "audio/x-ms-wma": "wma",
    "video/mp4": "mp4", "video/x-m4v": "m4v", "video/quicktime": "mov", "video/webm": "webm", "video/ogg": "ogv",
    "video/x-matroska": "mkv", "video/mpeg": "mpg",
  ]
  private static let known = Set(extensions.values).union(["m4b", "mp2", "oga", "spx", "aiff", "aif", "mka", "avi"])

  /// The extension in the address if it is a media extension, else that of the content type, else mp3.
  static func fileExtension(address: String, type: String?) -> String {
    // The first choice of the program that finds the sound behind a page.
    if VideoPage.isAddress(address) || type == VideoPage.mediaType { return "m4a" }
    let name = address.addressExtension
    if known.contains(name) { return name }
    return essence(type).flatMap { extensions[$0] } ?? "mp3"
  }

  /// Pages up to this size count as error messages, not as files with a wrong type (AntennaPod's rule).
  static let pageLimit: Int64 = 100_000

  /// Whether content type and length indicate a web page. Larger responses with these types are media from
  /// misconfigured servers.
  static func isPage(_ type: String?, length: Int64?) -> Bool {
    guard let type = essence(type) else { return false }
    guard let length else { return type == "text/html" || type == "application/xhtml+xml" }
    guard length < pageLimit else { return false }
    return type.hasPrefix("text/") || type == "application/json" || type == "application/xml"
      || type.hasSuffix("+json") || type.hasSuffix("+xml")
  }

  /// The manifest format that content type and length indicate. A large response with such a type is media from a
  /// misconfigured server.
  static func manifest(_ type: String?, length: Int64?) -> FileKind.Manifest? {
    guard length ?? 0 < manifestLimit, let type = essence(type) else { return nil }
    return manifests[type]
  }

  /// Bytes. The manifest of a day of short segments has about a megabyte.
  private static let manifestLimit: Int64 = 2_000_000
  private static let manifests: [String: FileKind.Manifest] = [
    "application/vnd.apple.mpegurl": .hls, "application/dash+xml": .dash, "application/vnd.ms-sstr+xml": .smooth,
    "audio/x-scpls": .pls, "application/pls+xml": .pls, "application/xspf+xml": .xspf, "video/x-ms-asx": .asx,
    "application/smil+xml": .smil,
  ]

  /// `type/subtype` in lower case, without parameters.
  private static func essence(_ type: String?) -> String? {
    guard let type else { return nil }
    let text = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    return text.isEmpty ? nil : text
  }
}
