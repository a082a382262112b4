import FeedKit
import Model
import Store

/// What is kept of one show beside what its feed says. Every field is optional, so that later ones can be added.
struct PodcastSettings: Codable, Equatable, Sendable {
  /// For feeds behind Basic authentication. Stored in the library, which only its owner can read; never in the
  /// feed's address, which lists, logs and exports show.
  var user: String?
  var password: String?
  /// How it is heard; nil: as all shows.
  var show: ShowSettings?
  /// So many of the newest episodes are downloaded after each refresh; 0 none; nil as the configuration says.
  var autoDownload: Int?
  /// Up to this episode's number automatic downloads have looked.
  var autoDownloadAfter: Int64?
  /// Downloaded files that stay; nil as the configuration says.
  var keepDownloads: Int?
  /// How many episodes of its back catalogue count as new; nil as the configuration says.
  var newEpisodes: CatalogueRule?

  /// - Parameters:
  ///   - count: nil: as the configuration says.
  ///   - newest: the newest episode of the library: turned off, automatic downloads look at later ones only.
  mutating func setAutomaticDownloads(_ count: Int?, newest: EpisodeID?) {
    autoDownload = count
    // Turned on, the newest come at once.
    autoDownloadAfter = count ?? 1 > 0 ? nil : newest?.rawValue
  }

  var credentials: Credentials? { user.map { Credentials(user: $0, password: password ?? "") } }
}

extension Library {
  /// A show's user name and password go to the server of its feed only. Without them the server answers 401, and the
  /// listener is told.
  func credentials(of podcast: PodcastID, for address: WebAddress) -> Credentials? {
    guard let settings = try? settings(PodcastSettings.self, of: podcast), let credentials = settings.credentials,
      let feedURL = try? podcastDetail(podcast)?.row.feedURL, let feed = try? WebAddress(feedURL),
      address.mayKnowSecrets(of: feed)
    else { return nil }
    return credentials
  }
}
