import Model

/// What a refresh changed besides new episodes, so far as a listener should know it.
public enum RefreshNote: Equatable, Sendable {
  /// The publisher took these untouched episodes out of the feed; they were deleted. Titles.
  case removed([String])
  /// So many episodes are missing in the feed all at once, which still lists so many; they are kept.
  case shrank(listed: Int, missing: Int)
  /// The feed has another address from now on.
  case moved(to: String)
  /// The feed ended before its end; so many episodes could be read.
  case cutOff(episodes: Int)
  /// Its feed is gone (410), and a subscription with the same podcast:guid goes on: the two are one now. Its title.
  case joined(with: String)
  /// Another subscription, which can be read as well, has the same podcast:guid. Its title.
  case twin(String)
  /// These have gone on air. Titles.
  case live([String])

  /// A line for people that names the podcast.
  public func text(podcast title: String) -> String {
    switch self {
    case .removed(let titles):
      let named = titles.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
      let more = titles.count > 3 ? " and \(titles.count - 3) more" : ""
      return "\(title): the publisher removed \(Counted.text(titles.count, "episode")): \(named)\(more)"
    case .shrank(let listed, let missing):
      return """
        \(title): the feed lists only \(Counted.text(listed, "episode")); \
        \(missing) that are missing are kept and marked as gone from the feed
        """
    case .moved(let address): return "\(title): the feed has moved to \(address)"
    case .joined(let other):
      return "\(title): its feed is gone; it goes on as “\(other)”, with all that you heard and kept"
    case .twin(let other):
      return "\(title) says that it is the same podcast as “\(other)”; both are kept"
    case .live(let titles):
      return "\(title) is on air: \(titles.map { "“\($0)”" }.joined(separator: ", "))"
    case .cutOff(let episodes):
      return "\(title): the feed is cut off; \(Counted.text(episodes, "episode")) could be read"
    }
  }

  /// Episodes that were deleted.
  public var removed: Int {
    if case .removed(let titles) = self { return titles.count }
    return 0
  }

  /// Whether something may be wrong.
  public var isWarning: Bool {
    switch self {
    case .shrank, .cutOff: true
    case .removed, .moved, .joined, .twin, .live: false
    }
  }
}
