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
  /// The entry of Apple's directory that led to the feed.
  public var listing: DirectoryListing?

  public init(
    url: String, asked: String, credentials: Credentials? = nil, feed: Feed, info: FetchInfo,
    listing: DirectoryListing? = nil
  ) {
    self.url = url
    self.asked = asked
    self.credentials = credentials
    self.feed = feed
    self.info = info
    self.listing = listing
  }
}

/// Apple's directory entry of a podcast: https://performance-partners.apple.com/search-api
public struct DirectoryListing: Sendable, Equatable {
  public var collectionID: String
  public var feedURL: String
  /// The largest image of the entry.
  public var artworkURL: String?
}

extension FeedClient {
  /// Fetches a feed to be added: resolves the address, tries the candidates in order, and follows a web page to its
  /// feed. Of several failed connections, the first is reported, because it belongs to the most likely address. An
  /// answer of a server is always reported.
  /// - Parameter access: what a request to an address carries that the listener knows already. A paid feed may answer
  ///   without its password, with its public part.
  public func fetchNew(
    _ address: FeedAddress, userAgent: UserAgent? = nil, access: (String) -> RequestAccess = { _ in RequestAccess() },
    onEpisodes: EpisodePreview? = nil
  ) async throws(FeedError) -> NewFeed {
    var failure: FeedError?
    var listing: DirectoryListing?
    let urls: [String]
    switch address.target {
    case .urls(let all): urls = all
    case .lookup(let appleID):
      let found = try await lookUp(appleID: appleID)
      (listing, urls) = (found, [found.feedURL])
    }
    for url in urls {
      let access = access(url)
      let credentials = address.credentials ?? access.credentials
      let request = FeedRequest(url: url, credentials: credentials, userAgent: userAgent ?? access.userAgent)
      switch await fetch(request, onEpisodes: onEpisodes) {
      case .feed(let feed, let info):
        return NewFeed(
          url: info.addressToStore(asked: url), asked: url, credentials: credentials, feed: feed, info: info,
          listing: listing)
      case .unchanged: failure = failure ?? .http(.refused(status: 304))
      case .failed(let error):
        // Another scheme helps only if there was no connection.
        guard case .http(.noConnectivity) = error else { throw error }
        failure = failure ?? error
      }
    }
    throw failure ?? .http(.badAddress(""))
  }

  /// Looks up the podcast's feed in Apple's directory.
  private func lookUp(appleID: String) async throws(FeedError) -> DirectoryListing {
    struct Answer: Decodable {
      struct Entry: Decodable {
        var collectionId: Int64?
        var feedUrl: String?
        var artworkUrl600: String?
        var artworkUrl100: String?
      }
      var results: [Entry]
    }
    let body = try await get("\(options.lookupBase)/lookup?id=\(appleID)&entity=podcast", accept: "application/json")
    let answer: Answer
    do {
      answer = try JSONDecoder().decode(Answer.self, from: Data(body.bytes))
    } catch { throw .invalidData(.malformed(reason: "the answer of Apple's directory could not be read")) }
    guard let entry = answer.results.first else {
      throw .invalidData(.malformed(reason: "Apple's directory has no podcast \(appleID)"))
    }
    guard let feed = entry.feedUrl else {
      throw .invalidData(.malformed(reason: "Apple's directory names no feed for podcast \(appleID)"))
    }
    let artwork = (entry.artworkUrl600 ?? entry.artworkUrl100).flatMap { try? WebAddress($0).text }
    return DirectoryListing(
      collectionID: entry.collectionId.map(String.init) ?? appleID, feedURL: try WebAddress(ofFeed: feed).text,
      artworkURL: artwork)
  }
}
