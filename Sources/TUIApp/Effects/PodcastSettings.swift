import FeedKit
import Model

/// What is kept of one show beside what its feed says. Every field is optional, so that later ones can be added.
struct PodcastSettings: Codable, Equatable, Sendable {
  /// For feeds behind Basic authentication. Stored in the library, which only its owner can read; never in the
  /// feed's address, which lists, logs and exports show.
  var user: String?
  var password: String?
  /// How it is heard; nil: as all shows.
  var show: ShowSettings?

  var credentials: Credentials? { user.map { Credentials(user: $0, password: password ?? "") } }
}
