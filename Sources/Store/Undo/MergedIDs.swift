import Foundation
import GRDB
import Model

/// The ids that are gone after two podcasts were merged, each with the one that has its data now, and what those had of
/// their own. An undo of a step of the podcast that is gone must not take that.
struct MergedIDs {
  /// A state of an episode that stays, from before the merge.
  struct State: Encodable {
    var status: Int
    var position: Double
    /// It is later than that of the episode that is gone, so it stays.
    var isLatest: Bool
  }

  /// The podcast that is gone, and the one that stays.
  var old: PodcastID
  var new: PodcastID
  var episodes: [Int64: Int64] = [:]
  /// The podcast that stays was subscribed.
  var wasSubscribed = false
  /// The podcast that stays had settings.
  var hadSettings = false
  /// The tags of the podcast and of the episodes that stay, from before the merge.
  var podcastTags: [String] = []
  var episodeTags: [Int64: [String]] = [:]
  /// The states of those episodes that the listener had touched, by the ids of the episodes that are gone.
  var states: [Int64: State] = [:]

  func episode(_ id: EpisodeID) -> EpisodeID { EpisodeID(episodes[id.rawValue] ?? id.rawValue) }

  func podcast(_ id: PodcastID, unless isKept: Bool) -> PodcastID { id == old && !isKept ? new : id }

  func tags(_ kind: TagTable, _ id: Int64, _ before: [String]) -> (id: Int64, tags: [String]) {
    if kind == .podcast, id == old.rawValue { return (new.rawValue, (before + podcastTags).uniqued()) }
    guard kind == .episode, let new = episodes[id] else { return (id, before) }
    return (new, (before + (episodeTags[new] ?? [])).uniqued())
  }
}

extension UndoLog {
  /// Replaces ids that are gone after a merge in all steps. Otherwise an undo would drop what it cannot find, and empty
  /// the queue.
  static func replaceIDs(_ db: Database, _ merged: MergedIDs) throws {
    if !merged.episodes.isEmpty {
      let episodes = "{" + merged.episodes.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      try keepStates(db, merged)
      let new = "(SELECT new FROM merged WHERE old = episodeID)"
      for statement in [
        // A step that has both keeps the state of the one that stays.
        "UPDATE OR IGNORE undoEpisode SET episodeID = \(new) WHERE episodeID IN (SELECT old FROM merged)",
        "DELETE FROM undoEpisode WHERE episodeID IN (SELECT old FROM merged)",
        // Without joins, because the log has a row for each episode of each queue.
        """
        DELETE FROM undoQueue WHERE episodeID IN (SELECT old FROM merged) AND (undoID, \(new)) IN (
          SELECT undoID, episodeID FROM undoQueue WHERE episodeID IN (SELECT new FROM merged))
        """,
        "UPDATE undoQueue SET episodeID = \(new) WHERE episodeID IN (SELECT old FROM merged)",
      ] {
        let ids = "WITH merged (old, new) AS MATERIALIZED (SELECT CAST(key AS INTEGER), value FROM json_each(?))"
        try db.run("\(ids) \(statement)", [episodes])
      }
    }
    for row in try db.rows("SELECT id, step FROM undo") {
      // A step of a newer version must not stop the merge.
      guard let step = try? JSONCoding.decode(UndoStep.self, row[1]) else { continue }
      let id = try row[0] as Int64
      if case .episodes(withQueue: false) = step, try !db.hasRow("SELECT 1 FROM undoEpisode WHERE undoID = ?", [id]) {
        try db.run("DELETE FROM undo WHERE id = ?", [id])
        continue
      }
      let changed = step.replacingIDs(merged)
      if changed != step { try replace(db, id, step: changed) }
    }
  }

  /// An undo of a step of an episode that is gone does not change the other one, if that one's own state has stayed.
  /// Nor does it make it untouched, if it was not.
  private static func keepStates(_ db: Database, _ merged: MergedIDs) throws {
    let (latest, earlier) = (merged.states.filter(\.value.isLatest), merged.states.filter { !$0.value.isLatest })
    try db.run(
      "DELETE FROM undoEpisode WHERE episodeID IN (SELECT value FROM json_each(?))", [latest.keys.sorted().description])
    let states = Dictionary(uniqueKeysWithValues: earlier.map { (String($0), $1) })
    try db.run(
      """
      WITH own (id, status, position) AS MATERIALIZED (
        SELECT CAST(key AS INTEGER), json_extract(value, '$.status'), json_extract(value, '$.position')
        FROM json_each(?))
      UPDATE undoEpisode SET status = (SELECT status FROM own WHERE id = episodeID),
        position = (SELECT position FROM own WHERE id = episodeID)
      WHERE \(StatusIs.new) AND position = 0 AND episodeID IN (SELECT id FROM own)
      """, [try JSONCoding.encode(states)])
  }
}

extension UndoStep.TagsBefore {
  func replacingIDs(_ merged: MergedIDs) -> Self {
    var before = self
    (before.id, before.tags) = merged.tags(kind, id, tags)
    return before
  }
}

extension StoredPlaylist {
  func replacingIDs(_ merged: MergedIDs) -> StoredPlaylist {
    var playlist = self
    playlist.items = items.map { item in
      StoredPlaylist.Item(episode: item.episode.map { merged.episode(EpisodeID($0)).rawValue }, clip: item.clip)
    }.uniqued()
    return playlist
  }
}

extension StoredClip {
  func replacingIDs(_ merged: MergedIDs) -> StoredClip {
    var clip = self
    clip.episode = merged.episode(EpisodeID(episode)).rawValue
    return clip
  }
}
