import Model
import Session

/// What the player was asked for last. It is compared with what is wanted now, or with what the player reports.
struct PendingPlayback: Equatable, Sendable {
  /// The load (`PlayerState.generation`) whose episode is being marked as played or deleted. It stops when the mark is
  /// stored.
  var markedLoad: Int?
  /// How many of its marks are being stored.
  var marks = 0
  /// The step through the jump list that the player is making.
  var step: StepOnTheWay?
  /// The episode to play as soon as its download is complete. Nil once something else was played.
  var download: AwaitedDownload?
  /// The player was asked to prepare itself (`PlayerTask.warmUp`).
  var isWarm = false
  /// The next episode that the player was asked to prepare.
  var upcoming: UpcomingEpisode?
  /// The jump list as it was last stored.
  var storedJumps: [EpisodePlace] = []

  mutating func dropDownload(of ids: [EpisodeID]) {
    if let wanted = download?.episode, ids.contains(wanted) { download = nil }
  }
}
