/// A subscription in an OPML file.
public struct OPMLEntry: Sendable, Equatable {
  /// An http or https address.
  public var url: String
  public var title: String?
  public var htmlURL: String?
  /// The names of the surrounding folders, outermost first, then the outline's own categories, without duplicates.
  public var tags: [String]
  /// Episode states from Overcast's extended export.
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

/// The state of an episode in another player.
public struct OPMLProgress: Sendable, Equatable {
  /// The enclosure's address, the only identifier that both players have.
  public var mediaURL: String
  public var title: String?
  public var isPlayed = false
  public var isDeleted = false
  /// Seconds. Nil if it was not started.
  public var position: Double?
}
