import Foundation
import HTTP
import Model

/// One feed to fetch.
public struct FeedRequest: Sendable {
  /// http or https; user info in it is used as credentials of its origin.
  public var url: String
  public var validators: FeedValidators
  /// Sent at once, and to their own origin only: see `BasicAuthorization`.
  public var credentials: Credentials?
  /// A web page in place of a feed: go to the feed that it names. For adding; a known feed that suddenly answers
  /// with a page (a captive portal, a parked domain) must not become another feed.
  public var followsAlternates: Bool
  /// Go where itunes:new-feed-url points.
  public var followsNewFeedURL: Bool
  /// What the feed said in itunes:new-feed-url when it was last read. A feed that moved is often not written any more: the
  /// new address is followed also when the old one answers that nothing has changed.
  public var knownNewFeedURL: String?

  public init(
    url: String, validators: FeedValidators = FeedValidators(), credentials: Credentials? = nil,
    followsAlternates: Bool = true, followsNewFeedURL: Bool = true, knownNewFeedURL: String? = nil
  ) {
    self.url = url
    self.validators = validators
    self.credentials = credentials
    self.followsAlternates = followsAlternates
    self.followsNewFeedURL = followsNewFeedURL
    self.knownNewFeedURL = knownNewFeedURL
  }
}

/// How a fetch went, beside the feed itself.
public struct FetchInfo: Sendable, Equatable {
  /// Where the answer came from, without userinfo.
  public var finalURL: String
  /// Store this address in place of the one asked for, also when the feed is unchanged: every redirect was permanent (or
  /// the feed says itunes:new-feed-url), and what is there was read as a feed, now or when the validators were stored.
  /// Without user info.
  public var movedTo: String?
  /// The feed that the web page at the address asked for names. Store it when adding.
  public var discoveredURL: String?
  /// For the next request.
  public var validators: FeedValidators
  /// Of the body, after decompression; 0 for a 304.
  public var bytes: Int64
  /// The server's `Date`.
  public var date: Date?

  /// The address to keep, when `asked` was asked for.
  public func addressToStore(asked: String) -> String { movedTo ?? discoveredURL ?? asked }
}

/// The outcome of fetching one feed.
public enum FetchResult: Sendable {
  /// 304, or the same body as last time.
  case unchanged(FetchInfo)
  case feed(Feed, FetchInfo)
  case failed(FeedError)
}

/// A body of another kind: chapters, a transcript, a picture, an OPML list.
public struct FetchedBody: Sendable {
  public var bytes: [UInt8]
  public var contentType: String?
  public var finalURL: String
}
