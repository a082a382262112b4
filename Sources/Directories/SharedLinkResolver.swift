import Foundation
import Model

/// The target of a shared link: the feed, and possibly an episode.
public struct ResolvedLink: Sendable, Equatable {
  /// What a link leads to.
  public enum Outcome: Sendable, Equatable {
    case feed(url: String, podcast: DirectoryPodcast?)
    /// Candidates found by title, best first. The listener chooses.
    case matches([PodcastMatch])
    /// No directory lists the podcast. It exists only on that site.
    case notListed(site: String, title: String)
  }

  public var outcome: Outcome
  /// All its values are nil if the link is to an episode and nothing is known about it.
  public var episode: EpisodeClue?
}

extension EpisodeClue {
  fileprivate init(_ episode: DirectoryEpisode) {
    self.init(guid: episode.guid, mediaURL: episode.mediaURL, title: episode.title)
  }
}

/// Finds the feed for a link to the site of a directory or of another player.
public struct SharedLinkResolver: Sendable {
  private let apple: AppleDirectory
  private let fyyd: FyydDirectory
  private let podcastIndex: PodcastIndexDirectory?
  private let spotify: SpotifyDirectory
  private let search: DirectorySearch
  private let transport: any DirectoryTransport

  public init(_ settings: DirectorySettings, transport: any DirectoryTransport) {
    apple = AppleDirectory(base: settings.appleBase, transport: transport)
    fyyd = FyydDirectory(base: settings.fyydBase, transport: transport)
    podcastIndex = settings.podcastIndex(transport)
    spotify = SpotifyDirectory(
      bases: settings.spotifyBases, credentials: settings.spotifyCredentials, market: settings.country,
      transport: transport)
    search = DirectorySearch(settings.directories(transport: transport))
    self.transport = transport
  }

  public func resolve(_ link: SharedLink) async throws(DirectoryError) -> ResolvedLink {
    switch link {
    case .apple(let id, let episode, let country): return try await resolveApple(id, episode, country)
    case .youTube(let feedURL): return ResolvedLink(outcome: .feed(url: feedURL, podcast: nil))
    case .fyyd(let id): return try Self.listed(try await fyyd.podcast(id: id), by: "fyyd")
    case .fyydEpisode(let id):
      let found = try await fyyd.episode(id: id)
      var resolved = try Self.listed(try await fyyd.podcast(id: found.podcast), by: "fyyd")
      resolved.episode = EpisodeClue(found.episode)
      return resolved
    case .podcastIndex(let id, let episode): return try await resolvePodcastIndex(id, episode)
    case .spotify(let kind, let id): return try await resolveSpotify(kind, id)
    case .page(let site, let url): return try await resolvePage(site, url)
    }
  }

  private static func listed(_ podcast: DirectoryPodcast?, by directory: String) throws(DirectoryError) -> ResolvedLink
  {
    guard let podcast, let url = podcast.feedURL else {
      throw DirectoryError(directory, .absent("has no such podcast, or names no feed for it"))
    }
    return ResolvedLink(outcome: .feed(url: url, podcast: podcast))
  }

  private func resolveApple(
    _ id: String, _ episodeID: String?, _ country: String?
  ) async throws(DirectoryError) -> ResolvedLink {
    var podcast = try await apple.podcasts(ids: [id], country: country).podcasts.first
    // A podcast that is not in a country's store may be found without a country.
    if podcast == nil, country != nil { podcast = try await apple.podcasts(ids: [id]).podcasts.first }
    var resolved = try Self.listed(podcast, by: "Apple Podcasts")
    guard let episodeID else { return resolved }
    if let episode = try await apple.episode(episodeID, ofPodcast: id, country: country) {
      resolved.episode = EpisodeClue(episode)
    } else {
      // The episode is older than the newest 200. Its web page still has the title.
      let page = "\(apple.pages)/\(country ?? "us")/podcast/id\(id)?i=\(episodeID)"
      let title = try? await self.page(page, of: "Apple Podcasts").page.title
      resolved.episode = EpisodeClue(title: title)
    }
    return resolved
  }

  private func resolvePodcastIndex(
    _ id: String, _ episodeID: String?
  ) async throws(DirectoryError) -> ResolvedLink {
    guard let podcastIndex else {
      return try await resolvePage(.podcastIndex, "\(PodcastIndexDirectory.pages)/podcast/\(id)")
    }
    var resolved = try Self.listed(try await podcastIndex.podcast(id: id), by: "Podcast Index")
    if let episodeID {
      let episode = try await podcastIndex.episode(id: episodeID)
      resolved.episode = episode.map { EpisodeClue($0) } ?? EpisodeClue()
    }
    return resolved
  }

  private func resolveSpotify(_ kind: SharedLink.SpotifyKind, _ id: String) async throws(DirectoryError) -> ResolvedLink
  {
    let found = try await spotify.lookUp(kind, id: id)
    let episode = found.episodeTitle.map { EpisodeClue(title: $0) }
    if found.podcast.title.isEmpty, let title = found.episodeTitle {
      return ResolvedLink(outcome: try await searchByEpisode(title, site: "Spotify"), episode: episode)
    }
    return ResolvedLink(outcome: try await searchByTitle(found.podcast, site: "Spotify"), episode: episode)
  }

