import FeedKit
import Foundation

/// What kind of file an enclosure is: its ending, and whether what came can be it.
enum MediaType {
  /// Endings that files keep, and types that say them (IANA, and what feeds write).
  private static let endings: [String: String] = [
    "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/x-mp3": "mp3", "audio/mpeg3": "mp3", "audio/x-mpeg": "mp3",
    "audio/mp4": "m4a", "audio/x-m4a": "m4a", "audio/m4a": "m4a", "audio/aac": "aac", "audio/aacp": "aac",
    "audio/ogg": "ogg", "application/ogg": "ogg", "audio/vorbis": "ogg", "audio/opus": "opus", "audio/flac": "flac",
    "audio/x-flac": "flac", "audio/wav": "wav", "audio/x-wav": "wav", "audio/webm": "webm", "audio/x-ms-wma": "wma",
    "video/mp4": "mp4", "video/x-m4v": "m4v", "video/quicktime": "mov", "video/webm": "webm", "video/ogg": "ogv",
    "video/x-matroska": "mkv", "video/mpeg": "mpg",
  ]
  private static let known = Set(endings.values).union(["m4b", "mp2", "oga", "spx", "aiff", "aif", "mka", "avi"])

  /// The ending of the address when it is one of media, else that of the type, else mp3.
  static func ending(address: String, type: String?) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    if let dot = path.lastIndex(of: "."), !path[dot...].contains("/") {
      let ending = path[path.index(after: dot)...].lowercased()
      if known.contains(ending) { return ending }
    }
    return essence(type).flatMap { endings[$0] } ?? "mp3"
  }

  /// The largest page that is taken for an error message rather than for a file with a wrong type (AntennaPod's rule).
  static let pageLimit: Int64 = 100_000

  /// Whether type and length say that a page came. Larger answers of these types are files behind careless servers.
  static func isPage(_ type: String?, length: Int64?) -> Bool {
    guard let type = essence(type) else { return false }
    guard let length else { return type == "text/html" || type == "application/xhtml+xml" }
    guard length < pageLimit else { return false }
    return type.hasPrefix("text/") || type == "application/json" || type == "application/xml"
      || type.hasSuffix("+json") || type.hasSuffix("+xml")
  }

  /// HTML, whatever its type says: a page to log in at answers in place of every file.
  static func looksLikeHTML(_ bytes: some Sequence<UInt8>) -> Bool {
    let text = String(decoding: Array(bytes.prefix(512)), as: UTF8.self).drop(while: {
      $0.isWhitespace || $0 == "\u{FEFF}"
    })
    let start = text.prefix(14).lowercased()
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html") || start.hasPrefix("<head")
  }

  /// `type/subtype` in lower case, without parameters.
  private static func essence(_ type: String?) -> String? {
    guard let type else { return nil }
    let text = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    return text.isEmpty ? nil : text
  }
}
