/// A kind of file that a clip can be written as, known by the name's ending.
public enum ClipFormat: String, Sendable, CaseIterable {
  case mp3, m4a, opus, ogg, flac, wav

  /// - Parameter path: a name with one of these endings, in any case; nil for another one.
  public init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    self.init(rawValue: path[path.index(after: dot)...].lowercased())
  }

  /// FFmpeg's names: the container, the encoder, and its settings. Speech at 128 kbit/s is beyond reproach. Vorbis is
  /// left its own choice, as it refuses rates that do not suit the sound. Nil for WAVE, which needs no encoder (and
  /// mpv's would fill it up with silence).
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
