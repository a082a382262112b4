import Foundation

/// A link that people share: to a podcast, or to an episode, on the site of a directory or of another player.
public enum SharedLink: Sendable, Equatable {
  /// podcasts.apple.com: a collectionId, and the trackId of an episode.
  case apple(id: String, episode: String?)
  /// open.spotify.com: 22 characters of base 62.
  case spotify(kind: SpotifyKind, id: String)
  case fyyd(id: String)
  case podcastIndex(id: String)
  /// A channel or a playlist of YouTube: the address of its feed.
  case youTube(feedURL: String)
  /// A page that names a podcast, or leads to a page that does: pca.st, overcast.fm, castbox.fm, a channel of YouTube by
  /// its name.
  case page(site: String, url: String)

  /// The site that it leads to, as people call it.
  public var site: String {
    switch self {
    case .apple: "Apple Podcasts"
    case .spotify: "Spotify"
    case .fyyd: "fyyd"
    case .podcastIndex: "Podcast Index"
    case .youTube: "YouTube"
    case .page(let site, _): site
    }
  }

  public enum SpotifyKind: String, Sendable { case show, episode }

  /// nil for every other address, which is then taken for a feed or a web page of its own.
  public init?(_ text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let match = trimmed.wholeMatch(of: /spotify:(show|episode):([0-9A-Za-z]{22})/) {
      self = .spotify(kind: SpotifyKind(rawValue: String(match.1))!, id: String(match.2))
      return
    }
    let address = trimmed.contains("://") ? trimmed : "https://" + trimmed
    guard let parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme?.lowercased()),
      var host = parts.host?.lowercased()
    else { return nil }
    for prefix in ["www.", "m.", "music."] where host.hasPrefix(prefix) { host.removeFirst(prefix.count) }
    let path = parts.path
    let query = { (name: String) in parts.queryItems?.first { $0.name == name }?.value }
    switch host {
    case "podcasts.apple.com", "itunes.apple.com":
      guard let match = path.firstMatch(of: /\/id(\d{1,20})/) else { return nil }
      let episode = query("i").flatMap { $0.wholeMatch(of: /\d{1,20}/) != nil ? $0 : nil }
      self = .apple(id: String(match.1), episode: episode)
    case "open.spotify.com":
      // Shared links may name a language first: /intl-de/episode/…
      guard let match = path.firstMatch(of: /^(?:\/intl-[a-z-]+)?(?:\/embed)?\/(show|episode)\/([0-9A-Za-z]{22})/)
      else {
        return nil
      }
      self = .spotify(kind: SpotifyKind(rawValue: String(match.1))!, id: String(match.2))
    case "fyyd.de":
      guard let match = path.firstMatch(of: /^\/podcast\/([^\/]+)/) else { return nil }
      self = .fyyd(id: String(match.1))
    case "podcastindex.org":
      guard let match = path.firstMatch(of: /^\/podcast\/(\d{1,20})/) else { return nil }
      self = .podcastIndex(id: String(match.1))
    case "youtube.com", "youtu.be":
      if let match = path.firstMatch(of: /^\/channel\/(UC[0-9A-Za-z_-]{10,40})/) {
        self = .youTube(feedURL: "https://www.youtube.com/feeds/videos.xml?channel_id=\(match.1)")
      } else if let list = query("list"), list.wholeMatch(of: /[0-9A-Za-z_-]{10,60}/) != nil {
        self = .youTube(feedURL: "https://www.youtube.com/feeds/videos.xml?playlist_id=\(list)")
      } else if path.firstMatch(of: /^\/(@|c\/|user\/)./) != nil {
        self = .page(site: "YouTube", url: address)
      } else {
        return nil
      }
    case "overcast.fm":
      if let match = path.firstMatch(of: /^\/itunes(\d{1,20})/) {
        self = .apple(id: String(match.1), episode: nil)
      } else if path.count > 1 {
        self = .page(site: "Overcast", url: address)
      } else {
        return nil
      }
    case "pca.st", "pocketcasts.com", "play.pocketcasts.com":
      guard path.count > 1 else { return nil }
      self = .page(site: "Pocket Casts", url: address)
    case "castbox.fm":
      guard path.firstMatch(of: /^\/(channel|episode|vb|va|vc|ch|ep)\//) != nil else { return nil }
      self = .page(site: "Castbox", url: address)
    default: return nil
    }
  }
}
