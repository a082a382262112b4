import Directories
import Foundation
import Model
import Store

/// Podcasts that are fetched without subscribing, and podcasts that directories have found.
extension Refresher {
  /// Fetches a podcast and stores it without subscribing.
  package func visit(_ request: VisitRequest) async -> Result<VisitedPodcast, AddFailure> {
    do throws(AddFailure) {
      var found = try await locate(addresses(of: request), request.podcast)
      found.episode = request.episode ?? found.episode
      return await store(found, shown: request.podcast?.title ?? found.feed.url)
    } catch {
      return .failure(error)
    }
  }

  /// Subscribes to a podcast that a directory has found, and stores where it was found.
  /// - Parameter episode: the episode of the link that led there.
  package func subscribe(
    _ podcast: FoundPodcast, episode: EpisodeClue? = nil
  ) async -> Result<AddedPodcast, AddFailure> {
    do throws(AddFailure) {
      var found = try await locate([podcast.feedURL].compactMap(\.self), podcast)
      found.episode = episode ?? found.episode
      return await subscribe(found, shown: podcast.title)
    } catch {
      return .failure(error)
    }
  }

  /// The addresses to try. That of a subscription with the same podcast:guid comes first: the guid stays when a feed
  /// moves, and the feeds that name it (`podcast:remoteItem`) may keep its old address.
  private func addresses(of request: VisitRequest) async throws(AddFailure) -> [String] {
    let named = [request.address].compactMap(\.self)
    guard let podcast = request.podcast, let guid = podcast.guid else { return named }
    do throws(StoreError) {
      let known = try await preparing.run { () throws(StoreError) in
        try self.library.feedURL(guid: guid, preferred: request.address)
      }
      return [known].compactMap(\.self) + named.filter { $0 != known }
    } catch {
      throw .store(error, address: podcast.title)
    }
  }

  /// Fetches a podcast by the first of its addresses that leads to a feed, else by its podcast:guid.
  private func locate(_ addresses: [String], _ podcast: FoundPodcast?) async throws(AddFailure) -> Located {
    // The listener is told the first one.
    var failure: AddFailure?
    for address in addresses {
      do throws(AddFailure) {
        return try await locate(address, of: podcast)
      } catch {
        guard case .feed = error else { throw error }
        failure = failure ?? error
      }
    }
    var other: String?
    if let guid = podcast?.guid, let directories {
      do { other = try await directories.feedURL(guid: guid) } catch {
        failure = failure ?? AddFailure.directory(error)
      }
    }
    if let other, !addresses.contains(other) { return try await locate(other, of: podcast) }
    throw failure
      ?? AddFailure.feed(
        .invalidData(.notAFeed(reason: "no address of it is known")), address: podcast?.title ?? "A podcast")
  }

  private func locate(_ address: String, of podcast: FoundPodcast?) async throws(AddFailure) -> Located {
    var found: Located
    do throws(AddFailure) {
      found = try await locate(address)
    } catch {
      // Directories list feeds that no longer exist. The title is more helpful in the message than the address.
      if case .feed(let reason, _) = error, let title = podcast?.title { throw .feed(reason, address: title) }
      throw error
    }
    found.source = podcast?.source ?? found.source
    found.artworkURL = podcast?.artworkURL ?? found.artworkURL
    return found
  }

  private func store(_ found: Located, shown: String) async -> Result<VisitedPodcast, AddFailure> {
    do throws(StoreError) {
      return .success(try await preparing.run { () throws(StoreError) in try self.store(found) })
    } catch {
      return .failure(.store(error, address: shown))
    }
  }

  private func store(_ found: Located) throws(StoreError) -> VisitedPodcast {
    let new = found.feed
    let rule = catalogueRule(of: try library.podcastID(feedURL: new.url))
    let id = try library.subscribe(
      feed: new.feed, feedURL: new.url, source: found.source, imageURLOverride: found.artworkURL,
      credentials: new.credentials, info: RefreshInfo(validators: new.info.validators, catalogueRule: rule),
      isVisit: true, now: clock())
    var podcast = FoundPodcast(new.feed.podcast, url: new.url, episodes: new.feed.episodes.count)
    podcast.artworkURL = found.artworkURL
    if case .apple(let number)? = found.source { podcast.appleID = number }
    var visited = VisitedPodcast(id: id, podcast: podcast)
    if let clue = found.episode {
      visited.episode = try library.episode(clue, in: id)
      visited.lacksEpisode = visited.episode == nil
    }
    return visited
  }
}

extension Library {
  /// The episode that a link means, by guid, media address or title.
  package func episode(_ clue: EpisodeClue, in podcast: PodcastID) throws(StoreError) -> EpisodeID? {
    if let id = try episodeID(guid: clue.guid, mediaURL: clue.mediaURL, in: podcast) { return id }
    guard let wanted = clue.title.map(MatchText.normal), !wanted.isEmpty else { return nil }
    // Titles of web pages often contain the podcast and the site: "Episode — Podcast — Site".
    var best: (id: EpisodeID, length: Int)?
    let ids = try episodeIDs(EpisodeQuery(.podcast(podcast)))
    for start in stride(from: 0, to: ids.count, by: 500) {
      for row in try episodeRows(Array(ids[start..<min(ids.count, start + 500)])) {
        let title = MatchText.normal(row.title)
        if title == wanted { return row.id }
        guard wanted.hasPrefix(title + " "), title.count > best?.length ?? 0 else { continue }
        best = (row.id, title.count)
      }
    }
    return best?.id
  }
}
