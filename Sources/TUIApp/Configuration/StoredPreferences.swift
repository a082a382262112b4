import AppCore
import Directories
import Downloads
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
    let fixed = configuration.setNames
    if !fixed.contains("volume"), let volume = remembered(.volume) { preferences.volume = min(150, max(0, volume)) }
    if !fixed.contains("speed"), let speed = remembered(.speed) { preferences.speed = min(4, max(0.5, speed)) }
    for (key, setting, part) in switches where !fixed.contains(key) {
      if let value = settings[setting.rawValue] { preferences.sound[keyPath: part] = value == "1" }
    }
    preferences.podcastRules = configuration.podcastRules
    preferences.deletesPlayed = configuration.downloads.options.cleanUp.deletesPlayed
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
    (rules.autoDownload, rules.keepDownloads) = (downloads.automatic, downloads.options.cleanUp.keepPerPodcast)
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
    let name = configuration.theme ?? settings[Setting.theme.rawValue] ?? "earshot-dark"
    var (theme, problem): (Theme, ConfigurationProblem?) = (.fallback, nil)
    do throws(ConfigurationProblem) { theme = try themes.load(name) } catch { problem = error }
    var state = State(
      size: size, now: Date(), calendar: CalendarRules(zone: .autoupdatingCurrent), preferences: preferences,
      keymap: configuration.keymap,
      theme: theme, themes: themes.names)
    if let problem { state.showMessage(Message(.error, problem.description)) }
    state.restore(settings)
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
