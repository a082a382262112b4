import Foundation
import HTTP
import Model

/// A feed that was fetched to be added.
public struct NewFeed: Sendable {
  /// The address to subscribe to.
  public var url: String
  /// The address that was asked. It differs if the feed has moved permanently.
  public var asked: String
  public var credentials: Credentials?
  public var feed: Feed
  public var info: FetchInfo

  public init(url: String, asked: String, credentials: Credentials? = nil, feed: Feed, info: FetchInfo) {
    self.url = url
    self.asked = asked
    self.credentials = credentials
    self.feed = feed
    self.info = info
  }
}

extension FeedClient {
  /// Fetches a feed to be added: tries the addresses in order, and follows a web page to its feed. Of several failed
  /// connections, the first is reported, because it belongs to the most likely address. An answer of a server is always
  /// reported.
  /// - Parameter access: what a request to an address carries that the listener knows already. A paid feed may answer
  ///   without its password, with its public part.
  public func fetchNew(
    _ address: FeedAddress, userAgent: UserAgent? = nil, access: (String) -> RequestAccess = { _ in RequestAccess() },
    onEpisodes: EpisodePreview? = nil
  ) async throws(FeedError) -> NewFeed {
    var failure: FeedError?
    for url in address.urls {
      var access = access(url)
      access.credentials = address.credentials ?? access.credentials
      access.userAgent = userAgent ?? access.userAgent
      let request = FeedRequest(url: url, access: access)
      switch await fetch(request, onEpisodes: onEpisodes) {
      case .feed(let feed, let info):
        return NewFeed(
          url: info.addressToStore(asked: url), asked: url, credentials: access.credentials, feed: feed, info: info)
      case .unchanged: failure = failure ?? .http(.refused(status: 304))
      case .failed(let error):
        // Another scheme helps only if there was no connection.
        guard case .http(.noConnectivity) = error else { throw error }
        failure = failure ?? error
      }
    }
    throw failure ?? .http(.badAddress(address.directoryPage ?? ""))
  }
}
