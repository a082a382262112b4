import Foundation
import GRDB
import Model

/// What applying a step would change, as a number and in words.
struct UndoConsequence {
  private(set) var count = 0
  private var parts: [String] = []

  /// A sentence: "Unsubscribe from 120 podcasts, and change 30 episodes."
  var text: String {
    guard let last = parts.last else { return "Nothing would change." }
    let sentence = parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + ", and " + last
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
  }

  init(_ db: Database, _ id: Int64, _ step: UndoStep) throws {
    switch step {
    case .adoption(let subscribed, let tags):
      add(subscribed.count, "unsubscribe from %", "podcast")
      add(tags.count, "put back the tags of %", "thing")
    case .adoptionAgain(let subscribed, let tags):
      add(subscribed.count, "subscribe again to %", "podcast")
      add(tags.count, "tag % again", "thing")
    case .subscription(let podcast, let isSubscribed):
      let title = try Library.title(db, of: podcast)
      add("\(isSubscribed ? "subscribe to" : "unsubscribe from") “\(title ?? "a podcast")”")
    case .playlist(let id, let before):
      let now = try StoredPlaylist.fetch(db, id)
      let changed = Set(now?.items ?? []).symmetricDifference(Set(before?.items ?? []))
      let title = before?.title ?? now?.title ?? "a playlist"
      let entries = changed.isEmpty ? "" : " (\(Counted.text(changed.count, "entry", "entries")))"
      add("\(before == nil ? "delete" : "put back") the playlist “\(title)”" + entries, count: max(1, changed.count))
    case .clip(_, let before): add(before == nil ? "delete a clip" : "put back a clip")
    case .tags: add("put back the tags")
    case .several(let steps):
      let (clips, there) = steps.reduce(into: (0, false)) {
        if case .clip(_, let before) = $1 { $0 = ($0.0 + 1, before != nil) }
      }
      add(clips, there ? "put back %" : "delete %", "clip")
      add(steps.count - clips, "put back the tags of %", "thing")
    case .podcastSettings(let podcast, _):
      let title = try Library.title(db, of: podcast)
      add("put back the settings of “\(title ?? "a podcast")”")
    case .sync(let steps):
      var (subscribed, removed, tagged, settings, lists) = (0, 0, 0, 0, 0)
      for step in steps {
        switch step {
        case .subscription(_, let isSubscribed): if isSubscribed { subscribed += 1 } else { removed += 1 }
        case .tags: tagged += 1
        case .podcastSettings: settings += 1
        case .ruleRun: break
        default: lists += 1
        }
      }
      add(removed, "unsubscribe from %", "podcast")
      add(subscribed, "subscribe again to %", "podcast")
      add(tagged, "put back the tags of %", "thing")
      add(settings, "put back the settings of %", "podcast")
      add(lists, "put back %", "list")
    case .jump(let episode):
      let row = try db.row(
        """
        SELECT e.title, u.position, u.status FROM undoEpisode u JOIN episode e ON e.id = u.episodeID
        WHERE u.undoID = ? AND u.episodeID = ?
        """, [id, episode.rawValue])
      count += 1
      guard let row else { return }
      let title = "“\((try row[0] as String?) ?? "Untitled")”"
      switch try EpisodeStatus(code: row[2]) {
      case .played: parts.append("mark \(title) as played")
      case .deleted: parts.append("delete \(title)")
      case .new, .playing, .paused: parts.append("go to \(TimeText.clock(try row[1] as Double)) of \(title)")
      }
      return
    case .rules: add("put back the rules")
    case .episodes, .queue, .ruleRun: break
    }
    if step.tables.episodes { try addEpisodes(db, id) }
    if step.tables.queue { try addQueue(db, id) }
  }

  private mutating func addEpisodes(_ db: Database, _ id: Int64) throws {
    let sql = """
      SELECT iif(u.\(StatusIs.begun), \(EpisodeStatus.paused.code), u.status) AS status, count(*)
      FROM undoEpisode u JOIN episode e ON e.id = u.episodeID
      WHERE u.undoID = ? AND (u.status <> e.status OR u.position <> e.position) GROUP BY 1 ORDER BY 1
      """
    for row in try db.rows(sql, [id]) {
      let pattern =
        switch try EpisodeStatus(code: row[0]) {
        case .new: "mark % as new"
        case .playing, .paused: "mark % as begun"
        case .played: "mark % as played"
        case .deleted: "delete %"
        }
      add(try row[1], pattern, "episode")
    }
  }

  private mutating func addQueue(_ db: Database, _ id: Int64) throws {
    let before = try Library.queueToRestore(db, id)
    let now = try QueueTable.read(db)
    guard before != now else { return }
    let (added, removed) = (Set(before).subtracting(now).count, Set(now).subtracting(before).count)
    add(added, "queue %", "episode")
    add(removed, "take % out of the queue", "episode")
    if added + removed == 0 { add("put back the order of the queue") }
  }

  /// `%` in the pattern is replaced by the number and the noun.
  private mutating func add(_ number: Int, _ pattern: String, _ noun: String) {
    if number > 0 { add(pattern.replacing("%", with: Counted.text(number, noun)), count: number) }
  }

  private mutating func add(_ part: String, count: Int = 1) {
    self.count += count
    parts.append(part)
  }
}
