import Foundation
import GRDB
import Model

/// The queue. Each edit is one transaction and one step of the undo log.
extension Library {
  /// The queued episodes, in order.
  public func queue() throws(StoreError) -> [EpisodeID] {
    try read { db in try QueueTable.read(db).map { EpisodeID($0) } }
  }

  /// Appends episodes. Queued episodes keep their position.
  public func enqueue(_ episodes: [EpisodeID], now: Date) throws(StoreError) {
    try edit({ "Queue \(try Self.name(episodes, $0))" }, now: now) { ids in
      let queued = Set(ids)
      ids += episodes.map(\.rawValue).uniqued().filter { !queued.contains($0) }
    }
  }

  /// Inserts episodes in this order. Queued episodes move there.
  /// - Parameter current: they are inserted behind this one. At the front if it is nil or not queued.
  public func playNext(_ episodes: [EpisodeID], after current: EpisodeID? = nil, now: Date) throws(StoreError) {
    try edit({ "Play \(try Self.name(episodes, $0)) next" }, now: now) { ids in
      let inserted = episodes.map(\.rawValue).uniqued()
      let moved = Set(inserted)
      ids.removeAll(where: moved.contains)
      let index = ids.firstIndex { $0 == current?.rawValue }.map { $0 + 1 } ?? 0
      ids.insert(contentsOf: inserted, at: index)
    }
  }

  public func dequeue(_ episodes: [EpisodeID], now: Date) throws(StoreError) {
    try edit({ "Take \(try Self.name(episodes, $0)) out of the queue" }, now: now) { ids in
      let removed = Set(episodes.map(\.rawValue))
      ids.removeAll { removed.contains($0) }
    }
  }

  /// Moves episodes together, in the order of the queue, so that the first of them is at an index (0 is the front;
  /// indexes beyond the end mean the end).
  public func moveInQueue(_ episodes: [EpisodeID], to index: Int, now: Date) throws(StoreError) {
    let moved = episodes.map(\.rawValue)
    try edit({ "Move \(try Self.name(episodes, $0)) in the queue" }, now: now) { ids in
      ids.move(at: ids.indexes(of: moved), to: index)
    }
  }

  /// - Parameter first: stays at the front, if it is queued: it is playing.
  /// - Returns: false if the queue had this order already.
  @discardableResult
  public func sortQueue(_ order: QueueOrder, first: EpisodeID? = nil, now: Date) throws(StoreError) -> Bool {
    let length = "coalesce(e.measuredDuration, e.duration)"
    let terms =
      switch order {
      case .oldest: "e.pubDate, e.feedOrder, e.id"
      case .newest: "e.pubDate DESC, e.feedOrder DESC, e.id DESC"
      case .shortest: "\(length) IS NULL, \(length)"
      case .longest: "\(length) DESC"
      case .podcast: "naturalKey(p.titleKey), p.id, e.pubDate, e.feedOrder, e.id"
      case .shuffle: "random()"
      }
    let sorted = try read { db in
      try Int64.fetchAll(
        db,
        """
        SELECT e.id FROM queue q JOIN episode e ON e.id = q.episodeID JOIN podcast p ON p.id = e.podcastID
        ORDER BY e.id <> ?, \(terms), q.position
        """, [first?.rawValue ?? 0])
    }
    let ranks = Dictionary(sorted.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    return try edit({ _ in "Sort the queue" }, now: now) { ids in
      // What another process has queued meanwhile stays at the end.
      ids =
        ids.filter { ranks[$0] != nil }.sorted { ranks[$0, default: 0] < ranks[$1, default: 0] }
        + ids.filter { ranks[$0] == nil }
    }
  }

  public func clearQueue(now: Date) throws(StoreError) {
    try edit({ _ in "Clear the queue" }, now: now) { $0.removeAll() }
  }

  /// The duration of the queue and the part not played yet, in seconds. Unknown durations are left out.
  public func queueDuration() throws(StoreError) -> (total: Double, left: Double) {
    try read { db in
      let row = try db.row(
        """
        SELECT total(length), total(max(0, length - position)) FROM (
          SELECT coalesce(measuredDuration, duration) AS length, e.position AS position
          FROM queue q JOIN episode e ON e.id = q.episodeID)
        """)
      guard let row else { return (0, 0) }
      return (try row[0], try row[1])
    }
  }

  /// How long it takes to hear these episodes, in seconds: what is left of those that were begun, and the whole length
  /// of the others. Unknown durations are left out.
  public func length(of episodes: [EpisodeID]) throws(StoreError) -> Double {
    try read { db in
      let ids = "[\(episodes.map(\.description).joined(separator: ","))]"
      return try Double.fetchOne(
        db,
        """
        SELECT total(iif(\(StatusIs.unplayed) AND position >= 1 AND position < length, length - position, length)) FROM (
          SELECT e.status AS status, e.position AS position, coalesce(measuredDuration, duration) AS length
          FROM json_each(?) j JOIN episode e ON e.id = j.value)
        """, [ids]) ?? 0
    }
  }

  /// Records no step if nothing changed.
  /// - Returns: whether the queue has changed.
  @discardableResult
  private func edit(
    _ label: (Database) throws -> String, now: Date, _ change: (inout [Int64]) -> Void
  ) throws(StoreError) -> Bool {
    try write { db in
      let before = try QueueTable.read(db)
      var ids = before
      change(&ids)
      // Only episodes that exist and are not deleted can be queued.
      let listed = "SELECT 1 FROM episode WHERE id = ? AND \(StatusIs.listed)"
      let known = Set(before)
      ids = try ids.filter { try known.contains($0) || db.hasRow(listed, [$0]) }
      guard ids != before else { return false }
      try UndoLog.record(db, label: try label(db), step: .queue, now: now)
      try QueueTable.write(db, ids)
      return true
    }
  }

  /// The title of one episode, or the number of several.
  static func name(_ episodes: [EpisodeID], _ db: Database) throws -> String {
    guard episodes.count == 1, let episode = episodes.first else { return "\(episodes.count) episodes" }
    let title = try String.fetchOne(db, "SELECT title FROM episode WHERE id = ?", [episode.rawValue])
    return "“\(title ?? "Untitled")”"
  }
}

/// The rows of the queue: a list of episode ids.
enum QueueTable {
  static func read(_ db: Database) throws -> [Int64] {
    try Int64.fetchAll(db, "SELECT episodeID FROM queue ORDER BY position")
  }

  static func write(_ db: Database, _ ids: [Int64]) throws {
    try db.run("DELETE FROM queue")
    for (position, id) in ids.enumerated() {
      try db.run("INSERT INTO queue (position, episodeID) VALUES (?, ?)", [position, id])
    }
  }
}
