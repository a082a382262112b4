/// An episode that a search of the whole library found.
public struct SearchHit: Equatable, Sendable {
  public var row: EpisodeRow
  public var place: SearchPlace
  public init(row: EpisodeRow, place: SearchPlace) {
    self.row = row
    self.place = place
  }
}

/// The place in an episode where a search found the words.
public struct SearchPlace: Equatable, Sendable {
  /// Plain text around the words. May be empty.
  public var snippet: String
  /// The start in seconds of the chapter or the line of the transcript that has the words; nil for other texts.
  public var time: Double?
  public init(snippet: String, time: Double? = nil) {
    self.snippet = snippet
    self.time = time
  }
}
