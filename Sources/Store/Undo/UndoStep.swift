import Foundation
import GRDB
import Model

/// What an undo restores. States of episodes and the queue are in their own tables, because one "mark all" can have
/// 20,000 of them. The rest is JSON in `undo.step`, so the case names must not change.
enum UndoStep: Codable, Equatable {
  /// The states in `undoEpisode`, and the queue in `undoQueue` if `withQueue`.
  case episodes(withQueue: Bool)
  case queue
  /// The state of one episode in `undoEpisode`: the position before a jump.
  case jump(EpisodeID)
  /// An import from another program: like `episodes(withQueue: true)`, with the podcasts that were subscribed to and
  /// the previous tags.
  case adoption(subscribed: [PodcastID], tags: [TagsBefore])
  /// An undone import: the podcasts that were unsubscribed from, and the tags before that.
  case adoptionAgain(subscribed: [PodcastID], tags: [TagsBefore])
  case subscription(podcast: PodcastID, isSubscribed: Bool)
  /// The previous playlist. Nil if it did not exist.
  case playlist(id: PlaylistID, before: StoredPlaylist?)
  /// The previous clip with its positions in playlists. Nil if it did not exist.
  case clip(id: ClipID, before: StoredClip?)
  /// The previous tags.
  case tags(kind: TagTable, id: Int64, before: [String])
  /// The settings that a podcast had.
  case podcastSettings(podcast: PodcastID, before: PodcastSettings)
  /// Steps of the other kinds that need no tables, in the order they were applied.
  case several([UndoStep])
  /// Changes by other devices or by rules: like `episodes(withQueue: true)`, with these steps in the order they were
  /// applied.
  case sync([UndoStep])
  /// The listener's rules.
  case rules(before: [StoredRule])
  /// Marks what rules did in this run as taken back, or not.
  case ruleRun(Int64, isTakenBack: Bool)

  struct TagsBefore: Codable, Equatable {
    var kind: TagTable
    var id: Int64
    var tags: [String]

    /// The current tags of the same thing.
    func now(_ db: Database) throws -> TagsBefore {
      TagsBefore(kind: kind, id: id, tags: try kind.tags(db, of: id))
    }
  }

  /// False for a jump, because it restores the position.
  var keepsLaterListening: Bool { if case .jump = self { false } else { true } }

  /// What it has in `undoEpisode` and `undoQueue`.
  var tables: (episodes: Bool, queue: Bool) {
    switch self {
    case .episodes(let withQueue): (true, withQueue)
    case .jump: (true, false)
    case .queue: (false, true)
    case .adoption, .adoptionAgain, .sync: (true, true)
    case .subscription, .playlist, .clip, .tags, .podcastSettings, .rules, .ruleRun, .several: (false, false)
    }
  }

  /// The podcasts whose settings the step restores.
  var podcastsWithSettings: [PodcastID] {
    switch self {
    case .podcastSettings(let podcast, _): [podcast]
    case .sync(let steps), .several(let steps): steps.flatMap(\.podcastsWithSettings)
    case .episodes, .queue, .jump, .adoption, .adoptionAgain, .subscription, .playlist, .clip, .tags, .rules, .ruleRun:
      []
    }
  }

  /// The step that reverses this one, with the current state.
  func reversed(_ db: Database) throws -> UndoStep {
    switch self {
    case .episodes, .queue, .jump: return self
    case .adoption(let subscribed, let tags):
      // Only podcasts that are still subscribed to. The listener has unsubscribed from the others meanwhile.
      return .adoptionAgain(
        subscribed: try subscribed.filter { try Library.isSubscribed(db, $0) == true },
        tags: try tags.map { try $0.now(db) })
    case .adoptionAgain(let subscribed, let tags):
      return .adoption(
        subscribed: try subscribed.filter { try Library.isSubscribed(db, $0) != true },
        tags: try tags.map { try $0.now(db) })
    case .subscription(let podcast, _):
      return .subscription(podcast: podcast, isSubscribed: try Library.isSubscribed(db, podcast) ?? false)
    case .playlist(let id, _): return .playlist(id: id, before: try StoredPlaylist.fetch(db, id))
    case .clip(let id, _): return .clip(id: id, before: try StoredClip.fetch(db, id))
    case .tags(let kind, let id, _): return .tags(kind: kind, id: id, before: try kind.tags(db, of: id))
    case .podcastSettings(let podcast, _):
      return .podcastSettings(podcast: podcast, before: try Library.podcastSettings(db, podcast))
    case .rules: return .rules(before: try RuleTable.stored(db))
    case .ruleRun(let run, let isTakenBack): return .ruleRun(run, isTakenBack: !isTakenBack)
    // The last step is applied first, so the inverse has the opposite order.
    case .sync(let steps): return .sync(try steps.reversed().map { try $0.reversed(db) })
    case .several(let steps): return .several(try steps.reversed().map { try $0.reversed(db) })
    }
  }

