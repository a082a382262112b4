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
