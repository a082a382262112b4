import Foundation
import Model

/// The directory of a gpodder server (gpodder.net, or a self-hosted mygpo).
public struct GpodderDirectory: PodcastDirectory {
  public let name = DirectoryName.gpodder
  var base = GpodderDirectory.standardBase
  let transport: any DirectoryTransport

  public static let standardBase = "https://gpodder.net"

  public func supports(_ kind: DirectoryQuery.Kind) -> Bool {
    switch kind {
    case .podcasts, .top(genre: nil): true
    case .episodes, .people, .top: false
    }
  }

  public func find(_ query: DirectoryQuery) async throws(DirectoryError) -> DirectoryAnswer {
    let path =
      query.kind == .podcasts
      ? "/search.json?" + AddressQuery.text([("q", query.words)]) : "/toplist/\(query.limit).json"
    let json: JSONValue
    do throws(DirectoryError) {
      json = try await transport.json(DirectoryRequest(base + path), of: name.title)
    } catch {
      guard error.reason == .fetch(.refused(status: 401)) else { throw error }
      throw DirectoryError(name.title, .key("the server wants a name and a password, which gpodder_url may contain"))
    }
    guard let entries = json.array else { throw DirectoryError(name.title, .unreadable("no list")) }
    return DirectoryAnswer(entries, podcast: Self.podcast)
  }

  private static func podcast(_ entry: JSONValue) -> DirectoryPodcast? {
    guard let title = entry["title"]?.line, let feed = entry["url"]?.address else { return nil }
    var podcast = DirectoryPodcast(title: title)
    podcast.feedURL = feed
    podcast.author = entry["author"]?.line
    podcast.imageURL = entry["logo_url"]?.address ?? entry["scaled_logo_url"]?.address
    podcast.summary = entry["description"]?.longText
    podcast.link = entry["website"]?.address
    podcast.directories = [.gpodder]
    return podcast
  }
}
