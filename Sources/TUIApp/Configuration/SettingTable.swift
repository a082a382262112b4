import Model
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
  /// Stores the value in the target. Throws `Configuration.InvalidValue`.
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
      "The theme: the name of a file, without `.toml`, in your themes or the installed ones. Without it, the theme that `T` chose last."
    ) {
      $0.theme = try string($1)
    },
    .init("refresh_on_start", "true or false", "true", "Ask all feeds for new episodes when the player starts.") {
      $0.preferences.refreshOnStart = try bool($1)
    },
    .init(
      "refresh_every", "minutes, 5 to 10080; 0: never", "60",
      "After how long the player refreshes a feed by itself. A feed may ask for a longer pause, and one whose next episode is far away is refreshed less often."
    ) {
      let minutes = try number($1, in: 0...10_080)
      guard minutes == 0 || minutes >= 5 else { throw InvalidValue("must be 0 (off), or from 5 to 10080") }
      $0.refreshEvery = minutes
    },
    .init(
      "new_episodes", #""none", "all", or 0 to 1000"#, "1",
      "How much of a podcast's back catalogue counts as new when you subscribe: the number of its newest episodes, or of the first parts of an audiobook. The New screen does not list the others. `earshot settings PODCAST new-episodes` sets it for one podcast."
    ) {
      $0.refreshing.catalogueRule = try RefreshPreferences.rule($1)
    },
    .init(
      "fetch_chapters", "true or false", "false",
      "Fetch the chapters of new episodes after a refresh, so that search finds them before you have played them: of at most five episodes of a podcast, one file after the other."
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
    .init("volume", "percent, 0 to 150", "100", "Without it, the value is as it was when you last quit.") {
      $0.preferences.volume = try number($1, in: 0...150)
      $0.setsVolume = true
    },
    .init("volume_step", "percent, 1 to 50", "5", "The step of `-` and `+`.") {
      $0.preferences.volumeStep = try number($1, in: 1...50)
    },
    .init("speed", "0.5 to 4", "1.0", "Without it, the value is as it was when you last quit.") {
      $0.preferences.speed = try number($1, in: RemoteCommand.speeds)
      $0.setsSpeed = true
    },
    .init("speed_step", "0.01 to 1", "0.1", "The step of `[` and `]`.") {
      $0.preferences.speedStep = try number($1, in: 0.01...1)
    },
    .init(
      "skip_silence", "true or false", "false",
      "Play pauses of half a second and more quickly; positions stay right. Without it, as it was when you last quit."
    ) {
      try $0.setSound("skip_silence", \.skipsSilence, $1)
    },
    .init(
      "levelling", "true or false", "false",
      "Level the volume of loud and quiet passages. Without it, as it was when you last quit."
    ) {
      try $0.setSound("levelling", \.isLevelled, $1)
    },
    .init(
      "mono", "true or false", "false", "Play both channels on both sides. Without it, as it was when you last quit."
    ) {
      try $0.setSound("mono", \.isMono, $1)
    },
    .init(
      "audio_device", "a name that `:device` lists", nil,
      "The audio device. Without it, the device chosen there last, else the system's default."
    ) {
      $0.audioDevice = try string($1)
    },
    .init(
      "rewind_after_pause", "true or false", "true",
      "Resume a little earlier after a pause: 2 seconds after a minute, 5 after ten minutes, 10 after an hour, 20 after a day."
    ) {
      $0.preferences.rewindsAfterPause = try bool($1)
    },
    .init(
      "queue_interrupted", "true or false", "false",
      "Queue an unfinished episode to play next when you play another one instead."
    ) {
      $0.preferences.queuesInterrupted = try bool($1)
    },
    .init("sleep_extension", "minutes, 1 to 240", "15", "What `S` adds to the sleep timer.") {
      $0.preferences.sleepExtension = try number($1, in: 1...240)
    },
    .init(
      "mouse", "true or false", "true",
      "Use the mouse. If false, selecting text in the terminal works as usual."
    ) {
      $0.mouse = try bool($1)
    },
    .init(
      "reduced_motion", "true or false", "false",
      "Fewer movements on the screen: the time advances in steps of ten seconds, and transcripts scroll by pages."
    ) {
      $0.preferences.reducedMotion = try bool($1)
    },
    .init(
      "linear", "true or false", "false",
      "For a screen reader or a braille display, as `--linear`: one pane, one entry a line, words instead of symbols, and no changes without a command. Turns on `ascii` and `reduced_motion`, and turns off pictures and the mouse."
    ) {
      $0.isLinear = try bool($1)
    },
    .init(
      "cover_art", #""auto", "kitty", "sixel", "iterm2", "cells" or "off""#, #""auto""#,
      "Pictures of podcasts, episodes and chapters: in pixels if the terminal supports them, with one given protocol, as characters, or none. `true` and `false` are “auto” and “off”."
    ) {
      try $0.setCoverArt($1)
    },
    .init(
      "counts", "true or false", "false",
      "Digits are counts, as in vim: `5j` goes five rows down, and `<A-1>` to `<A-8>` show the screens. If false, it is the other way round."
    ) {
      $0.preferences.counts = try bool($1)
    },
    .init("ascii", "true or false", "false", "Draw with ASCII only. Texts of feeds are not changed.") {
      $0.preferences.ascii = try bool($1)
    },
    .init("max_per_host", "1 to 32", "4", "The most simultaneous requests to one server.") {
      $0.maxPerHost = Int(try number($1, in: 1...32))
    },
    .init(
      "stream_cache_mb", "megabytes, 0 to 1000000", "500",
      "How much of streamed episodes is kept in the cache directory, so that seeking back needs no network and a download only fetches the rest. The oldest are deleted. 0: none."
    ) {
      $0.streamCacheBytes = Int64(try number($1, in: 0...1_000_000) * 1e6)
    },
    .init(
      "notify", "true or false", "false",
      "Show a desktop notification when the player's refresh has found new episodes."
    ) {
      $0.notifies = try bool($1)
    },
  ]

  static let settingsByName = [String: SettingRow<Configuration>](
    uniqueKeysWithValues: settings.map { ($0.name, $0) })

  /// The `[directories]` table. Paths begin with `/` or `~/`.
  static let directoryRows: [(name: String, path: WritableKeyPath<Directories, String> & Sendable, help: String)] = [
    (
      "data", \.data, "The library: subscriptions, positions, all your data. By default `~/.local/share/earshot`."
    ),
    ("downloads", \.downloads, "Downloaded files. By default `downloads` in the data directory."),
    ("cache", \.cache, "Pictures and streamed episodes; may be deleted at any time. By default `~/.cache/earshot`."),
  ]
}

extension RefreshPreferences {
  /// Parses a number, "none" or "all".
  static func rule(_ value: any TOMLValueConvertible) throws -> CatalogueRule {
    let text = value.int.map(String.init) ?? value.string
    guard let rule = text.flatMap(CatalogueRule.init) else {
      throw Configuration.InvalidValue("must be \"none\", \"all\" or a number from 0 to \(CatalogueRule.maximum)")
    }
    return rule
  }
}
