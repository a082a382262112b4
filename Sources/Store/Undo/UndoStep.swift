import Foundation
import GRDB
import Model

/// What has to be put back. Episodes' states and the queue are in tables of their own, as one "mark all" may hold
/// 20,000 of them; the rest is JSON in `undo.step`.
enum UndoStep: Codable, Equatable {
  /// The states in `undoEpisode`, and the queue in `undoQueue` when `withQueue`.
  case episodes(withQueue: Bool)
  case queue
  /// The state of one episode, in `undoEpisode`: the place that was left by a jump.
  case jump(EpisodeID)
  /// What came from another program: `episodes(withQueue: true)`, the podcasts that were subscribed to, and the tags
  /// that were there before.
  case adoption(subscribed: [PodcastID], tags: [TagsBefore])
  /// An adoption that was taken back: the podcasts that were unsubscribed from, and the tags that were there.
  case adoptionAgain(subscribed: [PodcastID], tags: [TagsBefore])
  case subscription(podcast: PodcastID, isSubscribed: Bool)
  /// The playlist as it was; nil where it was not.
  case playlist(id: PlaylistID, before: StoredPlaylist?)
  /// The clip as it was, and the places it had in playlists; nil where it was not.
  case clip(id: ClipID, before: StoredClip?)
  /// The tags that something had; `kind` is a case of `TagTable.Kind`.
  case tags(kind: TagTable.Kind, id: Int64, before: [String])
  /// What came from other devices: `episodes(withQueue: true)`, and these, in the order in which they were done.
  case sync([UndoStep])

  struct TagsBefore: Codable, Equatable {
    var kind: TagTable.Kind
    var id: Int64
    var tags: [String]

    /// The tags that the same thing has now.
    func now(_ db: Database) throws -> TagsBefore {
      TagsBefore(kind: kind, id: id, tags: try kind.table.tags(db, of: id))
    }
  }

  /// False for a jump, whose place is what is taken back.
  var keepsWhatWasHeardSince: Bool {
    switch self {
    case .jump: false
    default: true
    }
  }

  var keepsEpisodes: Bool {
    switch self {
    case .episodes, .jump, .adoption, .adoptionAgain, .sync: true
    case .queue, .subscription, .playlist, .clip, .tags: false
    }
  }

  var keepsQueue: Bool {
    switch self {
    case .episodes(let withQueue): withQueue
    case .queue, .adoption, .adoptionAgain, .sync: true
    case .jump, .subscription, .playlist, .clip, .tags: false
    }
  }

  /// The step that brings back what is there now, once this one has been applied.
  func reversed(_ db: Database) throws -> UndoStep {
    switch self {
    case .episodes, .queue, .jump: return self
    case .adoption(let subscribed, let tags):
      // Only those that are still subscribed to: the others were left by the listener, and stay so.
      return .adoptionAgain(
        subscribed: try subscribed.filter { try Self.isSubscribed(db, $0) }, tags: try tags.map { try $0.now(db) })
    case .adoptionAgain(let subscribed, let tags):
      return .adoption(
        subscribed: try subscribed.filter { try !Self.isSubscribed(db, $0) }, tags: try tags.map { try $0.now(db) })
    case .subscription(let podcast, _):
      return .subscription(podcast: podcast, isSubscribed: try Self.isSubscribed(db, podcast))
    case .playlist(let id, _): return .playlist(id: id, before: try StoredPlaylist.fetch(db, id))
    case .clip(let id, _): return .clip(id: id, before: try StoredClip.fetch(db, id))
    case .tags(let kind, let id, _): return .tags(kind: kind, id: id, before: try kind.table.tags(db, of: id))
    // The last is applied first, so that they are done again in the other order.
    case .sync(let steps): return .sync(try steps.reversed().map { try $0.reversed(db) })
    }
  }

  /// What applying the step brings back beside the states of episodes and the queue.
  /// - Parameter before: what this said before it was applied; nil before.
  func restores(_ db: Database, since before: Restored? = nil) throws -> Restored {
    var restored = Restored()
    switch self {
    case .episodes, .jump, .queue, .adoption, .adoptionAgain, .sync: break
    case .subscription(let podcast, _): restored.podcasts = [podcast]
    case .playlist(let id, _):
      restored.playlist = id
      let there = before?.items ?? []
      let now = try StoredPlaylist.fetch(db, id)?.items.compactMap(\.item) ?? []
      restored.items = now.filter { !there.contains($0) }
    case .clip(let id, _): restored.items = [.clip(id)]
    case .tags(.podcast, let id, _): restored.podcasts = [PodcastID(id)]
    case .tags(.episode, let id, _): restored.episodes = [EpisodeID(id)]
    case .tags: break
    }
    return restored
  }

  private static func isSubscribed(_ db: Database, _ podcast: PodcastID) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT isSubscribed FROM podcast WHERE id = ?", arguments: [podcast.rawValue]) ?? false
  }
}
