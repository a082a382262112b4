import Foundation
import Model

/// fyyd.de, which lists many German podcasts. It needs no key.
public struct FyydDirectory: PodcastDirectory {
  public let name = DirectoryName.fyyd
  var base = FyydDirectory.standardBase
  let transport: any DirectoryTransport

  public static let standardBase = "https://api.fyyd.de"

  public func supports(_ kind: DirectoryQuery.Kind) -> Bool { kind == .podcasts }

  public func find(_ query: DirectoryQuery) async throws(DirectoryError) -> DirectoryAnswer {
    let parameters = [("title", query.words), ("count", String(min(query.limit, 50)))]
    let json = try await transport.json(
      DirectoryRequest(base + "/0.2/search/podcast?" + AddressQuery.text(parameters)), of: name.title)
    guard let entries = json["data"]?.array else { throw DirectoryError(name.title, .unreadable("no data")) }
    return DirectoryAnswer(entries, podcast: Self.podcast)
  }

  /// The podcast of a fyyd.de page.
  func podcast(id: String) async throws(DirectoryError) -> DirectoryPodcast? {
    let key = id.allSatisfy(\.isNumber) ? "podcast_id" : "podcast_slug"
    let json = try await transport.json(
      DirectoryRequest(base + "/0.2/podcast?" + AddressQuery.text([(key, id)])), of: name.title)
    return json["data"].flatMap(Self.podcast)
  }

  /// The episode of a fyyd.de page, and the id of its podcast.
  func episode(id: String) async throws(DirectoryError) -> (podcast: String, episode: DirectoryEpisode) {
    let json = try await transport.json(
      DirectoryRequest(base + "/0.2/episode?" + AddressQuery.text([("episode_id", id)])), of: name.title)
    guard let entry = json["data"], let podcast = entry["podcast_id"]?.id else {
      throw DirectoryError(name.title, .absent("has no such episode"))
    }
    var episode = DirectoryEpisode(title: entry["title"]?.line ?? "Untitled", podcastTitle: "", directory: .fyyd)
    episode.guid = entry["guid"]?.longText
    episode.mediaURL = entry["enclosure"]?.address
    return (podcast, episode)
  }

  private static func podcast(_ entry: JSONValue) -> DirectoryPodcast? {
    guard let title = entry["title"]?.line, let feed = entry["xmlURL"]?.address else { return nil }
    var podcast = DirectoryPodcast(title: title)
    podcast.feedURL = feed
    podcast.author = entry["author"]?.line
    podcast.imageURL = entry["layoutImageURL"]?.address ?? entry["thumbImageURL"]?.address ?? entry["imgURL"]?.address
    podcast.summary = entry["description"]?.longText
    podcast.link = entry["htmlURL"]?.address
    podcast.language = entry["language"]?.line
    podcast.episodeCount = entry["episode_count"]?.count
    podcast.newest = entry["lastpub"]?.isoDate
    podcast.directories = [.fyyd]
    return podcast
  }
}
