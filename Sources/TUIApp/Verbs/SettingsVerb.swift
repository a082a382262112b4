import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// `earshot settings`: the settings of one podcast that differ from the general ones.
struct SettingsVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Show and change the settings of a podcast.",
    discussion: """
        earshot settings "The Daily Something"
        earshot settings 3 speed 1.5
        earshot settings 3 auto-download 2
        earshot settings 3 speed default

      The settings are speed (0.5 to 4), gain (in decibels), levelling, silence and mono (on or off), intro and outro \
      (times), skip (words of chapter titles), media (smallest, best, audio or video, if an episode has several files), \
      auto-download and keep-downloads (numbers), new-episodes (none, all or a number), order (newest or oldest \
      first), and user-agent (what its servers are told, for hosts that refuse what they do not know). The value \
      "default" returns to the general setting; "reset" does so for all of them. A running player uses the settings from its next episode on.
      """)

  @Argument(
    help: "The feed's address, or the number or title that `earshot list` shows.", completion: VerbCompletion.podcast)
  var podcast: String

  @Argument(help: "The setting to change.", completion: .list(PodcastSettingArgument.names + ["reset"]))
  var name: String?

  // Accepts values with a dash, such as `gain -3`.
  @Argument(parsing: .allUnrecognized, help: "The new value.")
  var value: [String] = []

  @OptionGroup var output: JSONOption

  func validate() throws {
    if let option = value.first(where: { $0.hasPrefix("--") }) {
      throw ValidationError("There is no option \(option).")
    }
    guard let name else { return }
    guard name != "reset" else {
      guard value.isEmpty else { throw ValidationError("reset wants no value.") }
      return
    }
    guard PodcastSettingArgument.names.contains(name) else {
      throw ValidationError(
        "There is no setting “\(name)”: \(PodcastSettingArgument.names.joined(separator: ", ")), reset.")
    }
    guard !value.isEmpty else { throw ValidationError("\(name) needs a value, or default.") }
    _ = try change(name)
  }

  func perform(_ context: VerbContext) throws {
    let row = try context.podcast(podcast)
    let library = context.library
    if let name { try library.change(try change(name), of: row.id) }
    let settings = try library.settings(of: row.id)
    if name == "keep-downloads" || name == "reset" { context.applyDownloadRules() }
    if name == "new-episodes" || name == "reset" {
      let general = context.configuration.refreshing.catalogueRule
      try library.setCatalogueRule(settings.newEpisodes ?? general, of: row.id)
    }
    if output.json { return try Report.json(Self.json(row, settings)) }
    let sound = try Preferences.remembered(context.configuration, library).sound
    for line in Self.lines(settings, context.configuration, sound) { Report.line(line) }
  }

  private func change(_ name: String) throws -> PodcastSettings.Change {
    let value = value.joined(separator: " ")
    if let change = PodcastSettingArgument.change(name, value) { return change }
    throw ValidationError(PodcastSettingArgument.complaint(name, value) + ".")
  }

  /// A key is absent if the podcast has no value of its own. Gains are in decibels, times in seconds.
  private static func json(_ row: PodcastRow, _ settings: PodcastSettings) -> JSONObject {
    let playback = settings.playback ?? PlaybackSettings()
    return [
      "id": row.id, "title": row.title, "speed": playback.speed, "gain": playback.gain,
      "levelling": playback.isLevelled, "silence": playback.skipsSilence, "mono": playback.isMono,
      "intro": playback.intro, "outro": playback.outro, "skip": playback.skippedWords, "media": playback.media,
      "autoDownload": settings.autoDownload, "keepDownloads": settings.keepDownloads,
      "newEpisodes": settings.newEpisodes, "order": settings.order, "userAgent": settings.userAgent?.description,
    ]
  }

  /// One line for each setting, with the name that changes it.
  /// - Parameter sound: of all podcasts.
  private static func lines(
    _ settings: PodcastSettings, _ configuration: Configuration, _ sound: SoundShape
  ) -> [String] {
    func onOff(_ isOn: Bool?, _ general: Bool) -> String {
      isOn.map { $0 ? "on" : "off" } ?? "default (\(general ? "on" : "off"))"
    }
    let playback = settings.playback ?? PlaybackSettings()
    let general = configuration.podcastRules
    let rows: [(String, String)] = [
      ("speed", playback.speed.map(\.shortText) ?? "default"),
      ("gain", playback.gain.map { "\($0.shortText) dB" } ?? "default (0 dB)"),
      ("levelling", onOff(playback.isLevelled, sound.isLevelled)),
      ("silence", onOff(playback.skipsSilence, sound.skipsSilence)),
      ("mono", onOff(playback.isMono, sound.isMono)),
      ("intro", playback.intro.map { "\($0.shortText) s" } ?? "default (none)"),
      ("outro", playback.outro.map { "\($0.shortText) s" } ?? "default (none)"),
      ("skip", playback.skippedWords?.joined(separator: ", ") ?? "default (none)"),
      ("media", playback.media?.rawValue ?? "default (the usual file)"),
      ("auto-download", settings.autoDownload.map(String.init) ?? "default (\(configuration.downloads.automatic))"),
      (
        "keep-downloads",
        settings.keepDownloads.map(String.init) ?? "default (\(general.keepDownloads.map(String.init) ?? "all"))"
      ),
      ("new-episodes", settings.newEpisodes?.description ?? "default (\(configuration.refreshing.catalogueRule))"),
      ("order", settings.order?.rawValue ?? "default (as the feed says)"),
      ("user-agent", settings.userAgent?.description ?? "default (\(Version.userAgent))"),
    ]
    return rows.map { $0.rightPadded(16) + $1 }
  }
}
