import Model

/// What an enclosure holds, from its MIME type or, where that says nothing, the ending of its address.
enum MediaKind {
  static func isPlayable(_ enclosure: Enclosure) -> Bool {
    let type = enclosure.type?.lowercased() ?? ""
    if type.hasPrefix("audio/") || type.hasPrefix("video/") || type.hasPrefix("application/ogg") { return true }
    return saysNothing(type) && playable.contains(ending(enclosure.url))
  }

  static func isPicture(_ enclosure: Enclosure) -> Bool {
    let type = enclosure.type?.lowercased() ?? ""
    return type.hasPrefix("image/") || saysNothing(type) && pictures.contains(ending(enclosure.url))
  }

  private static func saysNothing(_ type: String) -> Bool {
    !type.utf8.contains(UInt8(ascii: "/")) || type == "application/octet-stream" || type == "application/x-octet-stream"
      || type == "binary/octet-stream" || type == "application/force-download"
  }

  /// Lower case, without query.
  private static func ending(_ address: String) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: "."), path.distance(from: dot, to: path.endIndex) <= 5 else { return "" }
    return path[path.index(after: dot)...].lowercased()
  }

  private static let playable: Set<String> = [
    "mp3", "m4a", "m4b", "ogg", "oga", "opus", "aac", "flac", "wav", "mp4", "m4v", "mov", "webm", "mkv", "m3u8", "wma",
    "aif", "aiff", "mka", "mpg", "mpeg", "ogv",
  ]
  private static let pictures: Set<String> = ["jpg", "jpeg", "png", "gif", "webp", "svg", "avif", "bmp"]
}
