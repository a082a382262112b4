import FeedKit
import Foundation
import HTTP
import Model
import Store

/// Fetches the older pages of a paged feed (RFC 5005), or all videos of a list, on demand. A refresh only fetches the
/// first page, or the newest videos.
package struct ArchiveFetcher {
  package let library: Library
  package let client: FeedClient
  /// nil: the listener has not named yt-dlp.
  package let sites: Sites?
  /// How many episodes of a back catalogue count as new, if the podcast has no setting of its own.
  package let catalogueRule: CatalogueRule
  package let clock: @Sendable () -> Date

  package init(
    library: Library, client: FeedClient, sites: Sites? = nil, catalogueRule: CatalogueRule = .standard,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.library = library
    self.client = client
    self.sites = sites
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
  package func fetch(_ podcast: PodcastID, feedURL: String) async throws(StoreError) -> Outcome {
    if let outcome = try await fetchList(podcast, feedURL: feedURL) { return outcome }
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
      let rule = settings.newEpisodes ?? catalogueRule
      let page = try library.prepare(
        feed, of: podcast, info: RefreshInfo(validators: info.validators, catalogueRule: rule))
      for result in library.store([.feed(podcast, page)], now: clock()) { outcome.new = try result.get().new.count }
      let archive = await client.fetchArchive(from: feed, url: info.finalURL, access: access)
      outcome.pages = archive.pages
      outcome.isBounded = archive.stop == .limit
      if case .failed(let error) = archive.stop { outcome.failure = error }
      if !archive.episodes.isEmpty {
        let page = Feed(podcast: feed.podcast, episodes: archive.episodes)
        outcome.new += try library.applyPage(page, to: podcast, catalogueRule: rule, now: clock()).new.count
      }
      return outcome
    }
  }

  /// All videos of a list that yt-dlp reads, or that a feed of YouTube has the newest of.
  /// - Returns: nil if it is another feed, or the listener has no yt-dlp for it.
  private func fetchList(_ podcast: PodcastID, feedURL: String) async throws(StoreError) -> Outcome? {
    let own = SiteList.page(ofFeed: feedURL)
    guard let page = own ?? SiteAnswer.list(ofFeed: feedURL).flatMap({ try? WebAddress($0) }) else { return nil }
    guard let sites else { return own == nil ? nil : Outcome(failure: .http(.page(Sites.advice))) }
    let answer: SiteAnswer
    do throws(FeedError) { answer = try await sites.look(at: page, limit: Sites.all) } catch {
      return Outcome(failure: error)
    }
    var outcome = Outcome(pages: 1, isBounded: answer.episodes.count >= Sites.all)
    let settings = try library.settings(of: podcast)
    let feed = Feed(podcast: answer.podcast, episodes: try library.described(answer.episodes, of: podcast))
    outcome.new = try library.applyPage(
      feed, to: podcast, catalogueRule: settings.newEpisodes ?? catalogueRule, now: clock()
    ).new.count
    return outcome
  }
}