  /// Restores what the step itself contains. The states of episodes and the queue are restored by `Library.undo`.
  func apply(_ db: Database, now: Date) throws {
    switch self {
    case .episodes, .jump, .queue: break
    case .adoption(let podcasts, let tags), .adoptionAgain(let podcasts, let tags):
      for before in tags { try before.kind.restore(db, before.tags, of: before.id) }
      let isAgain = if case .adoptionAgain = self { true } else { false }
      for podcast in podcasts { try Library.setSubscribed(db, podcast, isAgain, now: now) }
    case .sync(let steps), .several(let steps):
      for step in steps.reversed() { try step.apply(db, now: now) }
    case .subscription(let podcast, let isSubscribed): try Library.setSubscribed(db, podcast, isSubscribed, now: now)
    case .playlist(let id, let before): try StoredPlaylist.restore(db, id, before)
    case .clip(let id, let before): try StoredClip.restore(db, id, before, now: now)
    case .tags(let kind, let id, let before): try kind.restore(db, before, of: id)
    case .podcastSettings(let podcast, let before): try Library.restore(db, settings: before, of: podcast)
    case .rules(let before): try RuleTable.write(db, before)
    case .ruleRun(let run, let isTakenBack): try RuleChanges.take(db, run, back: isTakenBack)
    }
  }

  /// What applying the step restores besides the states of episodes and the queue.
  /// - Parameter before: the result of this function before the step was applied. Nil when called before.
  func restores(_ db: Database, since before: Restored? = nil) throws -> Restored {
    var restored = Restored()
    switch self {
    case .episodes, .jump, .queue, .adoption, .adoptionAgain, .sync, .rules, .ruleRun: break
    case .subscription(let podcast, _), .podcastSettings(let podcast, _): restored.podcasts = [podcast]
    case .playlist(let id, _):
      restored.playlist = id
      let there = before?.items ?? []
      let now = try StoredPlaylist.fetch(db, id)?.items.compactMap(\.item) ?? []
      restored.items = now.filter { !there.contains($0) }
    case .clip(let id, _): restored.items = [.clip(id)]
    case .several(let steps):
      let parts = try steps.map { try $0.restores(db) }
      restored.items = parts.flatMap(\.items)
      restored.episodes = parts.flatMap(\.episodes)
    case .tags(.podcast, let id, _): restored.podcasts = [PodcastID(id)]
    case .tags(.episode, let id, _): restored.episodes = [EpisodeID(id)]
    case .tags: break
    }
    return restored
  }

  /// What the step changes besides episodes and the queue: "podcast 7".
  var subjects: [String] {
    switch self {
    case .episodes, .jump, .queue: []
    case .adoption(let podcasts, let tags), .adoptionAgain(let podcasts, let tags):
      podcasts.map { "podcast \($0)" } + tags.map { "tags \($0.kind) \($0.id)" }
    case .subscription(let podcast, _): ["podcast \(podcast)"]
    case .playlist(let id, _): ["playlist \(id)"]
    // A clip includes its positions in playlists.
    case .clip(let id, let before): ["clip \(id)"] + (before?.places ?? []).map { "playlist \($0.playlist)" }
    case .tags(let kind, let id, _): ["tags \(kind) \(id)"]
    case .podcastSettings(let podcast, _): ["settings \(podcast)"]
    case .sync(let steps), .several(let steps): steps.flatMap(\.subjects)
    case .rules: ["rules"]
    case .ruleRun(let run, _): ["ruleRun \(run)"]
    }
  }

  /// The step after two podcasts were merged.
  func replacingIDs(_ merged: MergedIDs) -> UndoStep {
    func subscription(_ podcast: PodcastID) -> PodcastID { merged.podcast(podcast, unless: merged.wasSubscribed) }
    switch self {
    case .episodes, .queue, .rules, .ruleRun: return self
    case .jump(let episode): return .jump(merged.episode(episode))
    case .adoption(let subscribed, let tags):
      return .adoption(subscribed: subscribed.map(subscription), tags: tags.map { $0.replacingIDs(merged) })
    case .adoptionAgain(let subscribed, let tags):
      return .adoptionAgain(subscribed: subscribed.map(subscription), tags: tags.map { $0.replacingIDs(merged) })
    case .subscription(let podcast, let isSubscribed):
      return .subscription(podcast: subscription(podcast), isSubscribed: isSubscribed)
    case .playlist(let id, let before): return .playlist(id: id, before: before?.replacingIDs(merged))
    case .clip(let id, let before): return .clip(id: id, before: before?.replacingIDs(merged))
    case .tags(let kind, let id, let before):
      let (id, before) = merged.tags(kind, id, before)
      return .tags(kind: kind, id: id, before: before)
    case .podcastSettings(let podcast, let before):
      return .podcastSettings(podcast: merged.podcast(podcast, unless: merged.hadSettings), before: before)
    case .several(let steps): return .several(steps.map { $0.replacingIDs(merged) })
    case .sync(let steps): return .sync(steps.map { $0.replacingIDs(merged) })
    }
  }
}
