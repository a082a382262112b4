import Foundation
import GRDB
import Model

/// Status and position of episodes.
extension Library {
  /// Sets the status of episodes, as one step of the undo log.
  ///
  /// Played and deleted episodes leave the queue. Played resets the position to 0.
  /// Deleted episodes are permanently hidden from all lists, whatever later refreshes bring.
  /// - Parameters:
  ///   - isUndoable: false for changes by the player itself (playing, paused).
  ///   - emptiesNew: nothing of the serials among them is new afterwards, until a new episode arrives.
  public func setStatus(
    _ episodes: [EpisodeID], _ status: EpisodeStatus, now: Date, isUndoable: Bool = true, emptiesNew: Bool = false
  ) throws(StoreError) {
    try write { db in
      if isUndoable {
        try SyncEpisodes.repeatStatus(db, episodes.filter { try Self.isAlready(db, $0, status) }, now: now)
      }
      if status == .playing, !isUndoable {
        // One episode plays at a time. Another one was left so when the player was killed.
        try db.execute(
          sql: """
            UPDATE episode SET status = \(EpisodeStatus.paused.code)
            WHERE \(StatusIs.playing) AND id NOT IN (\(episodes.map(\.description).joined(separator: ",")))
            """)
      }
      let episodes = try episodes.filter { try !Self.isAlready(db, $0, status) }
      guard !episodes.isEmpty else { return }
      let undoID =
        isUndoable
        ? try UndoLog.record(
          db, label: try Self.label(db, episodes, status), step: .episodes(withQueue: status.leavesQueue), now: now)
        : nil
      if let undoID { for episode in episodes { try UndoLog.storeEpisode(db, undoID, episode) } }
      try Self.change(db, episodes, to: status, now: now)
      if let undoID, emptiesNew { try ListeningOrder.emptyNew(db, of: episodes, undoID) }
      // The player records its own changes, except for the end of an episode.
      guard let event = status.event(isListeners: isUndoable) else { return }
      for episode in episodes {
        try Self.insert(
          db, ListeningEvent(episode: episode, kind: event, timestamp: now), deviceID: self.deviceID)
      }
    }
  }

  /// Changes the status, and removes the episodes from the queue if it says so.
  static func change(_ db: Database, _ episodes: [EpisodeID], to status: EpisodeStatus, now: Date) throws {
    let queued = try Int.fetchOne(db, "SELECT count(*) FROM queue") ?? 0
    for episode in episodes {
      try db.run("UPDATE episode SET \(change(to: status)) WHERE id = ?", [status.code, now.seconds, episode.rawValue])
      if status.leavesQueue, queued > 0 {
        try db.run("DELETE FROM queue WHERE episodeID = ?", [episode.rawValue])
      }
    }
  }

  /// Marks all episodes of the podcast that are not deleted as played, as one step of the undo log.
  /// - Returns: how many were not played before.
  @discardableResult
  public func markAllPlayed(_ podcast: PodcastID, now: Date) throws(StoreError) -> Int {
    try write { db in
      guard let title = try Self.title(db, of: podcast) else { throw StoreError.unknown("podcast \(podcast)") }
      let condition = "podcastID = ? AND \(StatusIs.listed) AND +\(StatusIs.unplayed)"
      guard try db.hasRow("SELECT 1 FROM episode WHERE \(condition)", [podcast.rawValue]) else { return 0 }
      let undoID = try UndoLog.record(
        db, label: "Mark all of “\(title)” as played", step: .episodes(withQueue: true), now: now)
      try UndoLog.storeEpisodes(db, undoID, where: condition, [podcast.rawValue])
      try self.recordEvents(db, .played, where: condition, [podcast.rawValue], now: now)
      try db.run(
        "UPDATE episode SET \(Self.change(to: .played)) WHERE \(condition)",
        [EpisodeStatus.played.code, now.seconds, podcast.rawValue])
      let count = db.changesCount
      try db.run(
        """
        DELETE FROM queue WHERE episodeID IN (SELECT id FROM episode WHERE podcastID = ? AND \(StatusIs.listed))
        """, [podcast.rawValue])
      return count
    }
  }

  /// Brings back deleted episodes, as one step of the undo log. Those that were begun keep their position.
  public func bringBack(_ episodes: [EpisodeID], now: Date) throws(StoreError) {
    try write { db in
      let wasBegun = "SELECT position > 0 FROM episode WHERE id = ? AND \(StatusIs.deleted)"
      let deleted = try episodes.filter { try db.hasRow(wasBegun, [$0.rawValue]) }
      guard !deleted.isEmpty else { return }
      let undoID = try UndoLog.record(
        db, label: try Self.label(db, deleted, "Bring back"), step: .episodes(withQueue: false), now: now)
      for episode in deleted {
        let isBegun = try Bool.fetchOne(db, wasBegun, [episode.rawValue]) == true
        try UndoLog.storeEpisode(db, undoID, episode)
        try db.run(
          "UPDATE episode SET status = ?, statusUpdated = ? WHERE id = ?",
          [(isBegun ? EpisodeStatus.paused : .new).code, now.seconds, episode.rawValue])
      }
      try self.recordRestored(db, undoID, now: now)
    }
  }

