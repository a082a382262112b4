import Services
import TOMLKit

/// One setting of `config.toml`: how it is read, and its description in the manuals (`earshot help configuration`,
/// earshot-config(5)).
struct SettingRow<Target>: Sendable {
  /// The key.
  var name: String
  /// The allowed values: type, unit, range.
  var values: String
  /// The default value as TOML; nil: the help text describes it.
  var standard: String?
  /// Full sentences. Names are in backquotes.
  var help: String
  /// Stores the value in the target. Throws `Configuration.Complaint`.
  var read: @Sendable (inout Target, any TOMLValueConvertible) throws -> Void

  init(
    _ name: String, _ values: String, _ standard: String?, _ help: String,
    read: @escaping @Sendable (inout Target, any TOMLValueConvertible) throws -> Void
  ) {
    self.name = name
    self.values = values
    self.standard = standard
    self.help = help
    self.read = read
  }
}

extension Configuration {
  /// All settings of the top level, in the order of the manuals. To add one: a row here, a line in
  /// docs/CONFIGURATION.md.
  static let settings: [SettingRow<Configuration>] = [
    .init(
      "theme", "a name", #""earshot-dark""#,
      "The theme: a file of that name, without its ending, among yours or ours. Left out, the one that `T` chose last."
    ) {
      $0.theme = try string($1)
    },
    .init("refresh_on_start", "true or false", "true", "Ask all feeds for new episodes when the player starts.") {
      $0.preferences.refreshOnStart = try bool($1)
    },
    .init(
      "refresh_every", "minutes, 5 to 10080; 0: never", "60",
      "After how long a feed is asked again without being told to. A feed that wants to be left alone for longer is, and one whose next episode is far is asked more rarely."
    ) {
      let minutes = try number($1, in: 0...10_080)
      guard minutes == 0 || minutes >= 5 else { throw Complaint("must be 0 (off), or from 5 to 10080") }
      $0.refreshEvery = minutes
    },
    .init(
      "new_episodes", #""none", "all", or 0 to 1000"#, "1",
      "How much of a podcast's back catalogue counts as new when you subscribe: so many of its newest episodes. New does not list the others. `earshot settings PODCAST new-episodes` says otherwise for one podcast."
    ) {
      $0.refreshing.catalogueRule = try RefreshPreferences.rule($1)
    },
    .init(
      "fetch_chapters", "true or false", "false",
      "Fetch the chapters of new episodes after a refresh, so that search covers what you have not heard yet: of five episodes of a podcast at most, one file after the other."
    ) {
      $0.refreshing.fetchesChapters = try bool($1)
    },
    .init(
      "fetch_transcripts", "true or false", "false",
      "Fetch the transcripts of new episodes after a refresh, as `fetch_chapters` does the chapters."
    ) {
      $0.refreshing.fetchesTranscripts = try bool($1)
    },
    .init("seek_back", "seconds, 1 to 3600", "10", "The step of the left arrow.") {
      $0.preferences.seekBack = try number($1, in: 1...3600)
    },
    .init("seek_forward", "seconds, 1 to 3600", "30", "The step of the right arrow.") {
      $0.preferences.seekForward = try number($1, in: 1...3600)
    },
    .init("seek_back_long", "seconds, 1 to 3600", "60", "The step of the left arrow with Shift.") {
      $0.preferences.seekBackLong = try number($1, in: 1...3600)
    },
    .init("seek_forward_long", "seconds, 1 to 3600", "60", "The step of the right arrow with Shift.") {
      $0.preferences.seekForwardLong = try number($1, in: 1...3600)
    },
    .init("volume", "percent, 0 to 150", "100", "Left out, it is what it was when the player was left.") {
      $0.preferences.volume = try number($1, in: 0...150)
      $0.setsVolume = true
    },
    .init("volume_step", "percent, 1 to 50", "5", "The step of `-` and `+`.") {
      $0.preferences.volumeStep = try number($1, in: 1...50)
    },
    .init("speed", "0.5 to 4", "1.0", "Left out, it is what it was when the player was left.") {
      $0.preferences.speed = try number($1, in: 0.5...4)
      $0.setsSpeed = true
    },
    .init("speed_step", "0.01 to 1", "0.1", "The step of `[` and `]`.") {
      $0.preferences.speedStep = try number($1, in: 0.01...1)
    },
    .init(
      "skip_silence", "true or false", "false",
      "Hurry through pauses of half a second and more; positions stay true. Left out, as it was when the player was left."
    ) {
      try $0.setSound("skip_silence", \.skipsSilence, $1)
    },
    .init(
      "levelling", "true or false", "false",
      "Bring loud and quiet passages nearer to each other. Left out, as it was when the player was left."
    ) {
      try $0.setSound("levelling", \.isLevelled, $1)
    },
    .init("mono", "true or false", "false", "Both ears hear everything. Left out, as it was when the player was left.")
    {
      try $0.setSound("mono", \.isMono, $1)
    },
    .init(
      "audio_device", "a name that `:device` lists", nil,
      "Where the sound goes. Left out, what was chosen there last, else the machine's choice."
    ) {
      $0.audioDevice = try string($1)
    },
    .init(
      "rewind_after_pause", "true or false", "true",
      "Go on a little earlier after a pause: 2 seconds after a minute, 5 after ten minutes, 10 after an hour, 20 after a day."
    ) {
      $0.preferences.rewindsAfterPause = try bool($1)
    },
    .init("sleep_extension", "minutes, 1 to 240", "15", "What `S` adds to the sleep timer.") {
      $0.preferences.sleepExtension = try number($1, in: 1...240)
    },
    .init(
      "mouse", "true or false", "true",
      "Clicks and the wheel do something. Without, the terminal's own selection works as usual."
    ) {
      $0.mouse = try bool($1)
    },
    .init(
      "reduced_motion", "true or false", "false",
      "Nothing moves by itself: the time of what plays advances in steps of ten seconds, transcripts turn by pages."
    ) {
      $0.preferences.reducedMotion = try bool($1)
    },
    .init(
      "linear", "true or false", "false",
      "A screen for a screen reader or a braille display, as `--linear`: a pane and an entry a line, in words, with nothing written that was not asked for. Brings `ascii` and `reduced_motion`, and takes away pictures and the mouse."
    ) {
      $0.isLinear = try bool($1)
    },
    .init(
      "cover_art", #""auto", "kitty", "sixel", "iterm2", "cells" or "off""#, #""auto""#,
      "Pictures of podcasts, episodes and chapters: in pixels where the terminal can show them, in one given way, with characters, or none. `true` and `false` are “auto” and “off”."
    ) {
      try $0.setCoverArt($1)
    },
    .init(
      "counts", "true or false", "false",
      "Digits are counts, as in vim: `5j` goes five rows down, and `<A-1>` to `<A-7>` are the screens. Without, it is the other way round."
    ) {
      $0.preferences.counts = try bool($1)
    },
    .init("ascii", "true or false", "false", "Draw with ASCII alone. What feeds say is shown as it is.") {
      $0.preferences.ascii = try bool($1)
    },
    .init("max_per_host", "1 to 32", "4", "Requests at the same time to one server.") {
      $0.maxPerHost = Int(try number($1, in: 1...32))
    },
    .init(
      "stream_cache_mb", "megabytes, 0 to 1000000", "500",
      "How much of what was streamed is kept in the cache directory: going back needs no network, and a download fetches only the rest. The oldest goes first. 0: nothing is kept."
    ) {
      $0.streamCacheBytes = Int64(try number($1, in: 0...1_000_000) * 1e6)
    },
    .init(
      "notify", "true or false", "false",
      "A notification of the desktop when a refresh of the player brought new episodes."
    ) {
      $0.notifies = try bool($1)
    },
  ]

  static let settingsByName = [String: SettingRow<Configuration>](
    uniqueKeysWithValues: settings.map { ($0.name, $0) })

  /// The `[directories]` table. Paths begin with `/` or `~/`.
  static let places: [(name: String, path: WritableKeyPath<Directories, String> & Sendable, help: String)] = [
    (
      "data", \.data, "The library: subscriptions, positions, everything of yours. `~/.local/share/earshot` without it."
    ),
    ("downloads", \.downloads, "Downloaded files. `downloads` in the data directory without it."),
    ("cache", \.cache, "Pictures, and what was streamed; may be deleted at any time. `~/.cache/earshot` without it."),
  ]
}
