/// An episode that a search of the whole library found.
public struct SearchHit: Equatable, Sendable {
  public var row: EpisodeRow
  public var match: SearchMatch
  public init(row: EpisodeRow, match: SearchMatch) {
    self.row = row
    self.match = match
  }
}

/// What a search found in an episode: where the words are.
public struct SearchMatch: Equatable, Sendable {
  /// Plain text around the words. May be empty.
  public var snippet: String
  /// The start in seconds of the chapter or the line of the transcript that has the words; nil for other texts.
  public var time: Double?
  public init(snippet: String, time: Double? = nil) {
    self.snippet = snippet
    self.time = time
  }
}
