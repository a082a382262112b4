import Foundation
import Model

/// What came with a refresh beside the feed.
public struct RefreshInfo: Sendable, Equatable {
  /// Nil keeps those that are stored (a 304 repeats none).
  public var validators: FeedValidators?
  /// The server wants to be left alone until then (Retry-After, Cache-Control, ttl).
  public var notBefore: Date?
  public init(validators: FeedValidators? = nil, notBefore: Date? = nil) {
    self.validators = validators
    self.notBefore = notBefore
  }
}

/// What a refresh changed.
public struct ApplyResult: Sendable, Equatable {
  /// In document order.
  public var new: [EpisodeID] = []
  public var updated = 0
  /// Have left the feed and are kept.
  public var gone = 0
  /// Were taken back by the publisher before the listener touched them.
  public var removed = 0
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
}
