/// A warning or error of mpv or FFmpeg.
struct LogLine: Equatable {
  /// Who speaks: `ffmpeg`, `stream`, `file`, `ao/alsa`, …
  var source: String
  /// One line, without control characters: it quotes addresses and headers, which come from outside.
  var text: String

  init(source: String, text: String) {
    self.source = source
    let clean = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    self.text = String(String(String.UnicodeScalarView(clean)).prefix(300))
  }
}
