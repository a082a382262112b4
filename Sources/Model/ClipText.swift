/// A clip as text for sharing: its title, its episode, and a link that plays it.
public struct ClipText: Sendable {
  public var clip: Clip
  public var episode: EpisodeDetail

  public init(_ clip: Clip, of episode: EpisodeDetail) {
    self.clip = clip
    self.episode = episode
  }

  public var link: String? { clip.link(of: episode.feed.mediaURL) }

  /// The lines of the text. Unknown values are left out.
  public var lines: [String] {
    let times = "\(TimeText.clock(clip.startTime))–\(TimeText.clock(clip.endTime))"
    let source = "\(episode.row.podcastTitle): \(episode.row.title), \(times)"
    return [clip.title, source, link].compactMap { $0 }
  }
}

/// An episode as text for sharing, with a link to its page or its media.
public struct EpisodeText: Sendable {
  public var episode: EpisodeDetail
  public init(_ episode: EpisodeDetail) { self.episode = episode }

  /// The lines of the text, without passwords and keys.
  public var lines: [String] {
    let source = [episode.row.podcastTitle, episode.row.title].filter { !$0.isEmpty }.joined(separator: ": ")
    let address = ShownAddress(episode.feed.link) ?? ShownAddress(episode.feed.mediaURL)
    return [source] + (address.map { [$0.description] } ?? [])
  }
}
