import Foundation
import HTTP
import Model

/// A feed that was fetched to be added.
public struct NewFeed: Sendable {
  /// The address to subscribe to.
  public var url: String
  public var credentials: Credentials?
  public var feed: Feed
  public var info: FetchInfo
  /// The entry of Apple's directory that led here.
  public var listing: DirectoryListing?
}

/// What Apple's directory says of a podcast: https://performance-partners.apple.com/search-api
public struct DirectoryListing: Sendable, Equatable {
  public var collectionID: String
  public var feedURL: String
  /// The largest picture that it names.
  public var artworkURL: String?
}

extension FeedClient {
  /// Fetches what a user wants to add: resolves it, tries its addresses in order, follows a web page to its feed.
  /// Of several failures the first is reported: it belongs to the address that should have worked.
  public func fetchNew(
    _ address: FeedAddress, onEpisodes: EpisodePreview? = nil
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
      let request = FeedRequest(url: url, credentials: address.credentials)
      switch await fetch(request, onEpisodes: onEpisodes) {
      case .feed(let feed, let info):
        return NewFeed(
          url: info.addressToStore(asked: url), credentials: address.credentials, feed: feed, info: info,
          listing: listing)
      case .unchanged: failure = failure ?? .http(.refused(status: 304))
      case .failed(let error):
        failure = failure ?? error
        // Another scheme helps when there is no connection, not when there was an answer.
        guard case .http(.noConnectivity) = error else { throw failure ?? error }
      }
    }
    throw failure ?? .http(.badAddress(""))
  }

  /// Asks Apple's directory where that podcast's feed is.
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
