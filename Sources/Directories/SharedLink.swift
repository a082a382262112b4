import FeedKit
import Foundation

/// A link that people share: to a podcast or an episode, on the site of a directory or of another player.
public enum SharedLink: Sendable, Equatable {
  /// podcasts.apple.com: a collectionId, the trackId of an episode, and the country in the link (lower case).
  case apple(id: String, episode: String? = nil, country: String? = nil)
  /// open.spotify.com: 22 characters of base 62.
  case spotify(kind: SpotifyKind, id: String)
  case fyyd(id: String)
  case fyydEpisode(id: String)
  case podcastIndex(id: String, episode: String? = nil)
  /// A YouTube channel or playlist: the address of its feed.
  case youTube(feedURL: String)
  /// A web page that names a podcast, or redirects to one that does.
  case page(PageSite, url: String)

  /// What a Spotify link leads to. The raw values are parts of its path.
  public enum SpotifyKind: String, Sendable { case show, episode }

  /// A site whose pages are parsed, with its display name.
  public enum PageSite: String, Sendable {
    case youTube = "YouTube"
    case overcast = "Overcast"
    case pocketCasts = "Pocket Casts"
    case castbox = "Castbox"
    case podcastIndex = "Podcast Index"
    /// Only its short links, which redirect to open.spotify.com.
    case spotify = "Spotify"

    /// Whether the page titles are useful if there is no feed link. Page titles of YouTube and Podcast Index may name
    /// only the site, because the page is a script or asks for consent.
    var hasTitles: Bool { self == .overcast || self == .pocketCasts || self == .castbox }
  }

  /// The display name of the linked site.
  public var site: String {
    switch self {
    case .apple: "Apple Podcasts"
    case .spotify: "Spotify"
    case .fyyd, .fyydEpisode: "fyyd"
    case .podcastIndex: "Podcast Index"
    case .youTube: "YouTube"
    case .page(let site, _): site.rawValue
    }
  }

  /// Whether the link is to an episode. False if unknown, as for short links.
  public var namesEpisode: Bool {
    switch self {
    case .apple(_, let episode, _), .podcastIndex(_, let episode): episode != nil
    case .spotify(let kind, _): kind == .episode
    case .fyydEpisode: true
    case .fyyd, .youTube: false
    case .page(let site, let url): Self.isEpisodePage(site, url)
    }
  }

  /// Nil for other addresses, which are treated as feeds or web pages.
  public init?(_ text: String) {
    // AntennaPod's links contain others.
    let bare = (try? FeedAddress.parse(text))?.directoryPage ?? FeedAddress.unwrapped(text)
    if bare.hasPrefix("spotify:"), let match = bare.wholeMatch(of: /spotify:(show|episode):([0-9A-Za-z]{22})/) {
      self = .spotify(kind: SpotifyKind(rawValue: String(match.1))!, id: String(match.2))
      return
    }
    let address = bare.contains("://") ? bare : "https://" + bare
    guard let parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme?.lowercased()),
      var host = parts.host?.lowercased()
    else { return nil }
    for prefix in ["www.", "m.", "music.", "embed.", "geo."] where host.hasPrefix(prefix) {
      host.removeFirst(prefix.count)
    }
    let query = { (name: String) in parts.queryItems?.first { $0.name == name }?.value }
    guard let link = Self.link(host: host, path: parts.path, query: query, address) else { return nil }
    self = link
  }

  private static func link(
    host: String, path: String, query: (String) -> String?, _ address: String
  ) -> SharedLink? {
    func number(_ name: String) -> String? {
      query(name).flatMap { $0.wholeMatch(of: /\d{1,20}/) != nil ? $0 : nil }
    }
    switch host {
    case "podcasts.apple.com", "itunes.apple.com":
      guard let match = path.firstMatch(of: /\/id(\d{1,20})/) else { return nil }
      let country = path.firstMatch(of: /^\/([A-Za-z]{2})\//).map { $0.1.lowercased() }
      return .apple(id: String(match.1), episode: number("i"), country: country)
    case "open.spotify.com":
      // Shared links can start with a language: /intl-de/episode/…
      let form = /^(?:\/intl-[a-z-]+)?(?:\/embed|\/embed-podcast)?\/(show|episode)\/([0-9A-Za-z]{22})/
      return path.firstMatch(of: form).map { .spotify(kind: SpotifyKind(rawValue: String($0.1))!, id: String($0.2)) }
    case "spotify.link", "spotify.app.link": return path.count > 1 ? .page(.spotify, url: address) : nil
    case "fyyd.de":
      if let match = path.firstMatch(of: /^\/episode\/(\d{1,20})/) { return .fyydEpisode(id: String(match.1)) }
      return path.firstMatch(of: /^\/podcast\/([^\/]+)/).map { .fyyd(id: String($0.1)) }
    case "podcastindex.org":
      guard let match = path.firstMatch(of: /^\/podcast\/(\d{1,20})/) else { return nil }
      return .podcastIndex(id: String(match.1), episode: number("episode"))
    case "youtube.com", "youtu.be": return youTube(path, query, address)
    case "overcast.fm":
      if let match = path.firstMatch(of: /^\/itunes(\d{1,20})/) { return .apple(id: String(match.1)) }
      return path.count > 1 ? .page(.overcast, url: address) : nil
    case "pca.st", "pocketcasts.com", "play.pocketcasts.com":
      if let match = path.firstMatch(of: /^\/itunes\/(\d{1,20})/) { return .apple(id: String(match.1)) }
      return path.count > 1 ? .page(.pocketCasts, url: address) : nil
    case "castbox.fm":
      let isPodcast = path.firstMatch(of: /^\/(channel|episode|vb|va|vc|vd|ch|ep)\//) != nil
      return isPodcast ? .page(.castbox, url: address) : nil
    default: return nil
    }
  }

  private static func youTube(_ path: String, _ query: (String) -> String?, _ address: String) -> SharedLink? {
    if let match = path.firstMatch(of: /^\/channel\/(UC[0-9A-Za-z_-]{10,40})/) {
      return .youTube(feedURL: youTubeFeed(channel: String(match.1)))
    }
    if let list = query("list"), list.wholeMatch(of: /[0-9A-Za-z_-]{10,60}/) != nil {
      return .youTube(feedURL: "https://www.youtube.com/feeds/videos.xml?playlist_id=\(list)")
    }
    return path.firstMatch(of: /^\/(@|c\/|user\/)./) == nil ? nil : .page(.youTube, url: address)
  }

  static func youTubeFeed(channel: String) -> String {
    "https://www.youtube.com/feeds/videos.xml?channel_id=\(channel)"
  }

  private static func isEpisodePage(_ site: PageSite, _ url: String) -> Bool {
    let path = URLComponents(string: url)?.path ?? ""
    switch site {
    case .overcast: return path.hasPrefix("/+")
    case .pocketCasts: return path.contains("/episode/") || path.firstMatch(of: /^\/podcast(?:\/[^\/]+){4}/) != nil
    case .castbox: return path.firstMatch(of: /^\/(episode|ep)\//) != nil
    case .youTube, .podcastIndex, .spotify: return false
    }
  }
}
