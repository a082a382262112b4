import Foundation
import Model

/// podcastindex.org. It needs a key and a secret, which are free.
public struct PodcastIndexDirectory: PodcastDirectory {
  public let name = DirectoryName.podcastindex
  var base = PodcastIndexDirectory.standardBase
  let key: DirectoryKey
  let transport: any DirectoryTransport
  var clock: @Sendable () -> Date = { Date() }

  public static let standardBase = "https://api.podcastindex.org/api/1.0"
  static let pages = "https://podcastindex.org"

  public func supports(_ kind: DirectoryQuery.Kind) -> Bool { kind != .episodes }

  public func find(_ query: DirectoryQuery) async throws(DirectoryError) -> DirectoryAnswer {
    let limit = ("max", String(query.limit))
    switch query.kind {
    case .podcasts:
      let entries = try await list("feeds", of: "/search/byterm", [("q", query.words), limit])
      return DirectoryAnswer(entries, podcast: Self.podcast)
    case .people:
      let entries = try await list("items", of: "/search/byperson", [("q", query.words), limit])
      return DirectoryAnswer(entries, episode: Self.episode)
    case .top(let genre):
      let category = genre.map { [("cat", $0.name)] } ?? []
      let entries = try await list("feeds", of: "/podcasts/trending", [limit] + category)
      return DirectoryAnswer(entries, podcast: Self.podcast)
    case .episodes: return DirectoryAnswer()
    }
  }

  /// A podcast by its id on podcastindex.org.
  func podcast(id: String) async throws(DirectoryError) -> DirectoryPodcast? {
    try await request("/podcasts/byfeedid", [("id", id)])["feed"].flatMap(Self.podcast)
  }

  /// An episode by the id that links to podcastindex.org contain.
  func episode(id: String) async throws(DirectoryError) -> DirectoryEpisode? {
    try await request("/episodes/byid", [("id", id)])["episode"].flatMap(Self.episode)
  }

  public func podcast(guid: String) async throws(DirectoryError) -> DirectoryPodcast? {
    try await request("/podcasts/byguid", [("guid", guid)])["feed"].flatMap(Self.podcast)
  }

  private func list(
    _ member: String, of path: String, _ parameters: [(String, String)]
  ) async throws(DirectoryError) -> [JSONValue] {
    guard let list = try await request(path, parameters)[member]?.array else {
      throw DirectoryError(name.title, .unreadable("no \(member)"))
    }
    return list
  }

  private func request(_ path: String, _ parameters: [(String, String)]) async throws(DirectoryError) -> JSONValue {
    var request = DirectoryRequest(base + path + "?" + AddressQuery.text(parameters))
    // A hash of key, secret and time, which the server accepts for three minutes
    // (https://podcastindex-org.github.io/docs-api, "Authentication").
    let seconds = String(Int(clock().timeIntervalSince1970))
    guard let hash = SHA1.hex(key.id + key.secret + seconds) else {
      throw DirectoryError(name.title, .key("libavutil, which makes the hash that it wants, is not there"))
    }
    request.secretHeaders = [("X-Auth-Key", key.id), ("X-Auth-Date", seconds), ("Authorization", hash)]
    let json: JSONValue
    do throws(DirectoryError) {
      json = try await transport.json(request, of: name.title)
    } catch {
      if case .fetch(.refused(status: 401)) = error.reason {
        throw DirectoryError(name.title, .key("it refuses the key; is the clock of this machine right?"))
      }
      throw error
    }
    // This API writes "true" and "false" as strings.
    if json["status"]?.line == "false" {
      throw DirectoryError(name.title, .unreadable(json["description"]?.line ?? "it says that it failed"))
    }
    return json
  }

  private static func podcast(_ entry: JSONValue) -> DirectoryPodcast? {
    guard let title = entry["title"]?.line, let feed = entry["url"]?.address else { return nil }
    var podcast = DirectoryPodcast(title: title)
    podcast.feedURL = feed
    podcast.author = entry["author"]?.line ?? entry["ownerName"]?.line
    podcast.guid = entry["podcastGuid"]?.id
    podcast.appleID = entry["itunesId"]?.id
    podcast.imageURL = entry["artwork"]?.address ?? entry["image"]?.address
    podcast.summary = entry["description"]?.longText
    podcast.link = entry["link"]?.address
    podcast.language = entry["language"]?.line
    podcast.genres = (entry["categories"]?.members ?? []).compactMap(\.line)
    podcast.episodeCount = entry["episodeCount"]?.count
    podcast.newest = entry["newestItemPubdate"]?.unixTime ?? entry["newestItemPublishTime"]?.unixTime
    podcast.isExplicit = entry["explicit"]?.bool
    podcast.isDead = entry["dead"]?.bool ?? false
    podcast.medium = entry["medium"]?.line
    podcast.directories = [.podcastindex]
    return podcast
  }

  private static func episode(_ entry: JSONValue) -> DirectoryEpisode? {
    guard let title = entry["title"]?.line, entry["feedUrl"]?.address != nil || entry["enclosureUrl"]?.address != nil
    else { return nil }
    var episode = DirectoryEpisode(
      title: title, podcastTitle: entry["feedTitle"]?.line ?? "Untitled", directory: .podcastindex)
    episode.feedURL = entry["feedUrl"]?.address
    episode.guid = entry["guid"]?.longText
    episode.mediaURL = entry["enclosureUrl"]?.address
    episode.duration = entry["duration"]?.number.flatMap { $0 > 0 ? $0 : nil }
    episode.pubDate = entry["datePublished"]?.unixTime
    episode.summary = entry["description"]?.longText
    episode.imageURL = entry["image"]?.address ?? entry["feedImage"]?.address
    episode.persons = (entry["persons"]?.array ?? []).compactMap { $0["name"]?.line }
    return episode
  }
}
