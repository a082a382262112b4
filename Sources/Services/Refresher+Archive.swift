import FeedKit
import HTTP
import Model
import Store

/// Fetches the older pages of a paged feed (RFC 5005), or all videos of a list, on demand. A refresh only fetches the
/// first page, or the newest videos.
extension Refresher {
  package struct ArchiveOutcome: Sendable, Equatable {
    /// Episodes that were not in the library.
    package var new = 0
    /// Pages read after the first.
    package var pages = 0
    /// A limit was reached, so there may be more pages.
    package var isBounded = false
    /// The error that ended the fetch early. Earlier pages are stored.
    package var failure: FeedError?
  }

  /// Fetches a podcast's older pages and stores them, also if a later page fails. The first page is only read for its
  /// links: `refresh`, which comes before, stores it and reports what is new.
  /// - Parameters:
  ///   - podcast: may be gone, if the refresh has merged it into the one that has its new address.
  ///   - refresh: what that refresh has done. If it failed, only a list is fetched, which does not need the feed.
  package func fetchArchive(
    of podcast: PodcastID, after refresh: Count = Count()
  ) async throws(StoreError) -> ArchiveOutcome {
    var outcome = ArchiveOutcome(failure: refresh.failure)
    var podcast = podcast
    if let address = refresh.movedTo, let moved = try library.podcastID(feedURL: address) { podcast = moved }
    guard let row = try library.podcastDetail(podcast)?.row else { throw .unknown("podcast \(podcast)") }
    if let outcome = try await fetchList(podcast, feedURL: row.feedURL) { return outcome }
    guard refresh.failed == 0 else { return outcome }
    let access = try library.access(of: podcast)
    let request = FeedRequest(url: row.feedURL, access: access, followsAlternates: false, followsNewFeedURL: false)
    switch await client.fetch(request) {
    case .failed(let error): outcome.failure = error
    case .unchanged: break
    case .feed(let feed, let info):
      // The refresh has told the listener which podcast that is.
      if let address = info.movedTo, try !canMove(podcast, row.title, to: address, feed) {
        outcome.failure = .invalidData(.malformed(reason: "the address leads to another podcast"))
        break
      }
      let known = try library.knownEpisodes(of: podcast)
      let archive = await client.fetchArchive(
        from: feed, url: info.finalURL, access: access, countNew: { known.countMissing(in: $0) })
      outcome.pages = archive.pages
      outcome.isBounded = archive.stop == .limit
      if case .failed(let error) = archive.stop { outcome.failure = error }
      if !archive.episodes.isEmpty {
        let page = Feed(podcast: feed.podcast, episodes: archive.episodes)
        outcome.new = try store(page, of: podcast)
      }
    }
    return outcome
  }

  /// All videos of a list that yt-dlp reads, or that a feed of YouTube has the newest of.
  /// - Returns: nil if it is another feed, or the listener has no yt-dlp for it.
  private func fetchList(_ podcast: PodcastID, feedURL: String) async throws(StoreError) -> ArchiveOutcome? {
    let own = SiteList.page(ofFeed: feedURL)
    guard let page = own ?? SiteAnswer.list(ofFeed: feedURL).flatMap({ try? WebAddress($0) }) else { return nil }
    guard let sites else { return own == nil ? nil : ArchiveOutcome(failure: .http(.page(Sites.advice))) }
    let answer: SiteAnswer
    do throws(FeedError) { answer = try await sites.look(at: page, limit: Sites.all) } catch {
      return ArchiveOutcome(failure: error)
    }
    var outcome = ArchiveOutcome()
    (outcome.pages, outcome.isBounded) = (1, answer.episodes.count >= Sites.all)
    let episodes = try library.described(answer.episodes, of: podcast)
    outcome.new = try store(Feed(podcast: answer.podcast, episodes: episodes), of: podcast)
    return outcome
  }

  /// - Returns: how many episodes are new.
  private func store(_ page: Feed, of podcast: PodcastID) throws(StoreError) -> Int {
    try library.applyPage(page, to: podcast, catalogueRule: catalogueRule(of: podcast), now: clock()).new.count
  }
}
