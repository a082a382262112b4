import Model

extension PodcastRule {
  var title: String {
    switch self {
    case .autoDownload: "Automatic downloads"
    case .keepDownloads: "Files to keep"
    case .newEpisodes: "Counts as new"
    case .order: "Order"
    case .userAgent: "User agent"
    }
  }

  /// A question that says what can be written.
  var question: String {
    switch self {
    case .autoDownload: "Newest episodes to download: "
    case .keepDownloads: "Files to keep: "
    case .newEpisodes: "Count as new (none, all, 5): "
    case .order: "Order (newest, oldest or default): "
    case .userAgent: "User agent, or default: "
    }
  }

  /// The row in the picker of settings.
  func row(_ settings: PodcastSettings, general: PodcastSettings) -> String {
    PodcastSettingArgument.row(title, value(settings, general: general))
  }

  /// The podcast's own value, else the one of all podcasts.
  func value(_ settings: PodcastSettings, general: PodcastSettings) -> String {
    if self == .order { return words(settings) ?? "as the feed says" }
    if self == .userAgent { return words(settings) ?? "Earshot’s own" }
    return words(settings) ?? "\(words(general) ?? (self == .keepDownloads ? "every file" : "none")), as all podcasts"
  }

  /// Nil if the value is not set.
  private func words(_ settings: PodcastSettings) -> String? {
    switch self {
    case .autoDownload: settings.autoDownload.map { $0 == 0 ? "none" : "the newest \($0) after a refresh" }
    case .keepDownloads: settings.keepDownloads.map { "the newest \($0)" }
    case .order: settings.order?.words
    case .userAgent: settings.userAgent?.description
    case .newEpisodes:
      settings.newEpisodes.map { rule in
        rule.newest.map { $0 == 0 ? "none of the back catalogue" : "the newest \($0) when added" }
          ?? "all of the back catalogue"
      }
    }
  }
}

extension State {
  /// Handles arguments such as `auto-download 3`.
  /// - Returns: nil if `name` is not a rule.
  mutating func setRule(_ name: String, _ value: String, of podcast: PodcastName) -> [Effect]? {
    guard let rule = PodcastRule(rawValue: name) else { return nil }
    guard let change = rule.change(to: value) else { return tell(.error, rule.complaint(value)) }
    showInSettingPicker(of: podcast.id) { $0.apply(change, newest: nil) }
    let standard = rule == .order ? "as the feed says" : rule == .userAgent ? "Earshot’s own" : "as all podcasts"
    showMessage(.note, "“\(podcast.title)”: \(name) \(value == "default" ? standard : value)")
    return [.write(.changeSettings(podcast.id, change))]
  }
}
