import AppCore
import Directories
import Foundation
import Model
import Store

/// Podcasts that are looked at, and those that directories have found.
extension Refresher {
  /// Fetches a podcast and stores it to be looked at, without subscribing.
  package func visit(_ wish: VisitWish) async -> Result<VisitedPodcast, AddFailure> {
    do throws(AddFailure) {
      var found = try await locate(wish.address, wish.podcast)
      found.episode = wish.episode ?? found.episode
      return await keep(found, shown: wish.podcast?.title ?? found.feed.url)
    } catch {
      return .failure(error)
    }
  }

  /// Subscribes to what a directory has found; where that was is kept.
  /// - Parameter episode: that of the link which led there.
  package func subscribe(
    _ podcast: FoundPodcast, episode: EpisodeClue? = nil
  ) async -> Result<AddedPodcast, AddFailure> {
    do throws(AddFailure) {
      var found = try await locate(podcast.feedURL, podcast)
      found.episode = episode ?? found.episode
      return await subscribe(found, shown: podcast.title)
    } catch {
      return .failure(error)
    }
  }

  /// By its address, else by its podcast:guid.
  private func locate(_ address: String?, _ podcast: FoundPodcast?) async throws(AddFailure) -> Located {
    var address = address
    if address == nil, let guid = podcast?.guid, let directories {
      do { address = try await directories.feedURL(guid: guid) } catch { throw .directory(error) }
    }
    guard let address else {
      throw .feed(.invalidData(.notAFeed(reason: "no address of it is known")), address: podcast?.title ?? "A podcast")
    }
    var found: Located
    do throws(AddFailure) {
      found = try await locate(address)
    } catch {
      // Directories keep addresses of feeds that are long gone: the title says more than they do.
      if case .feed(let reason, _) = error, let title = podcast?.title { throw .feed(reason, address: title) }
      throw error
    }
    found.source = podcast?.source ?? found.source
    found.artworkURL = podcast?.artworkURL ?? found.artworkURL
    return found
  }

  private func keep(_ found: Located, shown: String) async -> Result<VisitedPodcast, AddFailure> {
    await withCheckedContinuation { continuation in
      preparing.add {
        do throws(StoreError) {
          continuation.resume(returning: .success(try self.store(found)))
        } catch {
          continuation.resume(returning: .failure(.store(error, address: shown)))
        }
      }
    }
  }

  private func store(_ found: Located) throws(StoreError) -> VisitedPodcast {
    let new = found.feed
    let rule = catalogueRule(of: try library.podcastID(feedURL: new.url))
    let id = try library.visit(
      feed: new.feed, feedURL: new.url, source: found.source, imageURLOverride: found.artworkURL,
      credentials: new.credentials, info: RefreshInfo(validators: new.info.validators, catalogueRule: rule),
      now: clock())
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
  /// The episode that a link means: by its guid, its media, or its title.
  package func episode(_ clue: EpisodeClue, in podcast: PodcastID) throws(StoreError) -> EpisodeID? {
    if let id = try episodeID(guid: clue.guid, mediaURL: clue.mediaURL, in: podcast) { return id }
    guard let wanted = clue.title.map(MatchText.normal), !wanted.isEmpty else { return nil }
    // Titles of pages name the podcast and the site as well: "Episode — Podcast — Site".
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
