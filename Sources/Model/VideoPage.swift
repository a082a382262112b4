/// Episodes whose media is a page that plays a video, not a file.
extension FeedEpisode {
  /// YouTube's own feeds name Flash players, which do not exist any more.
  public func isVideoPage(_ address: String) -> Bool {
    let type = mediaURL == address ? mediaType?.lowercased() : nil
    return type == "application/x-shockwave-flash" || type == VideoPage.mediaType || VideoPage.isAddress(address)
  }

  /// The video of the episode: a page that plays one, or a file. Nil: it has none.
  public var video: Enclosure? {
    if let mediaURL, isVideoPage(mediaURL) {
      // The page for people. Flash players (`/v/…`) do not exist any more.
      return Enclosure(url: link.flatMap { VideoPage.isAddress($0) ? $0 : nil } ?? mediaURL)
    }
    return media(.video).flatMap { $0.type?.lowercased().hasPrefix("video") == true ? $0 : nil }
  }
}

public enum VideoPage {
  /// Why an episode cannot be played, if there is something that the listener can do. The player adds the key that
  /// opens the page.
  public static let cause = "a video page"

  /// The type of media that yt-dlp has listed: a page.
  public static let mediaType = "application/x-video-page"

  /// What the address of a podcast begins with that yt-dlp lists. The address of the page follows. No address of a feed
  /// begins so.
  public static let listPrefix = "yt-dlp:"

  /// Whether it is the address of a video of YouTube.
  public static func isAddress(_ address: String) -> Bool {
    let rest = address.drop { $0 != "/" }.drop { $0 == "/" }
    let host = rest.prefix { $0 != "/" && $0 != ":" }.lowercased()
    let path = rest.drop { $0 != "/" }
    switch host {
    case "youtu.be": return path.count > 1
    case "youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "www.youtube-nocookie.com":
      return ["/v/", "/watch", "/embed/", "/shorts/", "/live/"].contains { path.hasPrefix($0) }
    default: return false
    }
  }
}

/// What the window with the video of an episode reports. Times in seconds.
public enum VideoReport: Sendable, Equatable {
  case opened(EpisodeID)
  /// The window is at this position.
  case position(EpisodeID, Double, total: Double?)
  /// The window has jumped to another position, or could not begin at the wanted one.
  case jumped(EpisodeID, from: Double, to: Double)
  /// A part was seen without a jump.
  case seen(EpisodeID, from: Double, to: Double, total: Double?)
  /// The window is closed. Its last position; nil: it had none.
  case closed(EpisodeID, Double?, total: Double?)
}
