/// What a file of a folder is, by the ending of its name. The player reports a file that is something else.
public enum FileForm: Equatable {
  case sound, picture, cueSheet

  /// Content types of files that can be played. Of a video the sound is played.
  private static let types: [String: String] = [
    "mp3": "audio/mpeg", "mp2": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac",
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/opus", "spx": "audio/ogg", "flac": "audio/flac",
    "wav": "audio/wav", "aiff": "audio/aiff", "aif": "audio/aiff", "wma": "audio/x-ms-wma", "wv": "audio/x-wavpack",
    "ape": "audio/x-ape", "mka": "audio/x-matroska", "mp4": "video/mp4", "m4v": "video/mp4", "mkv": "video/x-matroska",
    "webm": "video/webm", "mov": "video/quicktime", "ogv": "video/ogg", "avi": "video/x-msvideo", "mpg": "video/mpeg",
  ]
  private static let pictures: Set = ["jpg", "jpeg", "png", "webp", "gif"]

  /// Nil for other files.
  public init?(_ path: [UInt8]) {
    let ending = Self.ending(of: path)
    if Self.types[ending] != nil {
      self = .sound
    } else if Self.pictures.contains(ending) {
      self = .picture
    } else if ending == "cue" {
      self = .cueSheet
    } else {
      return nil
    }
  }

  static func type(of path: [UInt8]) -> String? { types[ending(of: path)] }

  private static func ending(of path: [UInt8]) -> String {
    guard let dot = path.suffix(6).lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: path[path.index(after: dot)...], as: UTF8.self).lowercased()
  }
}
