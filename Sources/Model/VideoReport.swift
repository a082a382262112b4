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

extension FeedEpisode {
  /// The video of the episode: a page that plays one, or a file. Nil: it has none.
  public var video: Enclosure? {
    if let mediaURL, isVideoPage(mediaURL) {
      // The page for people. Flash players (`/v/…`) do not exist any more.
      return Enclosure(url: link.flatMap { VideoPage.isAddress($0) ? $0 : nil } ?? mediaURL)
    }
    return media(.video).flatMap { $0.type?.lowercased().hasPrefix("video") == true ? $0 : nil }
  }
}
