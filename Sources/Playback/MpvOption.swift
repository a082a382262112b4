/// One option that the core is started with.
struct MpvOption: Equatable {
  var name: String
  var value: String
  /// Other versions of mpv may lack it, and playback is right without it.
  var mayBeAbsent = false

  init(_ name: String, _ value: String, mayBeAbsent: Bool = false) {
    self.name = name
    self.value = value
    self.mayBeAbsent = mayBeAbsent
  }
}

extension MpvOption {
  /// What every core gets, with the reason. Later rows win.
  static func table(for options: PlayerOptions) -> [MpvOption] {
    let rows: [MpvOption] = [
      // Nobody's configuration, scripts or keys: the player behaves the same on every machine.
      MpvOption("config", "no"),
      MpvOption("load-scripts", "no"),
      // Nor the scripts that are built in, which the option above leaves running: statistics, a console, pickers, each
      // with a thread and a Lua state. The console measures its font before anybody sees one: 5 MB, and 5 to 20 ms of
      // the first sound. 0.40 renamed `load-osd-console` and brought more.
      MpvOption("osc", "no", mayBeAbsent: true),
      MpvOption("load-stats-overlay", "no", mayBeAbsent: true),
      MpvOption("load-osd-console", "no", mayBeAbsent: true),
      MpvOption("load-console", "no", mayBeAbsent: true),
      MpvOption("load-auto-profiles", "no", mayBeAbsent: true),
      MpvOption("load-select", "no", mayBeAbsent: true),
      MpvOption("load-positioning", "no", mayBeAbsent: true),
      MpvOption("load-commands", "no", mayBeAbsent: true),
      MpvOption("input-default-bindings", "no"),
      MpvOption("input-vo-keyboard", "no"),
      // We keep the position, in the store.
      MpvOption("resume-playback", "no"),
      MpvOption("save-position-on-quit", "no"),
      // The terminal is ours: nothing is printed there, nothing read.
      MpvOption("terminal", "no"),
      // Sound only. A picture or subtitle would be decoded for nobody, or open a window.
      MpvOption("vid", "no"),
      MpvOption("sid", "no"),
      MpvOption("vo", "null"),
      MpvOption("audio-display", "no"),
      // The core outlives the files it plays.
      MpvOption("idle", "yes"),
      // At its end a file stays open and playing, so that its last position, bytes read and size can be asked for:
      // END_FILE alone cannot tell the end from a stream that broke off.
      MpvOption("keep-open", "yes"),
      MpvOption("keep-open-pause", "no"),
      // A file that follows is opened as soon as this one has been read to its end.
      MpvOption("prefetch-playlist", "yes"),
      // Only the address we chose is opened: no web pages through youtube-dl, no neighbours of the file, and no
      // playlist, cue sheet or edit list (formats of mpv's own demuxers) that would name other files.
      MpvOption("ytdl", "no", mayBeAbsent: true),
      MpvOption("autoload-files", "no"),
      MpvOption("load-unsafe-playlists", "no"),
      MpvOption("demuxer", "lavf"),
      // The default is not to look at certificates.
      MpvOption("tls-verify", "yes"),
      MpvOption("user-agent", options.userAgent),
      // Without data for that long a connection is given up. The default is a minute.
      MpvOption("network-timeout", "\(options.networkTimeout)"),
      // A cut stream is asked for again from the byte where it stopped. mpv's own settings give up when the server
      // refuses the first new connection, and report a plain end of file.
      MpvOption(
        "stream-lavf-o",
        "reconnect_on_network_error=1,reconnect_on_http_error=5xx,reconnect_delay_max=\(options.reconnectSeconds)"),
      // An mp3 frame borrows bits from the frames before it; after a seek right to it, up to 0.15 s (0.35 s at low
      // rates) would be silent. Seek half a second earlier, and decode up to the target.
      MpvOption("hr-seek-demuxer-offset", "0.5"),
      // Memory: the default is 150 MiB ahead and 50 MiB behind, most of an episode twice.
      MpvOption("demuxer-max-bytes", "\(options.bufferBytes)"),
      MpvOption("demuxer-max-back-bytes", "\(options.bufferBytes / 2)"),
      // What mixers show.
      MpvOption("audio-client-name", "earshot"),
      // Speech keeps its pitch at any speed (the default, but everything here depends on it).
      MpvOption("audio-pitch-correction", "yes"),
      MpvOption("volume-max", "150"),
    ]
    let device = options.device.map { [MpvOption("audio-device", $0)] } ?? []
    let ipc = options.ipcSocket.map { [MpvOption("input-ipc-server", $0)] } ?? []
    return rows + device + ipc + options.output.rows + options.overrides
  }
}

extension PlayerOptions.Output {
  fileprivate var rows: [MpvOption] {
    switch self {
    case .system: []
    case .null(let isTimed): [MpvOption("ao", "null"), MpvOption("ao-null-untimed", isTimed ? "no" : "yes")]
    case .wave(let path): [MpvOption("ao", "pcm"), MpvOption("ao-pcm-file", path), MpvOption("audio-format", "s16")]
    case .raw(let path): Self.wave(path: path).rows + [MpvOption("ao-pcm-waveheader", "no")]
    case .named(let name): [MpvOption("ao", name)]
    }
  }
}
