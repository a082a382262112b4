/// Episodes whose media is a page that plays a video, not a file.
extension FeedEpisode {
  /// YouTube's own feeds name Flash players, which do not exist any more.
  public func isVideoPage(_ address: String) -> Bool {
    if mediaURL == address, mediaType?.lowercased() == "application/x-shockwave-flash" { return true }
    let rest = address.drop { $0 != "/" }.drop { $0 == "/" }
    let host = rest.prefix { $0 != "/" && $0 != ":" }.lowercased()
    let path = rest.drop { $0 != "/" }
    switch host {
    case "youtu.be": return path.count > 1
    case "youtube.com", "www.youtube.com", "m.youtube.com", "www.youtube-nocookie.com":
      return ["/v/", "/watch", "/embed/", "/shorts/", "/live/"].contains { path.hasPrefix($0) }
    default: return false
    }
  }
}

/// Why an episode cannot be played, if there is something that the listener can do.
public enum VideoPage {
  /// The cause of a failure. The player adds the key that opens the page.
  public static let cause = "a video page"
}
