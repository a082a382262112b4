import FeedKit
import Foundation
import Model
import Store

/// Fetches the older pages of a paged feed (RFC 5005), on demand. A refresh only fetches the first page.
package struct ArchiveFetcher {
  package let library: Library
  package let client: FeedClient
  /// How many episodes of a back catalogue count as new, if the podcast has no setting of its own.
  package let catalogueRule: CatalogueRule
  package let clock: @Sendable () -> Date

  package init(
    library: Library, client: FeedClient, catalogueRule: CatalogueRule = .standard,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.library = library
    self.client = client
    self.catalogueRule = catalogueRule
    self.clock = clock
  }

  package struct Outcome: Sendable, Equatable {
    /// Episodes that were not in the library.
    package var new = 0
    /// Pages read after the first.
    package var pages = 0
    /// A limit was reached, so there may be more pages.
    package var isBounded = false
    /// The error that ended the fetch early. Earlier pages are stored.
    package var failure: FeedError?
  }

  /// Fetches a podcast's pages and stores them, also if a later page fails.
  /// - Parameter onPage: called for each page.
  package func fetch(
    _ podcast: PodcastID, feedURL: String, limit: FeedArchive.Limit = FeedArchive.Limit(),
    onPage: @escaping @Sendable ([FeedEpisode]) -> Void = { _ in }
  ) async throws(StoreError) -> Outcome {
    var outcome = Outcome()
    let settings = try library.settings(of: podcast)
    let access = try library.access(of: podcast)
    let request = FeedRequest(
      url: feedURL, credentials: access.credentials, userAgent: access.userAgent, followsAlternates: false)
    switch await client.fetch(request) {
    case .failed(let error):
      outcome.failure = error
      return outcome
    case .unchanged: return outcome
    case .feed(let feed, let info):
      let page = try library.prepare(feed, of: podcast, info: RefreshInfo(validators: info.validators))
      for result in library.store([.feed(podcast, page)], now: clock()) { outcome.new = try result.get().new.count }
      let archive = await client.fetchArchive(
        from: feed, url: info.finalURL, limit: limit, access: access, onPage: onPage)
      outcome.pages = archive.pages
      outcome.isBounded = archive.stop == .limit
      if case .failed(let error) = archive.stop { outcome.failure = error }
      if !archive.episodes.isEmpty {
        let page = Feed(podcast: feed.podcast, episodes: archive.episodes)
        outcome.new += try library.applyPage(
          page, to: podcast, catalogueRule: settings.newEpisodes ?? catalogueRule, now: clock()
        ).new.count
      }
      return outcome
    }
  }
}
