/// How the listener wants one podcast, beside what its feed says. Every field is optional: nil means as for all podcasts.
/// Stored as JSON, so that later versions can add fields. Passwords are no part of it: see `Credentials`.
public struct PodcastSettings: Codable, Equatable, Sendable {
  /// How it is heard.
  public var playback: PlaybackSettings?
  /// So many of the newest episodes are downloaded after each refresh; 0 none.
  public var autoDownload: Int?
  /// Up to this episode's number automatic downloads have looked.
  public var autoDownloadAfter: Int64?
  /// Downloaded files that stay.
  public var keepDownloads: Int?
  /// How many episodes of its back catalogue count as new.
  public var newEpisodes: CatalogueRule?

  public init() {}

  /// The names in the database, which later versions must read. `playback` was once called `show`.
  private enum CodingKeys: String, CodingKey {
    case playback = "show"
    case autoDownload, autoDownloadAfter, keepDownloads, newEpisodes
  }

  /// - Parameters:
  ///   - count: nil: as the configuration says.
  ///   - newest: the number of the library's newest episode: turned off, automatic downloads look at later ones only.
  public mutating func setAutomaticDownloads(_ count: Int?, newest: EpisodeID?) {
    autoDownload = count
    // Turned on, the newest come at once.
    autoDownloadAfter = count ?? 1 > 0 ? nil : newest?.rawValue
  }
}
