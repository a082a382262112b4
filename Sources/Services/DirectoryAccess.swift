import Directories
import Foundation
import Model
import Synchronization

/// The directories with the keys of the configuration. Commands that print secrets run before the first request, and
/// only then.
package final class DirectoryAccess: Sendable {
  private let readSettings: @Sendable () -> DirectorySettings
  private let transport: any DirectoryTransport
  private let known = Mutex<DirectorySettings?>(nil)
  /// A command may take long, so it does not run on a thread of Swift concurrency.
  private let reading = WorkerThreads("directory keys", atOnce: 1, lowersPriority: false)

  /// - Parameter settings: called once, on a thread that may block, because it may run commands.
  package init(transport: any DirectoryTransport, settings: @escaping @Sendable () -> DirectorySettings) {
    readSettings = settings
    self.transport = transport
  }

  package func settings() async -> DirectorySettings {
    if let settings = known.withLock({ $0 }) { return settings }
    return await reading.run { [self] () -> DirectorySettings in
      // The request before this one may have read them.
      let settings = known.withLock { $0 } ?? readSettings()
      known.withLock { $0 = settings }
      return settings
    }
  }

  /// The directories that support this kind of query.
  package func directories(for query: DirectoryQuery) async -> [any PodcastDirectory] {
    await settings().directories(transport: transport).filter { $0.supports(query.kind) }
  }

  /// Resolves a link to the address of a feed, with what is known about the podcast and the episode.
  package func follow(
    _ link: SharedLink
  ) async throws(Refresher.AddFailure) -> (address: String, podcast: FoundPodcast?, episode: EpisodeClue?) {
    let resolved: ResolvedLink
    do throws(DirectoryError) {
      resolved = try await SharedLinkResolver(settings(), transport: transport).resolve(link)
    } catch {
      throw .directory(error)
    }
    switch resolved.outcome {
    case .feed(let url, let podcast): return (url, podcast.map { FoundPodcast($0) }, resolved.episode)
    case .notListed(let site, let title): throw .noFeed(site: site, title: title)
    case .matches(let matches):
      let podcasts = matches.map { match in
        var podcast = FoundPodcast(match)
        if case .spotify(.show, let id) = link { podcast.spotifyID = id }
        return podcast
      }
      throw .ambiguous(LinkMatches(site: link.site, podcasts: podcasts, episode: resolved.episode))
    }
  }

  /// The names under which the library may know the podcast of a link (`Library.subscriptionNames`). If it is not
  /// certain which podcast is meant, the names of all candidates.
  package func names(of link: SharedLink) async throws(Refresher.AddFailure) -> [String] {
    do throws(Refresher.AddFailure) {
      let found = try await follow(link)
      return FoundPodcast.names(feedURL: found.address) + (found.podcast?.names ?? [])
    } catch {
      guard case .ambiguous(let matches) = error else { throw error }
      return matches.podcasts.flatMap(\.names)
    }
  }

  /// The address of the feed with this podcast:guid.
  package func feedURL(guid: String) async throws(DirectoryError) -> String {
    guard let directory = await settings().podcastIndex(transport) else {
      throw DirectoryError(
        DirectoryName.podcastindex.title, .key("only it knows this podcast's address, and it needs a key"))
    }
    guard let url = try await directory.podcast(guid: guid)?.feedURL else {
      throw DirectoryError(directory.name.title, .unreadable("it does not know this podcast"))
    }
    return url
  }
}
