import FeedKit
import Foundation
import Model
import Store

/// Fetches what a feed has beyond its first page (RFC 5005), on demand: a refresh asks for the first page only.
package struct ArchiveFetcher {
  package let library: Library
  package let client: FeedClient
  /// How many of a back catalogue's episodes count as new, when the podcast does not say.
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
    /// Episodes that the library did not have.
    package var new = 0
    /// Pages read beyond the first.
    package var pages = 0
    /// There may be more: a bound was reached.
    package var isBounded = false
    /// What ended the walk early; what had come by then is stored.
    package var failure: FeedError?
  }

  /// Walks a podcast's pages and stores what came, also when a later one fails. `onPage` is called with each page.
  package func fetch(
    _ podcast: PodcastID, feedURL: String, limit: FeedArchive.Limit = FeedArchive.Limit(),
    onPage: @escaping @Sendable ([FeedEpisode]) -> Void = { _ in }
  ) async throws(StoreError) -> Outcome {
    var outcome = Outcome()
    let settings = try library.settings(of: podcast)
    let credentials = try library.credentials(of: podcast)
    let request = FeedRequest(url: feedURL, credentials: credentials, followsAlternates: false)
    switch await client.fetch(request) {
    case .failed(let error):
      outcome.failure = error
      return outcome
    case .unchanged: return outcome
    case .feed(let feed, let info):
      outcome.new = try library.apply(
        feed: feed, to: podcast, info: RefreshInfo(validators: info.validators), now: clock()
      ).new.count
      let archive = await client.fetchArchive(
        from: feed, url: info.finalURL, limit: limit, credentials: credentials, onPage: onPage)
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
