/// A file format for clips, chosen by the file extension.
public enum ClipFormat: String, Sendable, CaseIterable {
  case mp3, m4a, opus, ogg, flac, wav

  /// - Parameter path: a path with one of these extensions, in upper or lower case. Nil for any other.
  public init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    self.init(rawValue: path[path.index(after: dot)...].lowercased())
  }

  /// FFmpeg's names for the container and the encoder, and encoder settings. 128 kbit/s is more than enough for
  /// speech. Vorbis chooses its own rate, because it refuses rates that do not suit the sound. Nil for WAVE, which
  /// mpv writes without an encoder (its encoder would pad the file with silence).
  var encoding: (container: String, codec: String, settings: String?)? {
    switch self {
    case .mp3: ("mp3", "libmp3lame", "b=128k")
    case .m4a: ("ipod", "aac", "b=128k")
    case .opus: ("opus", "libopus", "b=96k")
    case .ogg: ("ogg", "libvorbis", nil)
    case .flac: ("flac", "flac", nil)
    case .wav: nil
    }
  }
}

/// Why a clip was not exported. No file is left behind.
public enum ClipExportError: Error, Sendable, Equatable {
  /// The source could not be read: not reachable, not audio, or shorter than the clip. Words for the user.
  case source(String)
  /// The target file cannot be created.
  case target(path: String, why: String)
  /// The target file could not be written to the end, such as on a full disk.
  case unwritten(path: String, why: String)
  /// The file extension is not a supported format.
  case format(path: String)
}

extension ClipExportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .source(let why): "The clip was not exported: \(why)."
    case .target(let path, let why), .unwritten(let path, let why): "\(path) cannot be written: \(why)."
    case .format(let path):
      "\(path): the name must end in one of \(ClipFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: " "))."
    }
  }
}
