/// The progress of a refresh.
public enum RefreshReport: Equatable, Sendable {
  case started(total: Int)
  /// Podcasts that are not asked: their servers asked for a pause, or the feeds have ended. Sent after `started`.
  case postponed([PodcastRow])
  /// The tags of this many files of a folder are read, of those that must be.
  case reading(title: String, files: Int, total: Int)
  /// One podcast is done. `fresh`: its number of new episodes.
  case podcast(title: String, done: Int, total: Int, fresh: Int)
  case failed(title: String, ReportedError, done: Int, total: Int)
  /// Something else that the listener should know about a podcast. Sent before the `podcast` of the same podcast.
  case noted(title: String, RefreshNote)
  /// All new episodes. Sent before `finished`, if there are any.
  case added([EpisodeID])
  /// What rules did. Sent before `finished`.
  case ruled(RuleReport)
  case finished(new: Int, unchanged: Int, failed: Int)
  /// The refresh has ended without reaching any server. Nothing was stored.
  case offline(podcasts: Int)
}

/// A change of a podcast by a refresh, other than new episodes, that the listener should know about.
public enum RefreshNote: Equatable, Sendable {
  /// The publisher removed these episodes from the feed. The listener had not touched them, so they were deleted. The
  /// values are their titles.
  case removed([String])
  /// The feed suddenly lists only `listed` episodes, and `missing` are gone. The missing ones are kept.
  case shrank(listed: Int, missing: Int)
  /// The feed suddenly lists no episodes. `kept`: how many the library has; nothing was changed.
  case emptied(kept: Int)
  /// The feed has a new address.
  case moved(to: String)
  /// The feed was cut off. `episodes`: how many could be read.
  case cutOff(episodes: Int)
  /// A part could not be read, and the rest was. The value says what and why.
  case unreadable(String)
  /// The feed is gone (410), and was merged with the subscription that has the same podcast:guid. The value is the
  /// title of that subscription.
  case joined(with: String)
  /// Another subscription that can be read has the same podcast:guid. The value is its title.
  case duplicate(String)
  /// The address leads to the feed of another podcast, whose title is the value. Nothing was changed.
  case strayed(to: String)
  /// These live items have begun. The values are their titles.
  case live([String])

  /// A sentence for the listener that names the podcast.
  public func text(podcast title: String) -> String {
    switch self {
    case .removed(let titles):
      let named = titles.map { "“\($0)”" }.listed(3)
      return "\(title): the publisher removed \(Counted.text(titles.count, "episode")): \(named)"
    case .shrank(let listed, let missing):
      return """
        \(title): the feed lists only \(Counted.text(listed, "episode")); \
        \(missing) that are missing are kept and marked as gone from the feed
        """
    case .emptied(let kept):
      return
        "\(title): the feed lists no episodes; \(Counted.text(kept, "episode")) in the library \(kept == 1 ? "stays" : "stay")"
    case .moved(let address): return "\(title): the feed has moved to \(address)"
    case .joined(let other):
      return "\(title): its feed is gone; it continues as “\(other)”, with all that you heard and saved"
    case .duplicate(let other):
      return "\(title) says that it is the same podcast as “\(other)”; both are kept"
    case .strayed(let other):
      return "\(title): its address now leads to another podcast, “\(other)”; nothing was changed"
    case .live(let titles):
      return "\(title) is on air: \(titles.map { "“\($0)”" }.joined(separator: ", "))"
    case .cutOff(let episodes):
      return "\(title): the feed is cut off; \(Counted.text(episodes, "episode")) could be read"
    case .unreadable(let problem): return "\(title): \(problem)"
    }
  }

  /// How many episodes were deleted.
  public var removed: Int {
    if case .removed(let titles) = self { return titles.count }
    return 0
  }

  /// Whether only a part was read.
  public var isPartial: Bool {
    switch self {
    case .cutOff, .unreadable: true
    case .removed, .shrank, .emptied, .moved, .joined, .duplicate, .strayed, .live: false
    }
  }

  /// Whether it reports a possible problem.
  public var isWarning: Bool {
    switch self {
    case .shrank, .emptied, .cutOff, .unreadable, .strayed: true
    case .removed, .moved, .joined, .duplicate, .live: false
    }
  }
}
