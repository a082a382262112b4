/// One option that the core is started with.
struct MpvOption: Equatable {
  var name: String
  var value: String
  /// Some versions of mpv lack this option, and playback works without it.
  var mayBeAbsent = false

  init(_ name: String, _ value: String, mayBeAbsent: Bool = false) {
    self.name = name
    self.value = value
    self.mayBeAbsent = mayBeAbsent
  }
}

extension MpvOption {
  /// The options of every core, with reasons. Later rows override earlier ones.
  static func table(for options: PlayerOptions) -> [MpvOption] {
    let rows: [MpvOption] = [
      // No user configuration, scripts or key bindings: the player behaves the same on every machine.
      MpvOption("config", "no"),
      MpvOption("load-scripts", "no"),
      // The built-in scripts (statistics, console, pickers) are off too; `load-scripts` does not cover them. Each has
      // a thread and a Lua state. The console measures its font at the start, which costs 5 MB and delays the first
      // sound by 5 to 20 ms. mpv 0.40 renamed `load-osd-console` and added more scripts.
      MpvOption("osc", "no", mayBeAbsent: true),
      MpvOption("load-stats-overlay", "no", mayBeAbsent: true),
      MpvOption("load-osd-console", "no", mayBeAbsent: true),
      MpvOption("load-console", "no", mayBeAbsent: true),
      MpvOption("load-auto-profiles", "no", mayBeAbsent: true),
      MpvOption("load-select", "no", mayBeAbsent: true),
      MpvOption("load-positioning", "no", mayBeAbsent: true),
      MpvOption("load-commands", "no", mayBeAbsent: true),
      MpvOption("load-context-menu", "no", mayBeAbsent: true),
      MpvOption("input-default-bindings", "no"),
      MpvOption("input-vo-keyboard", "no"),
      // Positions are kept in Earshot's library.
      MpvOption("resume-playback", "no"),
      MpvOption("save-position-on-quit", "no"),
      // The terminal belongs to the user interface: mpv must not print there or read from it.
      MpvOption("terminal", "no"),
      // Sound only. A picture or subtitle would be decoded for nothing, or open a window.
      MpvOption("vid", "no"),
      MpvOption("sid", "no"),
      MpvOption("vo", "null"),
      MpvOption("audio-display", "no"),
      // The core keeps running between files.
      MpvOption("idle", "yes"),
      // What a client of `input-ipc-server` changes for one file does not change the next one.
      MpvOption("reset-on-next-file", "aid,mute,loop-file,ab-loop-a,ab-loop-b,audio-delay,edition"),
      // A file stays open at its end, so that its last position, bytes read and size can be read. MPV_EVENT_END_FILE
      // alone does not tell the real end from a broken stream. mpv pauses when the device has played the last sample.
      MpvOption("keep-open", "yes"),
      MpvOption("keep-open-pause", "yes"),
      // Opens the next playlist entry as soon as the current one has been read completely.
      MpvOption("prefetch-playlist", "yes"),
      // Only the chosen address is opened: no web pages through youtube-dl, no neighbouring files, and no playlists,
      // cue sheets or edit lists (formats of mpv's own demuxers) that would name other files.
      MpvOption("ytdl", "no", mayBeAbsent: true),
      MpvOption("autoload-files", "no"),
      MpvOption("load-unsafe-playlists", "no"),
      MpvOption("demuxer", "lavf"),
      // mpv does not check certificates by default.
      MpvOption("tls-verify", "yes"),
      MpvOption("user-agent", options.userAgent),
      // Closes a connection that sends no data for this long. mpv's default is a minute.
      MpvOption("network-timeout", "\(options.networkTimeout)"),
      // A broken stream is requested again from the byte where it stopped. With mpv's defaults, FFmpeg gives up when
      // the server refuses the first new connection, and reports a normal end of file.
      MpvOption(
        "stream-lavf-o",
        "reconnect_on_network_error=1,reconnect_on_http_error=5xx,reconnect_delay_max=\(options.reconnectSeconds)"),
      // An mp3 frame uses bits of earlier frames. After a seek exactly to it, up to 0.15 s (0.35 s at low bit rates)
      // would be silent. So mpv seeks half a second earlier and decodes up to the target.
      MpvOption("hr-seek-demuxer-offset", "0.5"),
      // Limits memory. mpv's default is 150 MiB ahead and 50 MiB behind, most of an episode twice.
      MpvOption("demuxer-max-bytes", "\(options.bufferBytes)"),
      MpvOption("demuxer-max-back-bytes", "\(options.bufferBytes / 2)"),
      // The name that audio mixers show.
      MpvOption("audio-client-name", "earshot"),
      // Speech keeps its pitch at any speed. This is mpv's default, set explicitly because the speed commands depend
      // on it.
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
    // Where the sample rate or the channels change, mpv 0.35 would wait for ever for this output to be empty. With
    // `gapless-audio` it converts the sound to the format of the beginning.
    case .wave(let path):
      [
        MpvOption("ao", "pcm"), MpvOption("ao-pcm-file", path), MpvOption("audio-format", "s16"),
        MpvOption("gapless-audio", "yes"),
      ]
    case .raw(let path): Self.wave(path: path).rows + [MpvOption("ao-pcm-waveheader", "no")]
    case .named(let name): [MpvOption("ao", name)]
    }
  }
}
