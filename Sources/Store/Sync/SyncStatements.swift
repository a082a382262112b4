import Foundation
import GRDB
import Model
import Sync

/// The statements for syncing one episode, which a first sync runs tens of thousands of times. GRDB's own would take
/// twice as long as SQLite itself (`RawStatement`).
struct SyncStatements {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// An episode's row with its sync state.
  struct EpisodeRow {
    var state: Versioned<EpisodeMark>
    var status: EpisodeStatus
    var position: Double
    /// Seconds.
    var duration: Double?
    var pushes: Int
    var repairs: Int
    var guid: String?
    var mediaURL: String?
    var feedURL: String
  }

  /// Nil: the episode no longer exists.
  func read(_ id: EpisodeID, isWhole: Bool) throws -> EpisodeRow? {
    let statement = try RawStatement(
      db,
      """
      SELECT e.status, e.statusUpdated, e.position, e.positionUpdated, coalesce(e.measuredDuration, e.duration),
        s.seen, s.agreed, coalesce(s.pushes, 0), coalesce(s.repairs, 0), e.guid, e.mediaURL, p.feedURL
      FROM episode e JOIN podcast p ON p.id = e.podcastID LEFT JOIN syncEpisode s ON s.episodeID = e.id WHERE e.id = ?
      """)
    return try statement.first(id.rawValue) { row in
      let status = try EpisodeStatus(code: row[0])
      let position = try row[2] as Double
      let (changed, moved) = (try row[1] as Double?, try row[3] as Double?)
      let isTouched = changed != nil || moved != nil
      let state = Versioned(
        value: isTouched ? EpisodeMark(status, position: position, isWhole: isWhole) : nil,
        time: max(changed ?? 0, moved ?? 0), version: (changed ?? 0) + (moved ?? 0), seen: try row[5],
        agreed: try row[6])
      return try EpisodeRow(
        state: state, status: status, position: position, duration: row[4], pushes: row[7], repairs: row[8],
        guid: row[9], mediaURL: row[10], feedURL: row[11])
    }
  }

  func store(_ id: EpisodeID, seen: Double?, agreed: Double?) throws {
    try RawStatement(
      db,
      """
      INSERT INTO syncEpisode (episodeID, seen, agreed) VALUES (?1, ?2, ?3)
      ON CONFLICT (episodeID) DO UPDATE SET seen = ?2, agreed = ?3
      """
    ).run(id.rawValue, seen, agreed)
  }

  /// - Parameters:
  ///   - time: on this device's clock, in seconds since 1970.
  ///   - isHeard: the episode was played.
  ///   - duration: of the other device's file, in seconds. Only used if the feed names none.
  func change(_ id: EpisodeID, to mark: EpisodeMark, at time: Double, isHeard: Bool, duration: Double?) throws {
    try RawStatement(
      db,
      """
      UPDATE episode SET status = ?1, statusUpdated = ?2, position = ?3, positionUpdated = ?2,
        heardAt = iif(?4, max(coalesce(heardAt, 0), ?2), heardAt),
        measuredDuration = coalesce(measuredDuration, iif(coalesce(duration, 0) = 0, ?5, NULL)) WHERE id = ?6
      """
    ).run(mark.status.code, time, mark.position, isHeard ? 1 : 0, duration, id.rawValue)
    if mark.status.leavesQueue { try RawStatement(db, "DELETE FROM queue WHERE episodeID = ?").run(id.rawValue) }
  }

  /// Marks local events as sent, because they are outdated or already on the server.
  /// - Parameter time: only events up to then. Nil: all.
  func discardUnsent(_ id: EpisodeID, until time: Double? = nil) throws {
    let isUnsent = try RawStatement(
      db,
      """
      SELECT EXISTS (SELECT 1 FROM syncOutbox WHERE episodeID = ?1)
        OR EXISTS (SELECT 1 FROM event WHERE episodeID = ?1 AND NOT sent)
      """)
    guard try isUnsent.first(id.rawValue, { try $0[0] as Bool }) == true else { return }
    try unlist(id)
    try RawStatement(
      db, "UPDATE event SET sent = 1 WHERE episodeID = ?1 AND NOT sent AND timestamp <= coalesce(?2, timestamp)"
    ).run(id.rawValue, time)
  }

  /// - Parameter event: the last event that was included in what was sent.
  func forget(_ id: EpisodeID, upTo event: Int64) throws {
    try RawStatement(db, "UPDATE event SET sent = 1 WHERE episodeID = ? AND NOT sent AND id <= ?")
      .run(id.rawValue, event)
    try unlist(id)
  }

  private func unlist(_ id: EpisodeID) throws {
    try RawStatement(db, "DELETE FROM syncOutbox WHERE episodeID = ?").run(id.rawValue)
  }

  func sent(_ id: EpisodeID, at shared: Double, version: Double) throws {
    try RawStatement(
      db, "UPDATE syncEpisode SET seen = max(coalesce(seen, ?1), ?1), agreed = ?2 WHERE episodeID = ?3"
    ).run(shared, version, id.rawValue)
  }

  /// Stores the newest change of an episode until its feed has been fetched.
  func wait(_ change: EpisodeChange, _ key: String, _ name: String, localTime: Double) throws {
    try RawStatement(
      db,
      """
      INSERT INTO syncWaiting
        (feedKey, name, guid, mediaURL, status, position, started, total, time, localTime, device)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      ON CONFLICT (feedKey, name) DO UPDATE SET guid = ?3, mediaURL = ?4, status = ?5, position = ?6, started = ?7,
        total = ?8, time = ?9, localTime = ?10, device = ?11 WHERE ?9 > time
      """
    ).run(
      key, name, change.episode.guid, change.episode.mediaURL, change.mark.status.code, change.mark.position,
      change.started, change.total, change.time, localTime, change.device)
  }
}
