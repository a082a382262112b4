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
  /// Stores the value in the target. The error is a text about the value.
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

  // MARK: Settings that are read into one property

  /// True or false.
  static func flag(
    _ name: String, _ standard: Bool, _ path: WritableKeyPath<Target, Bool> & Sendable, _ help: String
  ) -> SettingRow {
    SettingRow(name, "true or false", "\(standard)", help) { $0[keyPath: path] = try Configuration.bool($1) }
  }

  /// - Parameter unit: nil: it has none.
  static func number(
    _ name: String, unit: String? = nil, _ range: ClosedRange<Double>, _ standard: String,
    _ path: WritableKeyPath<Target, Double> & Sendable, _ help: String
  ) -> SettingRow {
    let values = "\(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    return SettingRow(name, unit.map { "\($0), \(values)" } ?? values, standard, help) {
      $0[keyPath: path] = try Configuration.number($1, in: range)
    }
  }

  /// A number of things.
  static func whole(
    _ name: String, _ range: ClosedRange<Double>, _ standard: String, _ path: WritableKeyPath<Target, Int> & Sendable,
    _ help: String
  ) -> SettingRow {
    SettingRow(name, "\(range.lowerBound.shortText) to \(range.upperBound.shortText)", standard, help) {
      $0[keyPath: path] = Int(try Configuration.number($1, in: range))
    }
  }

  static func text(
    _ name: String, _ values: String, standard: String? = nil, _ path: WritableKeyPath<Target, String?> & Sendable,
    _ help: String
  ) -> SettingRow {
    SettingRow(name, values, standard, help) { $0[keyPath: path] = try Configuration.string($1) }
  }
}

