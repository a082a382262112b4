import Foundation
import Model

/// Looks up a podcast or an episode on Spotify. Its API has no feeds and no audio. Its titles are used to search
/// the other directories.
public struct SpotifyDirectory: Sendable {
  /// The addresses of its three services.
  public struct Bases: Sendable, Equatable {
    public var api = "https://api.spotify.com/v1"
    public var accounts = "https://accounts.spotify.com"
    public var open = "https://open.spotify.com"
  }

  /// A podcast, and the linked episode.
  public struct Found: Sendable, Equatable {
    public var podcast: WantedPodcast
    public var episodeTitle: String?
  }

  private static let title = "Spotify"
  let bases: Bases
  /// Of an app registered with Spotify.
  let credentials: DirectoryKey?
  let market: String
  let transport: any DirectoryTransport

  public func lookUp(_ kind: SharedLink.SpotifyKind, id: String) async throws(DirectoryError) -> Found {
    guard let credentials else { return try await openTitle(kind, id) }
    let token = try await token(credentials)
    switch kind {
    case .show: return Found(podcast: try await show(id, token), episodeTitle: nil)
    case .episode:
      let episode = try await request("/episodes/\(id)", token)
      guard let showID = episode["show"]?["id"]?.id, let title = episode["name"]?.line else {
        throw DirectoryError(Self.title, .unreadable("an episode without a show"))
      }
      return Found(podcast: try await show(showID, token), episodeTitle: title)
    }
  }

  private func show(_ id: String, _ token: String) async throws(DirectoryError) -> WantedPodcast {
    let show = try await request("/shows/\(id)", token)
    guard let title = show["name"]?.line else { throw DirectoryError(Self.title, .unreadable("a show without a name")) }
    let items = show["episodes"]?["items"]?.array ?? []
    return WantedPodcast(
      title: title, publisher: show["publisher"]?.line, episodeTitles: items.compactMap { $0["name"]?.line })
  }

  /// Works without credentials: oEmbed (oembed.com) returns only the title.
  private func openTitle(_ kind: SharedLink.SpotifyKind, _ id: String) async throws(DirectoryError) -> Found {
    let page = "https://open.spotify.com/\(kind.rawValue)/\(id)"
    let json = try await transport.json(
      DirectoryRequest(bases.open + "/oembed?" + AddressQuery.text([("url", page)])), of: Self.title)
    guard let title = json["title"]?.line else { throw DirectoryError(Self.title, .unreadable("no title")) }
    switch kind {
    case .show: return Found(podcast: WantedPodcast(title: title), episodeTitle: nil)
    case .episode: return Found(podcast: WantedPodcast(title: ""), episodeTitle: title)
    }
  }

  /// The client credentials flow (RFC 6749 §4.4).
  private func token(_ credentials: DirectoryKey) async throws(DirectoryError) -> String {
    var request = DirectoryRequest(bases.accounts + "/api/token")
    request.form = "grant_type=client_credentials"
    let pair = Data("\(credentials.id):\(credentials.secret)".utf8).base64EncodedString()
    request.secretHeaders = [("Authorization", "Basic \(pair)")]
    let json: JSONValue
    do throws(DirectoryError) {
      json = try await transport.json(request, of: Self.title)
    } catch {
      switch error.reason {
      case .fetch(.refused(status: 400)), .fetch(.refused(status: 401)):
        throw DirectoryError(Self.title, .key("it refuses the client id or its secret"))
      default: throw error
      }
    }
    // Only visible characters can be in a header. A token can have several hundred.
    guard let token = json["access_token"]?.longText, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw DirectoryError(Self.title, .unreadable("no token"))
    }
    return token
  }

  private func request(_ path: String, _ token: String) async throws(DirectoryError) -> JSONValue {
    // Without a market, an app-only token gets "not found" for all content.
    var request = DirectoryRequest(bases.api + path + "?" + AddressQuery.text([("market", market)]))
    request.secretHeaders = [("Authorization", "Bearer \(token)")]
    return try await transport.json(request, of: Self.title)
  }
}
