import FeedKit
import Foundation
import HTTP
import Model
import Store

/// Podcasts and videos at sites that only yt-dlp reads.
extension Refresher {
  /// What is at a page: a feed that the site has for it, else what yt-dlp lists.
  func locate(
    _ page: WebAddress, onArrival: @escaping @Sendable (ArrivingPodcast) -> Void
  ) async throws(AddFailure) -> Located {
    let shown = ShownAddress(page.text).description
    guard let sites else { throw .feed(.http(.page(Sites.advice)), address: shown) }
    let answer: SiteAnswer
    do throws(FeedError) { answer = try await sites.look(at: page) } catch { throw .feed(error, address: shown) }
    return try await located(answer, at: page, onArrival: onArrival)
  }

  /// Looks with yt-dlp at a page where no feed was found.
  /// - Returns: nil if the listener has no yt-dlp, or it knows nothing there.
  func locate(
    instead text: String, of failure: AddFailure, onArrival: @escaping @Sendable (ArrivingPodcast) -> Void
  ) async throws(AddFailure) -> Located? {
    guard let sites, failure.isNoFeed, let page = SiteList.page(typed: FeedAddress.unwrapped(text)) else { return nil }
    let answer: SiteAnswer
    do throws(FeedError) { answer = try await sites.look(at: page) } catch {
      if case .http(.page(let cause)) = error, cause.reason == SiteFailure.unsupported || cause.isConnectivity {
        return nil
      }
      throw .feed(error, address: ShownAddress(page.text).description)
    }
    return try await located(answer, at: page, onArrival: onArrival)
  }

  private func located(
    _ answer: SiteAnswer, at page: WebAddress, onArrival: @escaping @Sendable (ArrivingPodcast) -> Void
  ) async throws(AddFailure) -> Located {
    let video = answer.isVideo ? answer.episodes.first : nil
    let clue = video.map { EpisodeClue(guid: $0.guid, mediaURL: $0.mediaURL, title: $0.title) }
    // Without its own feed, which may be missing, the list of yt-dlp is as good.
    if let url = answer.feedURL,
      var found = try? await locateFeed(url, shown: url, onArrival: onArrival)
    {
      found.episode = clue
      // The feed has only the newest videos.
      if let video, !found.feed.feed.episodes.contains(where: { $0.guid == video.guid }) {
        found.feed.feed.episodes.append(video)
      }
      return found
    }
    guard !answer.episodes.isEmpty else {
      let shown = ShownAddress(page.text).description
      throw .feed(.http(.page(PageFailure("there is no video in this list"))), address: shown)
    }
    let feedURL = SiteList.feedURL(page)
    var feed = Feed(podcast: answer.podcast, episodes: answer.episodes)
    feed.podcast.feedURL = feedURL
    ArrivalPreview(report: onArrival).add(feed.episodes, of: feed.podcast)
    return Located(feed, at: feedURL, episode: clue)
  }

  /// The newest videos of a list.
  func listSite(_ page: WebAddress) async -> FetchResult {
    guard let sites else { return .failed(.http(.page(Sites.advice))) }
    do throws(FeedError) {
      let answer = try await sites.look(at: page)
      // An error of the site must not look like an empty list.
      guard !answer.episodes.isEmpty else {
        return .failed(.http(.page(PageFailure("there is no video in this list any more"))))
      }
      var feed = Feed(podcast: answer.podcast, episodes: answer.episodes)
      feed.podcast.feedURL = SiteList.feedURL(page)
      return .feed(feed, FetchInfo(finalURL: page.text))
    } catch {
      return .failed(error)
    }
  }

  // MARK: What lists do not say

  /// Keeps what yt-dlp says about a video when it finds its sound: duration, chapters, description and picture.
  func storeDescriptions() {
    sites?.whenFound { [weak self] found in
      guard let self else { return }
      preparing.add {
        // The description is optional, and comes again with the next play.
        try? self.store(found)
      }
    }
  }

  private func store(_ found: FeedEpisode) throws(StoreError) {
    guard let guid = found.guid else { return }
    for id in try library.episodes(named: guid) {
      guard let detail = try library.episode(id), let address = detail.feed.mediaURL,
        try library.isPage(address, of: detail.row.podcast), let podcast = try library.podcastDetail(detail.row.podcast)
      else { continue }
      let filled = detail.feed.filled(by: found)
      guard filled != detail.feed else { continue }
      _ = try library.applyPage(
        Feed(podcast: podcast.feed, episodes: [filled]), to: podcast.id, catalogueRule: .none, now: clock())
    }
  }

  /// The feed, with what is known about its videos from elsewhere.
  func described(_ feed: Feed, of candidate: RefreshCandidate) throws(StoreError) -> Feed {
    guard sites != nil,
      SiteList.page(ofFeed: candidate.feedURL) != nil || SiteAnswer.list(ofFeed: candidate.feedURL) != nil
    else { return feed }
    var feed = feed
    feed.episodes = try library.described(feed.episodes, of: candidate.id)
    return feed
  }
}

extension Library {
  /// These videos, with what the library knows about them. A list says less than the library knows: its descriptions
  /// are cut, and its dates are estimates, which get worse with time.
  func described(_ episodes: [FeedEpisode], of podcast: PodcastID) throws(StoreError) -> [FeedEpisode] {
    var described = episodes
    for (index, episode) in episodes.enumerated() {
      guard let guid = episode.guid, let id = try episodeID(guid: guid, in: podcast), let known = try self.episode(id)
      else { continue }
      if episode.mediaType == VideoPage.mediaType {
        described[index] = known.feed.filled(by: episode)
        described[index].title = episode.title ?? known.feed.title
      } else {
        described[index] = episode.filled(by: known.feed)
      }
    }
    return described
  }
}

extension Refresher.AddFailure {
  /// Whether something answered that is no feed, and names none.
  fileprivate var isNoFeed: Bool {
    switch self {
    case .feed(.invalidData, _), .directory: true
    default: false
    }
  }
}