extension Configuration {
  /// All settings of the top level, in the order of the manuals. To add one: a row here, a line in
  /// docs/CONFIGURATION.md.
  static let settings: [SettingRow<Configuration>] = [
    .text(
      "theme", "a name", standard: #""earshot-dark""#, \.theme,
      "The theme: the name of a file, without `.toml`, in your themes or the installed ones. Without it, the theme that `T` chose last."
    ),
    .flag(
      "refresh_on_start", true, \.preferences.refreshOnStart, "Ask all feeds for new episodes when the player starts."),
    .init(
      "refresh_every", "minutes, 5 to 10080; 0: never", "60",
      "After how long the player refreshes a feed by itself. A feed may ask for a longer pause, and one whose next episode is far away is refreshed less often."
    ) {
      let minutes = try number($1, in: 0...10_080)
      guard minutes == 0 || minutes >= 5 else { throw ReportedError("must be 0 (off), or from 5 to 10080") }
      $0.refreshEvery = minutes
    },
    .init(
      "new_episodes", #""none", "all", or 0 to 1000"#, "1",
      "How much of a podcast's back catalogue counts as new when you subscribe: the number of its newest episodes, or of the first parts of an audiobook. The New screen does not list the others. `earshot settings PODCAST new-episodes` sets it for one podcast."
    ) {
      $0.refreshing.catalogueRule = try RefreshPreferences.rule($1)
    },
    .flag(
      "fetch_chapters", false, \.refreshing.fetchesChapters,
      "Fetch the chapters of new episodes after a refresh, so that search finds them before you have played them: of at most five episodes of a podcast, one file after the other."
    ),
    .flag(
      "fetch_transcripts", false, \.refreshing.fetchesTranscripts,
      "Fetch the transcripts of new episodes after a refresh, as `fetch_chapters` does the chapters."),
    .number("seek_back", unit: "seconds", 1...3600, "10", \.preferences.seekBack, "The step of the left arrow."),
    .number("seek_forward", unit: "seconds", 1...3600, "30", \.preferences.seekForward, "The step of the right arrow."),
    .number(
      "seek_back_long", unit: "seconds", 1...3600, "60", \.preferences.seekBackLong,
      "The step of the left arrow with Shift."),
    .number(
      "seek_forward_long", unit: "seconds", 1...3600, "60", \.preferences.seekForwardLong,
      "The step of the right arrow with Shift."),
    .number(
      "volume", unit: "percent", 0...150, "100", \.preferences.volume,
      "Without it, the value is as it was when you last quit."),
    .number("volume_step", unit: "percent", 1...50, "5", \.preferences.volumeStep, "The step of `-` and `+`."),
    .number(
      "speed", RemoteCommand.speeds, "1.0", \.preferences.speed,
      "Without it, the value is as it was when you last quit."),
    .number("speed_step", 0.01...1, "0.1", \.preferences.speedStep, "The step of `[` and `]`."),
    .flag(
      "skip_silence", false, \.preferences.sound.skipsSilence,
      "Play pauses of half a second and more quickly; positions stay right. Without it, as it was when you last quit."),
    .flag(
      "levelling", false, \.preferences.sound.isLevelled,
      "Level the volume of loud and quiet passages. Without it, as it was when you last quit."),
    .flag(
      "mono", false, \.preferences.sound.isMono,
      "Play both channels on both sides. Without it, as it was when you last quit."),
    .text(
      "audio_device", "a name that `:device` lists", \.audioDevice,
      "The audio device. Without it, the device chosen there last, else the system's default."),
    .flag(
      "rewind_after_pause", true, \.preferences.rewindsAfterPause,
      "Resume a little earlier after a pause: 2 seconds after a minute, 5 after ten minutes, 10 after an hour, 20 after a day."
    ),
    .flag(
      "queue_interrupted", false, \.preferences.queuesInterrupted,
      "Queue an unfinished episode to play next when you play another one instead."),
    .number(
      "sleep_extension", unit: "minutes", 1...240, "15", \.preferences.sleepExtension,
      "What `S` adds to the sleep timer."),
    .flag("mouse", true, \.mouse, "Use the mouse. If false, selecting text in the terminal works as usual."),
    .flag(
      "reduced_motion", false, \.preferences.reducedMotion,
      "Fewer movements on the screen: the time advances in steps of ten seconds, and transcripts scroll by pages."),
    .flag(
      "linear", false, \.isLinear,
      "For a screen reader or a braille display, as `--linear`: one pane, one entry a line, words instead of symbols, and no changes without a command. Turns on `ascii` and `reduced_motion`, and turns off pictures and the mouse."
    ),
    .init(
      "cover_art", #""auto", "kitty", "sixel", "iterm2", "cells" or "off""#, #""auto""#,
      "Pictures of podcasts, episodes and chapters: in pixels if the terminal supports them, with one given protocol, as characters, or none. `true` and `false` are “auto” and “off”."
    ) {
      try $0.setCoverArt($1)
    },
    .flag(
      "counts", false, \.preferences.counts,
      "Digits are counts, as in vim: press `5j` to go five rows down, and digits with Alt (`<A-2>`) to show the screens. If false, it is the other way round."
    ),
    .flag("ascii", false, \.preferences.ascii, "Draw with ASCII only. Texts of feeds are not changed."),
    .whole("max_per_host", 1...32, "4", \.maxPerHost, "The most simultaneous requests to one server."),
    .init(
      "stream_cache_mb", "megabytes, 0 to 1000000", "500",
      "How much of streamed episodes is kept in the cache directory, so that seeking back needs no network and a download only fetches the rest. The oldest are deleted. 0: none."
    ) {
      $0.streamCacheBytes = Int64(try number($1, in: 0...1_000_000) * 1e6)
    },
    .flag("notify", false, \.notifies, "Show a desktop notification when the player's refresh has found new episodes."),
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
    guard let rule = text.flatMap(CatalogueRule.init(rawValue:)) else {
      throw ReportedError("must be \"none\", \"all\" or a number from 0 to \(CatalogueRule.maximum)")
    }
    return rule
  }
}
