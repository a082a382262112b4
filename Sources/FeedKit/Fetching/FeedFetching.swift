import Foundation
import HTTP
import Model

/// A request for a feed.
public struct FeedRequest: Sendable {
  /// An http or https address. User info in it is used as credentials for its origin.
  public var url: String
  public var validators: FeedValidators
  /// Credentials are sent at once, but only to their own origin: see `BasicAuthorization`.
  public var access: RequestAccess
  /// If the response is a web page, fetch the feed that it links to. Used for adding. A known feed that suddenly
  /// returns a page (a captive portal, a parked domain) must not become another feed.
  public var followsAlternates: Bool
  /// Follow itunes:new-feed-url.
  public var followsNewFeedURL: Bool
  /// The feed's itunes:new-feed-url when it was last read. A feed that has moved is often no longer updated, so the
  /// new address is followed even if the old one returns 304.
  public var knownNewFeedURL: String?

  public init(
    url: String, validators: FeedValidators = FeedValidators(), access: RequestAccess = RequestAccess(),
    followsAlternates: Bool = true, followsNewFeedURL: Bool = true, knownNewFeedURL: String? = nil
  ) {
    self.url = url
    self.validators = validators
    self.access = access
    self.followsAlternates = followsAlternates
    self.followsNewFeedURL = followsNewFeedURL
    self.knownNewFeedURL = knownNewFeedURL
  }
}

/// Metadata of a fetch besides the feed.
public struct FetchInfo: Sendable, Equatable {
  /// The address of the response, without user info.
  public var finalURL: String
  /// The address to store instead of the requested one, even if the feed is unchanged. Set if all redirects were
  /// permanent (or the feed has itunes:new-feed-url) and the target is known to be a feed. Without user info.
  public var movedTo: String?
  /// The feed that the web page at the requested address links to. Store it when adding.
  public var discoveredURL: String?
  /// The validators for the next request.
  public var validators: FeedValidators
  /// Bytes of the body after decompression. 0 for a 304.
  public var bytes: Int64
  /// The `Date` header of the server.
  public var date: Date?

  public init(finalURL: String, validators: FeedValidators = FeedValidators(), bytes: Int64 = 0, date: Date? = nil) {
    self.finalURL = finalURL
    self.validators = validators
    self.bytes = bytes
    self.date = date
  }

  /// The address to store if `asked` was requested.
  public func addressToStore(asked: String) -> String { movedTo ?? discoveredURL ?? asked }
}

/// The result of fetching a feed.
public enum FetchResult: Sendable {
  /// 304, or the same body as last time.
  case unchanged(FetchInfo)
  case feed(Feed, FetchInfo)
  case failed(FeedError)
}

/// A file that is not a feed: chapters, a transcript, an image, an OPML list.
public struct FetchedBody: Sendable {
  public var bytes: [UInt8]
  public var contentType: String?
  public var finalURL: String
}
