import Foundation
import Model

/// Metadata of a refresh besides the feed.
public struct RefreshInfo: Sendable, Equatable {
  /// Nil keeps the stored ones (a 304 does not repeat them).
  public var validators: FeedValidators?
  /// No automatic request before then: the feed failed, or the server asked for a pause.
  public var notBefore: Date?
  /// A server asked for the pause (429 or 503). Then a refresh of all podcasts by the listener waits, too.
  public var pause: RequestedPause?
  /// How many episodes count as new if the podcast is new, or if its feed lists old episodes for the first time.
  public var catalogueRule: CatalogueRule
  /// When the refresh of all its podcasts began. What rules do during one refresh is undone together.
  public var refresh: Date?
  /// What could not be read of it, in words for the listener without the title. The rest was read.
  public var problem: String?
  /// The server says that the document is older than the stored one (`Last-Modified`).
  public var isOldCopy: Bool
  public init(
    validators: FeedValidators? = nil, notBefore: Date? = nil, pause: RequestedPause? = nil,
    catalogueRule: CatalogueRule = .all, refresh: Date? = nil, problem: String? = nil,
    isOldCopy: Bool = false
  ) {
    self.validators = validators
    self.notBefore = notBefore
    self.pause = pause
    self.catalogueRule = catalogueRule
    self.refresh = refresh
    self.problem = problem
    self.isOldCopy = isOldCopy
  }
}

/// The feeds for which a server asked for a pause. The raw value is stored as the health of the feed: a kind of
/// “connectivity”, whose `notBefore` also holds when the listener refreshes all.
public enum RequestedPause: String, Sendable, CaseIterable {
  /// This one: its address led to another server, which refused.
  case feed = "limited"
  /// All feeds of the server of its address.
  case server = "limitedServer"

  /// For SQL.
  static let codes = allCases.map { "'\($0.rawValue)'" }.joined(separator: ",")
}

/// The changes made by a refresh.
public struct ApplyResult: Sendable, Equatable {
  /// In document order.
  public var new: [EpisodeID] = []
  public var updated = 0
  /// Episodes that have left the feed and are kept.
  public var gone = 0
  /// Titles of deleted episodes, which the publisher withdrew before the listener touched them.
  public var removed: [String] = []
  /// Episodes that left the feed, but too many at once to be intended. They are kept and also counted in `gone`.
  public var kept = 0
  /// Episodes whose status or position another device had changed before they arrived.
  public var synced = 0
  /// What rules did with the new episodes.
  public var rules = RuleReport()
}

/// A podcast whose feed may be requested now.
public struct RefreshCandidate: Sendable, Equatable {
  public var id: PodcastID
  /// When the refresh began.
  public var refresh: Date
  public var feedURL: String
  public var title: String
  public var validators: FeedValidators
  public var lastRefreshed: Date?
  /// Failed refreshes since the last successful one.
  public var failures: Int
  /// The feed's last itunes:new-feed-url.
  public var newFeedURL: String?
  /// The credentials that the listener gave for the feed.
  public var credentials: Credentials?
  /// What the listener has set instead of Earshot's own name.
  public var userAgent: UserAgent?
}
