import Foundation
import Model

/// A feed that was fetched to be added.
public struct NewFeed: Sendable {
  /// The address to subscribe to.
  public var url: String
  public var credentials: Credentials?
  public var feed: Feed
  public var info: FetchInfo
}

extension FeedClient {
  /// The addresses to try for what a user pasted; asks Apple's directory where that is needed.
  public func resolve(_ address: FeedAddress) async throws(FeedError) -> [String] {
    switch address.target {
    case .urls(let urls): return urls
    case .lookup(let appleID): return [try await lookUp(appleID: appleID)]
    }
  }

  /// Fetches what a user wants to add: resolves it, tries its addresses in order, follows a web page to its feed.
  /// Of several failures the first is reported: it belongs to the address that should have worked.
  public func fetchNew(
    _ address: FeedAddress, onEpisodes: @escaping EpisodePreview = { _, _ in }
  ) async throws(FeedError) -> NewFeed {
    var failure: FeedError?
    for url in try await resolve(address) {
      let request = FeedRequest(url: url, credentials: address.credentials)
      switch await fetch(request, onEpisodes: onEpisodes) {
      case .feed(let feed, let info):
        return NewFeed(
          url: info.addressToStore(asked: url), credentials: address.credentials, feed: feed, info: info)
      case .unchanged: failure = failure ?? .refused(status: 304)
      case .failed(let error):
        failure = failure ?? error
        // Another scheme helps when there is no connection, not when there was an answer.
        guard case .noConnectivity = error else { throw failure ?? error }
      }
    }
    throw failure ?? .badAddress("")
  }

  /// The feed of a podcast in Apple's directory (PROTOCOLS §4).
  private func lookUp(appleID: String) async throws(FeedError) -> String {
    struct Answer: Decodable {
      struct Entry: Decodable { var feedUrl: String? }
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
    return try WebAddress(feed).text
  }
}