  private func page(_ url: String, of site: String) async throws(DirectoryError) -> (page: SharedPage, url: String) {
    let response = try await transport.fetch(DirectoryRequest(url), of: site)
    return (SharedPage(response.body), response.url)
  }

  private func resolvePage(_ site: SharedLink.PageSite, _ url: String) async throws(DirectoryError) -> ResolvedLink {
    let (page, finalURL) = try await page(url, of: site.rawValue)
    var link = SharedLink.page(site, url: url)
    // A short link may redirect to another known site, or to a more specific page.
    if finalURL != url, let target = SharedLink(finalURL) {
      guard case .page = target else { return try await resolve(target) }
      link = target
    }
    let titles = page.titles(of: site)
    let isEpisode = site.hasTitles && (link.namesEpisode || page.mediaURL != nil)
    let episode = isEpisode ? EpisodeClue(mediaURL: page.mediaURL, title: page.title) : nil
    if let feed = page.feedURLs.first {
      return ResolvedLink(outcome: .feed(url: feed, podcast: nil), episode: episode)
    }
    if let id = page.appleID {
      var resolved = try await resolveApple(id, nil, nil)
      resolved.episode = episode
      return resolved
    }
    guard site.hasTitles else {
      let advice = site == .podcastIndex ? "; with a key (podcastindex_key) it can be asked" : ""
      throw DirectoryError(site.rawValue, .absent("names no feed on this page\(advice)"))
    }
    guard let last = titles.last, let whole = page.title else {
      throw DirectoryError(site.rawValue, .unreadable("a page without a title"))
    }
    guard isEpisode else {
      let title = titles.joined(separator: " - ")
      return ResolvedLink(outcome: try await searchByTitle(WantedPodcast(title: title), site: site.rawValue))
    }
    // The page title may name both: "Episode — Podcast".
    if titles.count > 1, case let outcome = try await searchByTitle(WantedPodcast(title: last), site: site.rawValue),
      case .matches = outcome
    {
      return ResolvedLink(outcome: outcome, episode: episode)
    }
    return ResolvedLink(outcome: try await searchByEpisode(whole, site: site.rawValue), episode: episode)
  }

  /// Looks for a podcast by title in all directories.
  private func searchByTitle(_ wanted: WantedPodcast, site: String) async throws(DirectoryError) -> ResolvedLink.Outcome
  {
    let results = await search.results(DirectoryQuery(wanted.title, limit: 20))
    if results.podcasts.isEmpty, let failure = results.failures.first { throw failure }
    var matches = results.podcasts.filter { $0.feedURL != nil }
      .map { PodcastMatch(podcast: $0, certainty: wanted.certainty(of: $0)) }
      .filter { $0.certainty >= PodcastMatch.minCertainty }
      .sorted { $0.certainty > $1.certainty }
    // Many podcasts share a title, but not the titles of the newest episodes.
    for index in matches.indices.prefix(wanted.episodeTitles.isEmpty ? 0 : 3) {
      guard let id = matches[index].podcast.appleID, let titles = try? await apple.newestTitles(ofPodcast: id) else {
        continue
      }
      matches[index].certainty = wanted.certainty(of: matches[index].podcast, episodeTitles: titles)
    }
    return Self.outcome(matches.filter { $0.certainty >= PodcastMatch.minCertainty }, site: site, title: wanted.title)
  }

  /// Looks for an episode by title, to find its podcast.
  private func searchByEpisode(_ title: String, site: String) async throws(DirectoryError) -> ResolvedLink.Outcome {
    let results = await search.results(DirectoryQuery(title, kind: .episodes, limit: 20))
    if results.episodes.isEmpty, let failure = results.failures.first { throw failure }
    var matches: [PodcastMatch] = []
    for episode in results.episodes {
      guard let feed = episode.feedURL else { continue }
      // Many episodes share a title, so a match by title alone is less certain.
      let certainty = 0.8 * WantedPodcast.similarity(title, episode.title)
      guard certainty >= PodcastMatch.minCertainty else { continue }
      if let index = matches.firstIndex(where: { $0.podcast.feedURL == feed }) {
        matches[index].certainty = max(matches[index].certainty, certainty)
        continue
      }
      var podcast = DirectoryPodcast(title: episode.podcastTitle)
      podcast.feedURL = feed
      podcast.directories = [episode.directory]
      matches.append(PodcastMatch(podcast: podcast, certainty: certainty))
    }
    return Self.outcome(matches, site: site, title: title)
  }

  private static func outcome(_ matches: [PodcastMatch], site: String, title: String) -> ResolvedLink.Outcome {
    let best = matches.sorted { $0.certainty > $1.certainty }.prefix(9)
    return best.isEmpty ? .notListed(site: site, title: title) : .matches(Array(best))
  }
}
