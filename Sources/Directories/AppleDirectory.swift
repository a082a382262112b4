import Foundation
import Model

/// Apple's directory: the iTunes Search API, its lookups and the charts. It needs no key. It allows about 20 requests
/// a minute and answers 403 or 429 beyond that.
public struct AppleDirectory: PodcastDirectory {
  public let name = DirectoryName.apple
  var base = AppleDirectory.standardBase
  let transport: any DirectoryTransport

  public static let standardBase = "https://itunes.apple.com"
  /// The base of Apple's web pages. A custom server has them under its own base.
  var pages: String { base == Self.standardBase ? "https://podcasts.apple.com" : base }

  public func supports(_ kind: DirectoryQuery.Kind) -> Bool { kind != .people }

  public func find(_ query: DirectoryQuery) async throws(DirectoryError) -> DirectoryAnswer {
    if case .top(let genre) = query.kind { return try await charts(genre, query) }
    let isEpisodes = query.kind == .episodes
    let parameters = [
      ("media", "podcast"), ("entity", isEpisodes ? "podcastEpisode" : "podcast"), ("term", query.words),
      ("country", query.country), ("limit", String(query.limit)),
    ]
    let entries = try await results("/search?" + AddressQuery.text(parameters))
    return isEpisodes
      ? DirectoryAnswer(entries, episode: Self.episode) : DirectoryAnswer(entries, podcast: Self.podcast)
  }

  /// Looks up podcasts by collectionId, at most 150, in the order of Apple's response.
  public func podcasts(ids: [String], country: String? = nil) async throws(DirectoryError) -> DirectoryAnswer {
    let ids = ids.prefix(150).joined(separator: ",")
    let store = country.map { [("country", $0)] } ?? []
    let entries = try await results("/lookup?" + AddressQuery.text([("id", ids), ("entity", "podcast")] + store))
    return DirectoryAnswer(entries, podcast: Self.podcast)
  }

  /// An episode of a podcast by its trackId, among the newest 200. Nil if it is not among them.
  public func episode(
    _ trackID: String, ofPodcast id: String, country: String?
  ) async throws(DirectoryError) -> DirectoryEpisode? {
    let store = country.map { [("country", $0)] } ?? []
    let entries = try await results(
      "/lookup?" + AddressQuery.text([("id", id), ("entity", "podcastEpisode"), ("limit", "200")] + store))
    return entries.filter { $0["trackId"]?.id == trackID && $0["episodeUrl"]?.address != nil }
      .compactMap(Self.episode).first
  }

  /// The titles of a podcast's newest episodes.
  public func newestTitles(ofPodcast id: String) async throws(DirectoryError) -> [String] {
    let entries = try await results(
      "/lookup?" + AddressQuery.text([("id", id), ("entity", "podcastEpisode"), ("limit", "20")]))
    return entries.compactMap(Self.episode).map(\.title)
  }

  /// The charts contain no feed addresses, so a lookup adds them.
  private func charts(_ genre: Genre?, _ query: DirectoryQuery) async throws(DirectoryError) -> DirectoryAnswer {
    let genrePart = genre.map { "/genre=\($0.id)" } ?? ""
    let path =
      "/\(query.country.lowercased())/rss/toppodcasts/limit=\(min(query.limit, 100))\(genrePart)/explicit=true/json"
    let chart: JSONValue
    do throws(DirectoryError) { chart = try await json(path) } catch {
      // Apple answers 400 for an unknown country.
      guard error.reason == .fetch(.refused(status: 400)) else { throw error }
      throw DirectoryError(name.title, .unknownCountry(query.country))
    }
    guard let feed = chart["feed"], feed.isObject else { throw DirectoryError(name.title, .unreadable("no charts")) }
    // If a chart has only one entry, it is an object instead of an array.
    let entries = feed["entry"].map { $0.array ?? ($0.isObject ? [$0] : []) } ?? []
    let ids = entries.compactMap { $0["id"]?["attributes"]?["im:id"]?.id }
    guard !ids.isEmpty else { return DirectoryAnswer(skipped: entries.count) }
    var answer = try await podcasts(ids: ids, country: query.country)
    let indexes = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    answer.podcasts.sort { indexes[$0.appleID ?? "", default: .max] < indexes[$1.appleID ?? "", default: .max] }
    answer.skipped += max(0, entries.count - ids.count)
    return answer
  }

  private func results(_ path: String) async throws(DirectoryError) -> [JSONValue] {
    guard let results = try await json(path)["results"]?.array else {
      throw DirectoryError(name.title, .unreadable("no results"))
    }
    return results
  }

  private func json(_ path: String) async throws(DirectoryError) -> JSONValue {
    do throws(DirectoryError) { return try await transport.json(DirectoryRequest(base + path), of: name.title) } catch {
      // Apple answers 403 to too many requests.
      throw error.reason == .fetch(.refused(status: 403)) ? DirectoryError(name.title, .rateLimited()) : error
    }
  }

  /// Nil for an entry without a title or a feed, and for entries that are not podcasts.
  private static func podcast(_ entry: JSONValue) -> DirectoryPodcast? {
    if let kind = entry["kind"]?.line, kind != "podcast" { return nil }
    guard let title = entry["collectionName"]?.line ?? entry["trackName"]?.line, let feed = entry["feedUrl"]?.address
    else { return nil }
    var podcast = DirectoryPodcast(title: title)
    podcast.feedURL = feed
    podcast.author = entry["artistName"]?.line
    podcast.appleID = entry["collectionId"]?.id ?? entry["trackId"]?.id
    podcast.appleImageURL = entry["artworkUrl600"]?.address ?? entry["artworkUrl100"]?.address
    podcast.imageURL = podcast.appleImageURL
    podcast.link = entry["collectionViewUrl"]?.address
    podcast.episodeCount = entry["trackCount"]?.count
    podcast.newest = entry["releaseDate"]?.isoDate
    podcast.isExplicit = entry["collectionExplicitness"]?.line.map { $0 == "explicit" }
    // Every entry has the genre "Podcasts".
    podcast.genres = (entry["genres"]?.array ?? []).compactMap(\.line).filter { $0 != "Podcasts" }
    podcast.directories = [.apple]
    return podcast
  }

  private static func episode(_ entry: JSONValue) -> DirectoryEpisode? {
    // Apple's list of episodes also has an entry for the podcast.
    guard entry["wrapperType"]?.line != "track", let title = entry["trackName"]?.line,
      entry["feedUrl"]?.address != nil || entry["episodeUrl"]?.address != nil
    else { return nil }
    var episode = DirectoryEpisode(
      title: title, podcastTitle: entry["collectionName"]?.line ?? "Untitled", directory: .apple)
    episode.feedURL = entry["feedUrl"]?.address
    episode.guid = entry["episodeGuid"]?.longText
    episode.mediaURL = entry["episodeUrl"]?.address
    episode.duration = entry["trackTimeMillis"]?.number.flatMap { $0 > 0 ? $0 / 1000 : nil }
    episode.pubDate = entry["releaseDate"]?.isoDate
    episode.summary = entry["description"]?.longText ?? entry["shortDescription"]?.longText
    episode.imageURL = entry["artworkUrl600"]?.address ?? entry["artworkUrl160"]?.address
    return episode
  }
}
