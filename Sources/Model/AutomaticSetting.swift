/// A setting that acts by itself on episodes or files. The list of rules shows it, because it answers the same
/// question. It is no rule: it counts the episodes of a podcast, or deletes files and not episodes.
public struct AutomaticSetting: Sendable, Equatable, Codable {
  /// The name in `earshot settings` or in `config.toml`.
  public var name: String
  public var value: String
  /// The podcast that has this value. Nil: all that have none of their own.
  public var podcast: String?
  /// What it does, as a sentence.
  public var text: String

  /// The settings in effect: the general ones, then those of single podcasts.
  /// - Parameter general: the values of the configuration.
  public static func all(
    general: PodcastSettings, deletesPlayed: Bool, own: [(podcast: String, settings: PodcastSettings)]
  ) -> [AutomaticSetting] {
    var all = settings(general, of: nil)
    if deletesPlayed {
      all.append(
        AutomaticSetting(name: "delete_played", value: "true", text: "Deletes the file of an episode that was played."))
    }
    return all + own.flatMap { settings($0.settings, of: $0.podcast) }
  }

  private static func settings(_ settings: PodcastSettings, of podcast: String?) -> [AutomaticSetting] {
    func setting(_ rule: PodcastSettingArgument, _ value: String, _ text: String) -> AutomaticSetting {
      AutomaticSetting(name: rule.rawValue, value: value, podcast: podcast, text: text)
    }
    var all: [AutomaticSetting] = []
    if let count = settings.autoDownload, count > 0 || podcast != nil {
      all.append(
        setting(
          .autoDownload, "\(count)",
          count == 0
            ? "Downloads nothing by itself."
            : "Downloads the newest \(Counted.text(count, "episode")) after a refresh."))
    }
    if let count = settings.keepDownloads {
      all.append(
        setting(.keepDownloads, "\(count)", "Keeps the newest \(Counted.text(count, "file")), and deletes others."))
    }
    if let rule = settings.newEpisodes {
      let what = rule.newest.map { $0 == 0 ? "nothing" : "the newest \($0)" } ?? "all"
      all.append(setting(.newEpisodes, rule.description, "Of the back catalogue, \(what) counts as new."))
    }
    return all
  }

  /// Such as `auto-download 3 of “Daily”: Downloads …`.
  public var line: String { "\(name) \(value)\(podcast.map { " of “\($0)”" } ?? ""): \(text)" }
}
