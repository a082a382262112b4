/// Episodes whose media is a page that plays a video, not a file.
extension FeedEpisode {
  /// YouTube's own feeds name Flash players, which do not exist any more.
  public func isVideoPage(_ address: String) -> Bool {
    let type = mediaURL == address ? mediaType?.lowercased() : nil
    return type == "application/x-shockwave-flash" || type == VideoPage.mediaType || VideoPage.isAddress(address)
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
