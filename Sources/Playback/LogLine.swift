/// A warning or an error from mpv's log, which includes FFmpeg's.
struct LogLine: Equatable {
  /// The module that logged it: `ffmpeg`, `stream`, `file`, `ao/alsa`, …
  var source: String
  /// One line without control characters. It can quote addresses and headers from the network.
  var text: String

  init(source: String, text: String) {
    self.source = source
    let clean = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    self.text = String(String(String.UnicodeScalarView(clean)).prefix(300))
  }
}