  /// The episodes of these that are not played, with their dates, in the same order.
  public func unplayed(_ episodes: [EpisodeID]) throws(StoreError) -> [UnplayedEpisode] {
    let ids = "[\(episodes.map(\.description).joined(separator: ","))]"
    return try read { db in
      try db.rows(
        """
        SELECT e.id, e.pubDate FROM json_each(?) j JOIN episode e ON e.id = j.value
        WHERE +e.\(StatusIs.unplayed) ORDER BY j.key
        """, [ids]
      ).map { try UnplayedEpisode(id: EpisodeID($0[0] as Int64), pubDate: Date(seconds: $0[1])) }
    }
  }

  /// Sets the position of an episode and its status to paused, as one step of the undo log, or none if nothing changes.
  /// - Parameter seconds: from the start. Negative and non-finite values count as 0.
  public func setPosition(_ episode: EpisodeID, seconds: Double, now: Date) throws(StoreError) {
    let seconds = seconds.isFinite ? max(0, seconds) : 0
    try write { db in
      let isSet = try Bool.fetchOne(
        db, "SELECT position = ? AND status = ? FROM episode WHERE id = ?",
        [seconds, EpisodeStatus.paused.code, episode.rawValue])
      guard isSet != true else { return }
      let label = try Self.label(db, [episode], "Set the position of")
      let undoID = try UndoLog.record(db, label: label, step: .episodes(withQueue: false), now: now)
      try UndoLog.storeEpisode(db, undoID, episode)
      try db.run(
        "UPDATE episode SET position = ?1, positionUpdated = ?2, status = ?3, statusUpdated = ?2 WHERE id = ?4",
        [seconds, now.seconds, EpisodeStatus.paused.code, episode.rawValue])
      guard db.changesCount > 0 else { throw StoreError.unknown("episode \(episode)") }
      // A span without length: it sets the position and counts as no listening time.
      for kind in [ListeningEvent.Kind.play(from: seconds, to: seconds, total: nil), .pause] {
        try Self.insert(db, ListeningEvent(episode: episode, kind: kind, timestamp: now), deviceID: self.deviceID)
      }
    }
  }

  /// Records a jump within an episode, so that undo returns to the old position. For a played or deleted episode it
  /// records that it is played again. Call it before the new position and status are saved.
  /// - Parameters:
  ///   - from: the old position in seconds, if it differs from the stored one.
  ///   - target: seconds.
  public func jump(
    in episode: EpisodeID, from: Double?, to target: Double, now: Date
  ) throws(StoreError) {
    try write { db in
      if let from, from.isFinite, from >= 0 {
        let sql = "UPDATE episode SET position = ?1, positionUpdated = ?2 WHERE id = ?3 AND position <> ?1"
        try db.run(sql, [from, now.seconds, episode.rawValue])
      }
      let row = try db.row("SELECT title, position, status FROM episode WHERE id = ?", [episode.rawValue])
      guard let row else { throw StoreError.unknown("episode \(episode)") }
      let (title, left, status): (String?, Double, Int) = (try row[0], try row[1], try row[2])
      let name = "“\(title ?? "Untitled")”"
      let label =
        if try EpisodeStatus(code: status).isOver {
          "Play \(name) again" + (target < EpisodePlace.near ? "" : " from \(TimeText.clock(target))")
        } else {
          "Jump from \(TimeText.clock(left)) to \(TimeText.clock(target)) in \(name)"
        }
      let undoID = try UndoLog.record(db, label: label, step: .jump(episode), now: now, endsRedo: false)
      try UndoLog.storeEpisode(db, undoID, episode)
    }
  }

  /// Saves the playback position. Called every second while playing, as one small write. If the position is
  /// unchanged, it keeps its time, so that a paused episode at the end of the program does not override what another
  /// device played since.
  ///
  /// A new episode becomes playing. Other statuses are changed by the caller.
  /// - Parameters:
  ///   - seconds: from the start. Negative and non-finite values count as 0.
  ///   - total: the duration that the player found. Nil if unknown.
  public func savePosition(
    _ episode: EpisodeID, seconds: Double, total: Double?, now: Date
  ) throws(StoreError) {
    let seconds = seconds.isFinite ? max(0, seconds) : 0
    let total = total.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    try write { db in
      try db.run(
        """
        UPDATE episode SET position = ?1, positionUpdated = iif(position = ?1, coalesce(positionUpdated, ?2), ?2),
          heardAt = ?2,
          measuredDuration = coalesce(?3, measuredDuration),
          status = iif(\(StatusIs.new), \(EpisodeStatus.playing.code), status)
        WHERE id = ?4
        """, [seconds, now.seconds, total, episode.rawValue])
      guard db.changesCount > 0 else { throw StoreError.unknown("episode \(episode)") }
      // A seek during a pause is no event, and a kill leaves none. Other devices get the position all the same.
      try db.run(
        """
        INSERT OR IGNORE INTO syncOutbox
        SELECT e.id FROM episode e LEFT JOIN syncEpisode s ON s.episodeID = e.id
        WHERE e.id = ? AND EXISTS (SELECT 1 FROM syncAccount)
          AND s.agreed IS NOT coalesce(e.statusUpdated, 0) + coalesce(e.positionUpdated, 0)
        """, [episode.rawValue])
    }
  }

