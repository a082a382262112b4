import Model

/// The kind of an enclosure, from its MIME type, or from the file extension if the type is unspecific.
enum MediaKind {
  static func isPlayable(_ enclosure: Enclosure) -> Bool {
    let type = enclosure.type?.lowercased() ?? ""
    if type.hasPrefix("audio/") || type.hasPrefix("video/") || type.hasPrefix("application/ogg") { return true }
    return isGeneric(type) && playable.contains(enclosure.url.addressExtension)
  }

  static func isPicture(_ enclosure: Enclosure) -> Bool {
    let type = enclosure.type?.lowercased() ?? ""
    return type.hasPrefix("image/") || isGeneric(type) && pictures.contains(enclosure.url.addressExtension)
  }

  /// Whether it counts as playable because media:content calls it so. A type that names something else is believed.
  static func isCalledPlayable(_ enclosure: Enclosure, medium: String?) -> Bool {
    (medium == "audio" || medium == "video") && isGeneric(enclosure.type?.lowercased() ?? "")
  }

  private static func isGeneric(_ type: String) -> Bool {
    !type.utf8.contains(UInt8(ascii: "/")) || type == "application/octet-stream" || type == "application/x-octet-stream"
      || type == "binary/octet-stream" || type == "application/force-download"
  }

  private static let playable: Set<String> = [
    "mp3", "m4a", "m4b", "ogg", "oga", "opus", "aac", "flac", "wav", "mp4", "m4v", "mov", "webm", "mkv", "m3u8", "wma",
    "aif", "aiff", "mka", "mpg", "mpeg", "ogv",
  ]
  private static let pictures: Set<String> = ["jpg", "jpeg", "png", "gif", "webp", "svg", "avif", "bmp"]
}
