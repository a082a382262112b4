import Foundation
import Model

/// What came with a refresh beside the feed.
public struct RefreshInfo: Sendable, Equatable {
  /// Nil keeps those that are stored (a 304 repeats none).
  public var validators: FeedValidators?
  /// The server wants to be left alone until then (Retry-After, Cache-Control, ttl).
  public var notBefore: Date?
  /// How many episodes count as new when this is the first that is known of the podcast.
  public var catalogueRule: CatalogueRule
  public init(validators: FeedValidators? = nil, notBefore: Date? = nil, catalogueRule: CatalogueRule = .all) {
    self.validators = validators
    self.notBefore = notBefore
    self.catalogueRule = catalogueRule
  }
}

/// What a refresh changed.
public struct ApplyResult: Sendable, Equatable {
  /// In document order.
  public var new: [EpisodeID] = []
  public var updated = 0
  /// Have left the feed and are kept.
  public var gone = 0
  /// Titles of those that the publisher took back before the listener touched them; they are deleted.
  public var removed: [String] = []
  /// Have just left the middle of the feed, too many at once to be the publisher's wish: they are kept, and are among
  /// `gone`.
  public var kept = 0
  public init() {}
}

/// A podcast whose feed may be asked now.
public struct RefreshCandidate: Sendable, Equatable {
  public var id: PodcastID
  public var feedURL: String
  public var title: String
  public var validators: FeedValidators
  public var lastRefreshed: Date?
  /// Refreshes that failed since the last that did not.
  public var failures: Int
  /// itunes:new-feed-url, as the feed last said it.
  public var newFeedURL: String?
  /// What the listener gave for its feed.
  public var credentials: Credentials?
}