  /// The episodes that a player may show at the moment: the one that was loaded last, the one that began to play last,
  /// and the one that was heard last, perhaps on another device.
  public func episodesOfPlayer() throws(StoreError) -> [EpisodeRow] {
    let heard = try lastPlayed()
    return try read { db in
      let loaded = try Int64.fetchAll(db, LoadedEpisode.ids).map { EpisodeID($0) }
      return try self.episodeRows(db, (loaded + [heard].compactMap(\.self)).uniqued())
    }
  }

  /// The episode played last that is neither played to the end nor deleted. It is offered at the start.
  public func lastPlayed() throws(StoreError) -> EpisodeID? {
    try read { db in
      try Int64.fetchOne(
        db,
        """
        SELECT id FROM episode INDEXED BY episodeHeard WHERE heardAt IS NOT NULL AND \(StatusIs.unplayed)
        ORDER BY heardAt DESC, id DESC LIMIT 1
        """
      ).map { EpisodeID($0) }
    }
  }

  /// The episode offered at the start of the program: the one played last, or if that was played to its end, the next
  /// in the queue. That is the one that the player has offered already, or else the first.
  public func episodeToOffer() throws(StoreError) -> EpisodeID? {
    let next = try read { db in
      try Int64.fetchOne(
        db,
        """
        SELECT q.episodeID FROM queue q JOIN episode e ON e.id = q.episodeID
        WHERE e.\(StatusIs.unplayed) AND 3 <=
          (SELECT status FROM episode INDEXED BY episodeHeard WHERE heardAt IS NOT NULL
           ORDER BY heardAt DESC, id DESC LIMIT 1)
        ORDER BY q.episodeID = (\(LoadedEpisode.played)) DESC, q.position LIMIT 1
        """
      ).map { EpisodeID($0) }
    }
    if let next { return next }
    return try lastPlayed()
  }

  /// True if nothing would change: then no undo step and no event are recorded.
  private static func isAlready(_ db: Database, _ episode: EpisodeID, _ status: EpisodeStatus) throws -> Bool {
    guard let row = try db.row("SELECT status, position > 0 FROM episode WHERE id = ?", [episode.rawValue])
    else { return true }
    let (code, isBegun) = (try row[0] as Int, try row[1] as Bool)
    return code == status.code && !(isBegun && (status == .new || status == .played))
  }

  /// Arguments: status, now.
  private static func change(to status: EpisodeStatus) -> String {
    let position = ", position = 0, positionUpdated = ?2"
    // What the listener marks as new is on the New screen, also if it was back catalogue.
    let news = ", isBacklog = 0, catalogueRank = NULL"
    return "status = ?1, statusUpdated = ?2" + (status == .played || status == .new ? position : "")
      + (status == .new ? news : "")
  }

  private static func label(_ db: Database, _ episodes: [EpisodeID], _ status: EpisodeStatus) throws -> String {
    let verb =
      switch status {
      case .deleted: "Delete"
      case .played: "Mark as played"
      case .new: "Mark as new"
      case .playing, .paused: "Mark as begun"
      }
    return try label(db, episodes, verb)
  }

  private static func label(_ db: Database, _ episodes: [EpisodeID], _ verb: String) throws -> String {
    "\(verb)\(episodes.count == 1 ? "" : ":") \(try name(episodes, db))"
  }
}

extension EpisodeStatus {
  var leavesQueue: Bool { isOver }

  /// The event to record for this status. Nil if the player records it itself.
  fileprivate func event(isListeners: Bool) -> ListeningEvent.Kind? {
    switch self {
    case .new: .new
    case .played: .played
    case .deleted: .delete
    case .playing: isListeners ? .start : nil
    case .paused: isListeners ? .pause : nil
    }
  }
}

extension Library {
  /// When the position of an episode was saved, and the duration of the file at that time in seconds, as the player
  /// found it. Nil if the episode does not exist.
  public func resumePoint(_ episode: EpisodeID) throws(StoreError) -> (savedAt: Date?, total: Double?)? {
    try read { db in
      try db.row("SELECT positionUpdated, measuredDuration FROM episode WHERE id = ?", [episode.rawValue])
        .map { (try Date(seconds: $0[0]), try $0[1] as Double?) }
    }
  }
}
