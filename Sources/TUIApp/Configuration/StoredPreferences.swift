import AppCore
import Directories
import Foundation
import Model
import Store
import TerminalKit

extension Preferences {
  /// The preferences from the configuration. What it does not set comes from the stored settings.
  static func remembered(_ configuration: Configuration, _ library: Library) throws(StoreError) -> Preferences {
    let settings = try library.settings()
    func remembered(_ setting: Setting) -> Double? { settings[setting.rawValue].flatMap(Double.init) }
    var preferences = configuration.preferences
    if !configuration.setsVolume, let volume = remembered(.volume) { preferences.volume = min(150, max(0, volume)) }
    if !configuration.setsSpeed, let speed = remembered(.speed) { preferences.speed = min(4, max(0.5, speed)) }
    for (key, setting, part) in switches where !configuration.setSounds.contains(key) {
      if let value = settings[setting.rawValue] { preferences.sound[keyPath: part] = value == "1" }
    }
    preferences.podcastRules = configuration.podcastRules
    preferences.deletesPlayed = configuration.downloads.deletesPlayed
    preferences.country = configuration.discover.settings.country
    preferences.genres = Genre.all.map(\.name)
    return preferences
  }

  private static let switches: [(key: String, setting: Setting, part: WritableKeyPath<SoundShape, Bool> & Sendable)] = [
    ("skip_silence", .skipSilence, \.skipsSilence), ("levelling", .levelling, \.isLevelled), ("mono", .mono, \.isMono),
  ]
}

extension Configuration {
  /// What holds for podcasts without settings of their own.
  var podcastRules: PodcastSettings {
    var rules = PodcastSettings()
    (rules.autoDownload, rules.keepDownloads) = (downloads.automatic, downloads.keep)
    rules.newEpisodes = refreshing.catalogueRule
    return rules
  }
}

extension State {
  /// The state at the start: the stored settings, and the offer of the last episode.
  /// - Parameter plays: this process may play.
  static func remembered(
    _ configuration: Configuration, _ preferences: Preferences, _ library: Library, _ themes: ThemeFiles, size: Size,
    plays: Bool
  ) throws -> State {
    let settings = try library.settings()
    let calendar = CalendarRules { TimeZone.current.secondsFromGMT(for: $0) }
    var state = State(
      size: size, now: Date(), calendar: calendar, preferences: preferences, keymap: configuration.keymap,
      themes: themes.names)
    func columns(_ setting: Setting) -> Int { settings[setting.rawValue].flatMap(Int.init) ?? 0 }
    state.paneWidths = PaneWidths(side: columns(.sideWidth), detail: columns(.detailWidth))
    state.library.arrangement = PodcastArrangement(
      order: settings[Setting.podcastOrder.rawValue], groups: settings[Setting.podcastGroups.rawValue],
      folded: settings[Setting.foldedTags.rawValue])
    if let lines = settings[Setting.commandHistory.rawValue] { state.histories.commands = PromptHistory(lines) }
    state.sleepMark = settings[Setting.sleepMark.rawValue].flatMap { State.SleepMark($0) }
    let name = configuration.theme ?? settings[Setting.theme.rawValue] ?? "earshot-dark"
    do throws(ConfigurationProblem) {
      state.theme = try themes.load(name)
    } catch {
      state.showMessage(Message(.error, error.description))
    }
    if let place = settings[Setting.screenPlace.rawValue].flatMap({ ScreenPlace($0) }) { state.restore(place) }
    if let jumps = settings[Setting.jumps.rawValue] { state.remember(jumps: jumps) }
    if plays, let (row, settings) = try library.offeredEpisode() { state.offer(row, with: settings) }
    return state
  }
}

extension Library {
  /// The episode that was heard last, and the playback settings of its podcast.
  func offeredEpisode() throws(StoreError) -> (row: EpisodeRow, settings: PlaybackSettings)? {
    guard let id = try episodeToOffer(), let row = try episodeRows([id]).first else { return nil }
    return (row, try effectiveSettings(of: row.podcast))
  }
}
