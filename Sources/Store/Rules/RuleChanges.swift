import Foundation
import GRDB
import Model
import Sync

/// The changes of one run of rules, as one step of the undo log.
struct RuleChanges {
  private var undo: SyncUndo
  /// The number under which `ruleAct` has what this step undoes. Nil: nothing was done yet.
  private var run: Int64?
  /// When the refresh began whose rules these are. Its later transactions continue the step.
  private let refresh: Date?

  private static let label = "What rules did"

  /// - Parameter refresh: nil: the run is complete in itself.
  init(_ db: Database, refresh: Date?) throws {
    self.refresh = refresh
    if let refresh, let known = try Self.known(db), known.refresh == refresh.seconds,
      // A change by the listener since then is undone before it.
      try UndoLog.next(db, .back)?.id == known.step
    {
      undo = SyncUndo(label: Self.label, continuing: known.step)
      run = known.run
    } else {
      undo = SyncUndo(label: Self.label)
    }
    try undo.open(db)
  }

  mutating func perform(_ rule: Rule, on episodes: [Int64], _ library: Library, _ db: Database, now: Date) throws {
    let run = try number(db)
    // There is nothing to undo about a notice.
    if rule.action != .notify {
      try undo.add("ruleRun \(run)", db, now: now) { .ruleRun(run, isTakenBack: true) }
    }
    switch rule.action {
    case .queue, .queueNext: try queue(episodes, isNext: rule.action == .queueNext, db, now: now)
    case .played, .deleted:
      let status: EpisodeStatus = rule.action == .played ? .played : .deleted
      for id in episodes { try undo.storeEpisode(EpisodeID(id), leavesQueue: true, db, now: now) }
      let isShared = try Self.sharesRules(db)
      for id in episodes {
        let time = isShared ? try Self.weakTime(db, of: id, now: now) : now
        try Library.change(db, [EpisodeID(id)], to: status, now: time)
        let event = ListeningEvent(
          episode: EpisodeID(id), kind: status == .played ? .played : .delete, timestamp: now)
        try Library.insert(db, event, deviceID: library.deviceID)
      }
    case .tag(let tag):
      for id in episodes {
        try undo.add("tags \(TagTable.episode) \(id)", db, now: now) {
          .tags(kind: .episode, id: id, before: try TagTable.episode.tags(db, of: id))
        }
        try TagTable.episode.change(db, tag, isSet: true, of: id)
      }
    case .playlist(let title): try add(episodes, toPlaylist: title, db, now: now)
    case .transcribe: for id in episodes { try Library.addToTranscribing(db, EpisodeID(id), now: now) }
    case .download, .notify, .keep: break
    }
    for id in episodes {
      try db.run(
        """
        INSERT INTO ruleAct (episodeID, action, rule, run, timestamp, isWaiting, wasPlayed)
        SELECT id, ?2, ?3, ?4, ?5, \(Self.isWaiting(rule.action)), \(StatusIs.played) FROM episode WHERE id = ?1
        """, [id, rule.action.key, rule.name, run, now.seconds])
    }
  }

  /// Whether other devices have the same rules.
  private static func sharesRules(_ db: Database) throws -> Bool {
    try Library.syncAccount(db)?.backend?.traits.categories.contains(.collections) == true
  }

  /// The time of a change of status by a rule: earlier than whatever the listener decides about the episode, because
  /// another device may apply the rule after that. Not for servers, which give other devices only what is newer than
  /// their last request.
  private static func weakTime(_ db: Database, of episode: Int64, now: Date) throws -> Date {
    let last = try Double.fetchOne(
      db, "SELECT max(coalesce(statusUpdated, 0), coalesce(positionUpdated, 0)) FROM episode WHERE id = ?", [episode])
    return Date(timeIntervalSince1970: min(max(last ?? 0, SyncClock.unknownTime) + 0.001, now.seconds))
  }

  /// Call at the end of the transaction.
  mutating func store(_ db: Database) throws {
    try undo.store(db)
    guard let refresh, let run, let step = undo.id else { return }
    try db.setMeta("ruleRun", "\(refresh.seconds) \(step) \(run)")
  }

  private mutating func number(_ db: Database) throws -> Int64 {
    let number = try run ?? 1 + (Int64.fetchOne(db, "SELECT max(run) FROM ruleAct") ?? 0)
    run = number
    return number
  }

  /// SQL that says whether the program has to do something outside of the library.
  private static func isWaiting(_ action: RuleAction) -> String {
    switch action {
    case .download, .notify: "1"
    case .deleted: "EXISTS (SELECT 1 FROM download WHERE episodeID = ?1)"
    case .queue, .queueNext, .played, .tag, .playlist, .transcribe, .keep: "0"
    }
  }

  private mutating func queue(_ episodes: [Int64], isNext: Bool, _ db: Database, now: Date) throws {
    try undo.storeQueue(db, now: now)
    var ids = try QueueTable.read(db)
    var index = ids.count
    if isNext {
      let playing = try Int64.fetchOne(db, LoadedEpisode.played)
      index = ids.firstIndex { $0 == playing }.map { $0 + 1 } ?? 0
    }
    ids.insert(contentsOf: episodes, at: index)
    try QueueTable.write(db, ids)
  }

  private mutating func add(_ episodes: [Int64], toPlaylist title: String, _ db: Database, now: Date) throws {
    guard let id = try Self.playlist(db, title), let before = try StoredPlaylist.fetch(db, id) else { return }
    try undo.add("playlist \(id)", db, now: now) { .playlist(id: id, before: before) }
    var after = before
    after.items += episodes.map { StoredPlaylist.Item(episode: $0, clip: nil) }
    try StoredPlaylist.change(db, id, to: after, now: now)
  }

  /// Marks a run as taken back, or as done again. Its downloads are cancelled or started again, and its transcripts
  /// leave the list or are on it again.
  static func take(_ db: Database, _ run: Int64, back isTakenBack: Bool) throws {
    try db.run(
      "UPDATE ruleAct SET isTakenBack = ?1, isWaiting = isWaiting OR action = 'download' WHERE run = ?2",
      [isTakenBack, run])
    let episodes = try Int64.fetchAll(
      db, "SELECT episodeID FROM ruleAct WHERE run = ? AND action = ?", [run, RuleAction.transcribe.key])
    for id in episodes {
      if isTakenBack {
        try Library.removeFromTranscribing(db, EpisodeID(id))
      } else if try !db.hasRow("SELECT 1 FROM madeTranscript WHERE episodeID = ?", [id]) {
        try Library.addToTranscribing(db, EpisodeID(id), now: Date())
      }
    }
  }

  /// The playlist with this title. Nil: there is none, or it is a smart one.
  static func playlist(_ db: Database, _ title: String) throws -> PlaylistID? {
    let rows = try db.rows(
      "SELECT id, title FROM playlist WHERE id NOT IN (SELECT playlistID FROM smartPlaylist) ORDER BY id")
    let row = try rows.first { Playlist.isSameTitle(try $0[1], title) }
    return try row.map { PlaylistID(try $0[0]) }
  }

  private static func known(_ db: Database) throws -> (refresh: Double, step: Int64, run: Int64)? {
    let parts = try (db.meta("ruleRun") ?? "").split(separator: " ")
    guard parts.count == 3, let refresh = Double(parts[0]), let step = Int64(parts[1]), let run = Int64(parts[2])
    else { return nil }
    return (refresh, step, run)
  }
}
