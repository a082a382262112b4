import Foundation
import HTTP

/// Where a shared link leads: to the feed, and to the episode in it.
public struct ResolvedLink: Sendable, Equatable {
  /// By which an episode is found in the feed; whatever is known.
  public struct Episode: Sendable, Equatable {
    public var guid: String?
    public var mediaURL: String?
    public var title: String?
  }

  public enum Outcome: Sendable, Equatable {
    case feed(url: String, podcast: DirectoryPodcast?)
    /// Found by titles: the best first. The listener decides.
    case matches([PodcastMatch])
    /// No directory knows it: it is nowhere but there.
    case onlyThere(site: String, title: String)
  }

  public var outcome: Outcome
  public var episode: Episode?
}

/// Finds the feed behind a link to the site of a directory or of another player.
public struct SharedLinkResolver: Sendable {
  private let apple: AppleDirectory
  private let fyyd: FyydDirectory
  private let podcastIndex: PodcastIndexDirectory?
  private let spotify: SpotifyDirectory
  private let search: DirectorySearch
  private let transport: any DirectoryTransport

  public init(
    apple: AppleDirectory, fyyd: FyydDirectory, podcastIndex: PodcastIndexDirectory?, spotify: SpotifyDirectory,
    search: DirectorySearch, transport: any DirectoryTransport
  ) {
    self.apple = apple
    self.fyyd = fyyd
    self.podcastIndex = podcastIndex
    self.spotify = spotify
    self.search = search
    self.transport = transport
  }

  public func resolve(_ link: SharedLink) async throws(DirectoryError) -> ResolvedLink {
    switch link {
    case .apple(let id, let episode): return try await resolveApple(id, episode)
    case .youTube(let feedURL): return ResolvedLink(outcome: .feed(url: feedURL, podcast: nil))
    case .fyyd(let id): return try Self.listed(try await fyyd.podcast(id: id), by: "fyyd")
    case .podcastIndex(let id):
      if let podcastIndex { return try Self.listed(try await podcastIndex.podcast(id: id), by: "Podcast Index") }
      return try await resolvePage("Podcast Index", "https://podcastindex.org/podcast/\(id)")
    case .spotify(let kind, let id): return try await resolveSpotify(kind, id)
    case .page(let site, let url): return try await resolvePage(site, url)
    }
  }

  private static func listed(_ podcast: DirectoryPodcast?, by directory: String) throws(DirectoryError) -> ResolvedLink
  {
    guard let podcast, let url = podcast.feedURL else {
      throw DirectoryError(directory, .unreadable("it has no such podcast"))
    }
    return ResolvedLink(outcome: .feed(url: url, podcast: podcast))
  }

  private func resolveApple(_ id: String, _ episodeID: String?) async throws(DirectoryError) -> ResolvedLink {
    var resolved = try Self.listed(try await apple.podcasts(ids: [id]).podcasts.first, by: "Apple Podcasts")
    if let episodeID, let episode = try await apple.episode(episodeID, ofPodcast: id) {
      resolved.episode = ResolvedLink.Episode(guid: episode.guid, mediaURL: episode.mediaURL, title: episode.title)
    }
    return resolved
  }

  private func resolveSpotify(_ kind: SharedLink.SpotifyKind, _ id: String) async throws(DirectoryError) -> ResolvedLink
  {
    let found = try await spotify.look(up: kind, id: id)
    let episode = found.episodeTitle.map { ResolvedLink.Episode(title: $0) }
    if found.podcast.title.isEmpty, let title = found.episodeTitle {
      return ResolvedLink(outcome: try await byEpisode(title, site: "Spotify"), episode: episode)
    }
    return ResolvedLink(outcome: try await byTitle(found.podcast, site: "Spotify"), episode: episode)
  }

  private func resolvePage(_ site: String, _ url: String) async throws(DirectoryError) -> ResolvedLink {
    let response: DirectoryResponse
    do throws(HTTPError) {
      response = try await transport.send(DirectoryRequest(url))
    } catch { throw DirectoryError(site, .fetch(error)) }
    guard (200..<300).contains(response.status) else {
      throw DirectoryError(site, .fetch(response.status == 404 ? .notFound : .refused(status: response.status)))
    }
    // Short links lead to a page of another site that may be known.
    if response.url != url, let link = SharedLink(response.url), link != .page(site: site, url: response.url) {
      if case .page = link {} else { return try await resolve(link) }
    }
    let page = SharedPage(response.body)
    let episode = page.mediaURL.map { ResolvedLink.Episode(mediaURL: $0, title: page.title) }
    if let feed = page.feedURLs.first {
      return ResolvedLink(outcome: .feed(url: feed, podcast: nil), episode: episode)
    }
    if let id = page.appleID {
      var resolved = try await resolveApple(id, nil)
      resolved.episode = episode
      return resolved
    }
    guard let title = page.title else { throw DirectoryError(site, .unreadable("a page without a title")) }
    return ResolvedLink(outcome: try await byTitle(WantedPodcast(title: title), site: site), episode: episode)
  }

  /// Looks for a podcast by its title in all directories.
  private func byTitle(_ wanted: WantedPodcast, site: String) async throws(DirectoryError) -> ResolvedLink.Outcome {
    let results = await search.results(DirectoryQuery(wanted.title, limit: 20))
    if results.podcasts.isEmpty, let failure = results.failures.first { throw failure }
    var matches = results.podcasts.filter { $0.feedURL != nil }
      .map { PodcastMatch(podcast: $0, certainty: wanted.certainty(of: $0)) }
      .filter { $0.certainty >= PodcastMatch.least }
      .sorted { $0.certainty > $1.certainty }
    // Titles of podcasts are shared by many; those of the newest episodes are not.
    for index in matches.indices.prefix(wanted.episodeTitles.isEmpty ? 0 : 3) {
      guard let id = matches[index].podcast.appleID, let titles = try? await apple.newestTitles(ofPodcast: id) else {
        continue
      }
      matches[index].certainty = wanted.certainty(of: matches[index].podcast, episodeTitles: titles)
    }
    return Self.outcome(matches.filter { $0.certainty >= PodcastMatch.least }, site: site, title: wanted.title)
  }

  /// Looks for an episode by its title; its podcast is what is wanted.
  private func byEpisode(_ title: String, site: String) async throws(DirectoryError) -> ResolvedLink.Outcome {
    let results = await search.results(DirectoryQuery(title, kind: .episodes, limit: 20))
    if results.episodes.isEmpty, let failure = results.failures.first { throw failure }
    var matches: [PodcastMatch] = []
    for episode in results.episodes {
      guard let feed = episode.feedURL, !matches.contains(where: { $0.podcast.feedURL == feed }) else { continue }
      var podcast = DirectoryPodcast(title: episode.podcastTitle)
      podcast.feedURL = feed
      podcast.directories = [episode.directory]
      // A title alone may be shared by many episodes.
      let certainty = 0.8 * WantedPodcast.likeness(title, episode.title)
      if certainty >= PodcastMatch.least { matches.append(PodcastMatch(podcast: podcast, certainty: certainty)) }
    }
    return Self.outcome(matches, site: site, title: title)
  }

  private static func outcome(_ matches: [PodcastMatch], site: String, title: String) -> ResolvedLink.Outcome {
    let best = matches.sorted { $0.certainty > $1.certainty }.prefix(9)
    return best.isEmpty ? .onlyThere(site: site, title: title) : .matches(Array(best))
  }
}
