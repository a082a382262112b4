import Foundation
import GRDB
import Model

/// The ids that are gone after two podcasts were merged, each with the one that has its data now.
struct MergedIDs {
  var podcasts: [Int64: Int64]
  var episodes: [Int64: Int64] = [:]

  func podcast(_ id: PodcastID) -> PodcastID { PodcastID(podcasts[id.rawValue] ?? id.rawValue) }
  func episode(_ id: EpisodeID) -> EpisodeID { EpisodeID(episodes[id.rawValue] ?? id.rawValue) }

  fileprivate func id(_ id: Int64, _ kind: TagTable.Kind) -> Int64 {
    switch kind {
    case .podcast: podcasts[id] ?? id
    case .episode: episodes[id] ?? id
    case .clip: id
    }
  }
}

extension UndoLog {
  /// Replaces ids that are gone after a merge in all steps. Otherwise an undo would drop what it cannot find, and empty
  /// the queue.
  static func replaceIDs(_ db: Database, _ merged: MergedIDs) throws {
    let episodes = "{" + merged.episodes.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    for statement in [
      // A step that has both keeps the state of the one that stays.
      "UPDATE OR IGNORE undoEpisode SET episodeID = merged.new FROM merged WHERE episodeID = merged.old",
      "DELETE FROM undoEpisode WHERE episodeID IN (SELECT old FROM merged)",
      """
      DELETE FROM undoQueue WHERE EXISTS (SELECT 1 FROM merged JOIN undoQueue other ON other.episodeID = merged.new
        WHERE merged.old = undoQueue.episodeID AND other.undoID = undoQueue.undoID)
      """,
      "UPDATE undoQueue SET episodeID = merged.new FROM merged WHERE episodeID = merged.old",
    ] {
      // The tables can be large, so each is read once for all ids.
      let ids = "WITH merged (old, new) AS MATERIALIZED (SELECT CAST(key AS INTEGER), value FROM json_each(?))"
      try db.execute(sql: "\(ids) \(statement)", arguments: [episodes])
    }
    for row in try Row.fetchAll(db, sql: "SELECT id, step FROM undo").map(CheckedRow.init) {
      let step = try JSONCoding.decode(UndoStep.self, row[1])
      let changed = step.replacingIDs(merged)
      if changed != step { try replace(db, row[0], step: changed) }
    }
  }
}

extension UndoStep {
  fileprivate func replacingIDs(_ merged: MergedIDs) -> UndoStep {
    switch self {
    case .episodes, .queue, .rules, .ruleRun: self
    case .jump(let episode): .jump(merged.episode(episode))
    case .adoption(let subscribed, let tags):
      .adoption(subscribed: subscribed.map(merged.podcast), tags: tags.map { $0.replacingIDs(merged) })
    case .adoptionAgain(let subscribed, let tags):
      .adoptionAgain(subscribed: subscribed.map(merged.podcast), tags: tags.map { $0.replacingIDs(merged) })
    case .subscription(let podcast, let isSubscribed):
      .subscription(podcast: merged.podcast(podcast), isSubscribed: isSubscribed)
    case .playlist(let id, let before): .playlist(id: id, before: before?.replacingIDs(merged))
    case .clip(let id, let before): .clip(id: id, before: before?.replacingIDs(merged))
    case .tags(let kind, let id, let before): .tags(kind: kind, id: merged.id(id, kind), before: before)
    case .podcastSettings(let podcast, let before): .podcastSettings(podcast: merged.podcast(podcast), before: before)
    case .several(let steps): .several(steps.map { $0.replacingIDs(merged) })
    case .sync(let steps): .sync(steps.map { $0.replacingIDs(merged) })
    }
  }
}

extension UndoStep.TagsBefore {
  fileprivate func replacingIDs(_ merged: MergedIDs) -> Self {
    var tags = self
    tags.id = merged.id(id, kind)
    return tags
  }
}

extension StoredPlaylist {
  fileprivate func replacingIDs(_ merged: MergedIDs) -> StoredPlaylist {
    var playlist = self
    playlist.items = items.map { item in
      StoredPlaylist.Item(episode: item.episode.map { merged.id($0, .episode) }, clip: item.clip)
    }.uniqued()
    return playlist
  }
}

extension StoredClip {
  fileprivate func replacingIDs(_ merged: MergedIDs) -> StoredClip {
    var clip = self
    clip.episode = merged.id(episode, .episode)
    return clip
  }
}
