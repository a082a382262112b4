/// An episode with what the listener has marked and written in it.
public struct NotedEpisode: Sendable, Equatable, Identifiable {
  public var id: EpisodeID { row.id }
  public var row: EpisodeRow
  /// In order of time.
  public var marks: [Clip]
  public init(row: EpisodeRow, marks: [Clip]) {
    self.row = row
    self.marks = marks
  }
}
