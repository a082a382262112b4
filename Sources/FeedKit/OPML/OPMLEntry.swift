/// A subscription in an OPML file.
public struct OPMLEntry: Sendable, Equatable {
  /// An http or https address.
  public var url: String
  public var title: String?
  public var htmlURL: String?
  /// The names of the folders around it, outermost first, then the categories of the outline itself; each once.
  public var tags: [String]
  /// What Overcast's extended export knows of its episodes.
  public var progress: [OPMLProgress]

  public init(
    url: String, title: String? = nil, htmlURL: String? = nil, tags: [String] = [], progress: [OPMLProgress] = []
  ) {
    self.url = url
    self.title = title
    self.htmlURL = htmlURL
    self.tags = tags
    self.progress = progress
  }
}

/// How far a listener of another player came with an episode.
public struct OPMLProgress: Sendable, Equatable {
  /// The enclosure's address, the only key that both players share.
  public var mediaURL: String
  public var title: String?
  public var isPlayed: Bool
  public var isDeleted: Bool
  /// Seconds; nil when it was not begun.
  public var position: Double?

  public init(
    mediaURL: String, title: String? = nil, isPlayed: Bool = false, isDeleted: Bool = false, position: Double? = nil
  ) {
    self.mediaURL = mediaURL
    self.title = title
    self.isPlayed = isPlayed
    self.isDeleted = isDeleted
    self.position = position
  }
}
