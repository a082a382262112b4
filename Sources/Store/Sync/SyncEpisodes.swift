import Foundation
import GRDB
import Model
import Sync

/// Status and position of episodes between the library and a server, in one transaction.
struct SyncEpisodes {
  let library: Library
  let db: Database
  let rules: SyncRules

  /// Episodes of which something is to be sent. Argument: only those with a greater id.
  ///
  /// Nothing is sent of a podcast that is not subscribed to (opodsync subscribes to it then), nor of an episode that has no
  /// address.
  static let unsent = """
    SELECT e.id FROM (
      SELECT episodeID FROM syncOutbox UNION SELECT episodeID FROM event WHERE NOT sent AND kind <> 'download'
    ) JOIN episode e ON e.id = episodeID JOIN podcast p ON p.id = e.podcastID
    WHERE p.isSubscribed AND p.feedURL LIKE 'http%' AND e.mediaURL LIKE 'http%' AND e.id > ?
    """

  // MARK: Receiving

  func apply(
    _ changes: [EpisodeChange], _ undo: inout SyncUndo, _ changed: inout Set<EpisodeID>
  ) throws -> Int {
    let before = changed.count
    let now = rules.clock.now
    for (key, changes) in Dictionary(grouping: changes, by: { AddressKey.feed($0.episode.podcast) }).sorted(by: {
      $0.key < $1.key
    }) {
      guard let podcast = try Self.podcast(db, key) else {
        for change in changes { try wait(change, key) }
        continue
      }
      let names = try EpisodeNames(db, podcast: podcast)
      var newest: [Int64: EpisodeChange] = [:]
      for change in changes {
        guard let id = names.find(change.episode) else {
          try wait(change, key)
          continue
        }
        if let other = newest[id], !change.supersedes(other) { continue }
        newest[id] = change
      }
      for (id, change) in newest.sorted(by: { $0.key < $1.key }) {
        let local = rules.clock.local(rules.clock.plausible(change.time))
        if try receive(change, EpisodeID(id), localTime: local, now: now, &undo) { changed.insert(EpisodeID(id)) }
      }
    }
    return changed.count - before
  }

  private static func podcast(_ db: Database, _ key: String) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT id FROM podcast WHERE feedKey = ?"), arguments: [key])
  }

  /// - Returns: whether status or position changed.
  private func receive(
    _ change: EpisodeChange, _ id: EpisodeID, localTime: Double, now: Double, _ undo: inout SyncUndo
  ) throws -> Bool {
    guard var row = try SyncEpisodeRow(db, id, isWhole: rules.traits.wholeSeconds) else { return false }
    var mark = change.mark
    if mark.status == .paused, change.total == nil, let duration = row.duration, mark.position >= duration {
      mark = EpisodeMark(.played, position: 0, isWhole: rules.traits.wholeSeconds)
    }
    let (old, version) = (row.state.value, row.state.version)
    let outcome = row.state.receive(mark, at: change.time, rules.clock)
    switch outcome {
    case .applied where old == mark:
      // Something later, and the same: the listener's place and its times stay, and there is nothing to undo.
      try row.keep(db, id, agreed: version)
      try Self.settle(db, id)
    case .applied:
      try undo.keep(id, leavesQueue: mark.status.leavesQueue, db, now: Date(timeIntervalSince1970: now))
      try follow(mark, change, id, localTime: localTime)
      // Both times are the same from now on.
      try row.keep(db, id, agreed: localTime * 2)
    case .same:
      try row.keep(db, id, agreed: row.state.agreed)
      try db.cachedStatement(sql: "DELETE FROM syncOutbox WHERE episodeID = ?").execute(arguments: [id.rawValue])
      // What is known there already need not be sent; only events that led to this state.
      try db.cachedStatement(sql: "UPDATE event SET sent = 1 WHERE episodeID = ? AND NOT sent AND timestamp <= ?")
        .execute(arguments: [id.rawValue, row.state.time])
    case .outdated: try row.keep(db, id, agreed: row.state.agreed)
    case .forgotten:
      let mayRepair = rules.traits.forgets && row.repairs < Self.repairLimit
      try row.keep(db, id, agreed: mayRepair ? nil : row.state.agreed)
      guard mayRepair else { break }
      try db.cachedStatement(sql: "UPDATE syncEpisode SET repairs = repairs + 1 WHERE episodeID = ?")
        .execute(arguments: [id.rawValue])
      try db.cachedStatement(sql: "INSERT OR IGNORE INTO syncOutbox VALUES (?)").execute(arguments: [id.rawValue])
    }
    return outcome == .applied && (row.status, row.position) != (mark.status, mark.position)
  }

  /// So often is sent again what a server does not keep.
  private static let repairLimit = 3

  private func follow(_ mark: EpisodeMark, _ change: EpisodeChange, _ id: EpisodeID, localTime: Double) throws {
    let started = change.started ?? mark.position
    let isHeard = mark.status == .paused && started < mark.position
    try db.cachedStatement(
      sql: """
        UPDATE episode SET status = ?1, statusUpdated = ?2, position = ?3, positionUpdated = ?2,
          heardAt = iif(?4, max(coalesce(heardAt, 0), ?2), heardAt),
          measuredDuration = coalesce(measuredDuration, ?5) WHERE id = ?6
        """
    ).execute(arguments: [
      mark.status.code, localTime, mark.position, isHeard, change.total.flatMap { $0 > 1 ? $0 : nil }, id.rawValue,
    ])
    if mark.status.leavesQueue {
      try db.cachedStatement(sql: "DELETE FROM queue WHERE episodeID = ?").execute(arguments: [id.rawValue])
    }
    try Self.settle(db, id)
    let kind: ListeningEvent.Kind =
      switch mark.status {
      case .new: .new
      case .playing, .paused: .play(from: min(started, mark.position), to: mark.position, total: change.total)
      case .played: .played
      case .deleted: .delete
      }
    try Library.insert(
      db, ListeningEvent(episode: id, kind: kind, timestamp: Date(timeIntervalSince1970: localTime)),
      deviceID: change.device ?? "another device", sent: true)
  }

  /// What happened here earlier has been overtaken: nothing of it is sent.
  private static func settle(_ db: Database, _ id: EpisodeID) throws {
    let isUnsent = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM syncOutbox WHERE episodeID = ?1)
          OR EXISTS (SELECT 1 FROM event WHERE episodeID = ?1 AND NOT sent)
        """)
    guard try Bool.fetchOne(isUnsent, arguments: [id.rawValue]) == true else { return }
    try db.cachedStatement(sql: "DELETE FROM syncOutbox WHERE episodeID = ?").execute(arguments: [id.rawValue])
    try db.cachedStatement(sql: "UPDATE event SET sent = 1 WHERE episodeID = ? AND NOT sent")
      .execute(arguments: [id.rawValue])
  }

  // MARK: Waiting

  /// Keeps the newest that is said of an episode until its feed has come.
  private func wait(_ change: EpisodeChange, _ key: String) throws {
    guard let name = change.episode.guid ?? change.episode.mediaURL else { return }
    try db.cachedStatement(
      sql: """
        INSERT INTO syncWaiting
          (feedKey, name, guid, mediaURL, status, position, started, total, time, localTime, device)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        ON CONFLICT (feedKey, name) DO UPDATE SET guid = ?3, mediaURL = ?4, status = ?5, position = ?6, started = ?7,
          total = ?8, time = ?9, localTime = ?10, device = ?11 WHERE ?9 > time
        """
    ).execute(arguments: [
      key, name, change.episode.guid, change.episode.mediaURL, change.mark.status.code, change.mark.position,
      change.started, change.total, change.time, rules.clock.local(rules.clock.plausible(change.time)),
      change.device,
    ])
  }

  /// Does what came before the episodes of the podcast did.
  /// - Returns: episodes whose state changed.
  @discardableResult
  static func applyWaiting(_ library: Library, _ db: Database, podcast: PodcastID, now: Date) throws -> Set<EpisodeID> {
    try SyncCollections.applyWaiting(library, db, now: now)
    let key = "(SELECT feedKey FROM podcast WHERE id = ?)"
    let exists = try db.cachedStatement(sql: "SELECT 1 FROM syncWaiting WHERE feedKey = \(key)")
    guard try Bool.fetchOne(exists, arguments: [podcast.rawValue]) != nil,
      let account = try Library.syncAccount(db)
    else { return [] }
    let isFolder = account.kind == "folder"
    let traits = SyncTraits(
      timeStep: isFolder ? 0.001 : 1, timesSubscriptions: isFolder, categories: [], batch: 0, forgets: false)
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT feedKey, name, guid, mediaURL, status, position, started, total, time, localTime, device FROM syncWaiting
        WHERE feedKey = \(key)
        """, arguments: [podcast.rawValue]
    ).map(CheckedRow.init)
    let names = try EpisodeNames(db, podcast: podcast.rawValue)
    var undo = SyncUndo(label: "Sync of episodes that have come")
    try undo.open(db)
    var changed: Set<EpisodeID> = []
    for row in rows {
      let (time, localTime) = (try row[8] as Double, try row[9] as Double)
      let reference = EpisodeReference(podcast: try row[0], guid: try row[2], mediaURL: try row[3])
      guard let id = names.find(reference) else { continue }
      // The clocks as they were when it came.
      let clock = SyncClock(offset: time - localTime, step: traits.timeStep, now: now.seconds)
      let rules = SyncRules(clock: clock, traits: traits)
      let change = try EpisodeChange(
        episode: reference,
        mark: EpisodeMark(EpisodeStatus(code: row[4]), position: row[5], isWhole: traits.wholeSeconds), time: time,
        started: row[6], total: row[7], device: row[10])
      let own = SyncEpisodes(library: library, db: db, rules: rules)
      if try own.receive(change, EpisodeID(id), localTime: localTime, now: now.seconds, &undo) {
        changed.insert(EpisodeID(id))
      }
      try db.cachedStatement(sql: "DELETE FROM syncWaiting WHERE feedKey = ? AND name = ?")
        .execute(arguments: [row[0] as String, row[1] as String])
    }
    try undo.store(db, now: now)
    return changed
  }

  /// What would be told of the episode; nil: nothing was ever done with it.
  static func mark(_ db: Database, _ id: EpisodeID) throws -> EpisodeMark? {
    try SyncEpisodeRow(db, id, isWhole: true)?.state.value
  }

  // MARK: Sending

  static func collectUnsent(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO syncOutbox
        SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcastID LEFT JOIN syncEpisode s ON s.episodeID = e.id
        WHERE p.isSubscribed AND p.feedURL LIKE 'http%' AND e.mediaURL LIKE 'http%'
          AND (e.statusUpdated IS NOT NULL OR e.positionUpdated IS NOT NULL)
          AND s.agreed IS NOT coalesce(e.statusUpdated, 0) + coalesce(e.positionUpdated, 0)
        """)
  }

  /// - Parameters:
  ///   - last: the last episode that was tried in this run. They go in the order of their ids.
  ///   - isFirst: nothing was tried yet.
  func outgoing(limit: Int, after last: Int64, isFirst: Bool) throws -> SyncOutgoing {
    var outgoing = SyncOutgoing()
    outgoing.upTo = try Int64.fetchOne(db, sql: "SELECT max(id) FROM event") ?? 0
    if isFirst {
      // Then each batch is found by its ids, and need not look at all events.
      try db.execute(sql: "INSERT OR IGNORE INTO syncOutbox SELECT id FROM (\(Self.unsent))", arguments: [0])
    }
    var last = last
    while outgoing.keys.isEmpty {
      let ids = try Int64.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT e.id FROM syncOutbox o JOIN episode e ON e.id = o.episodeID JOIN podcast p ON p.id = e.podcastID
            WHERE o.episodeID > ? AND p.isSubscribed AND p.feedURL LIKE 'http%' AND e.mediaURL LIKE 'http%'
            ORDER BY o.episodeID LIMIT ?
            """), arguments: [last, limit])
      guard let end = ids.last else { break }
      last = end
      for id in ids { try add(EpisodeID(id), to: &outgoing) }
    }
    return outgoing
  }

  private func add(_ id: EpisodeID, to outgoing: inout SyncOutgoing) throws {
    guard let row = try SyncEpisodeRow(db, id, isWhole: rules.traits.wholeSeconds), row.state.isPending,
      let mark = row.state.value, let url = row.mediaURL.flatMap(SyncAddress.sent),
      let podcast = SyncAddress.sent(row.feedURL)
    else {
      // Nothing to tell, or nothing that a server would take.
      return try Self.forget(db, id, upTo: outgoing.upTo)
    }
    var change = EpisodeChange(
      episode: EpisodeReference(podcast: podcast, guid: row.guid, mediaURL: url), mark: mark,
      time: row.state.sharedTime(rules.clock), total: row.duration)
    change.repeats = row.pushes
    change.started = try Double.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT fromTime FROM event WHERE episodeID = ? AND kind = 'play' AND deviceID = ? ORDER BY id DESC LIMIT 1
          """), arguments: [id.rawValue, library.deviceID])
    outgoing.batch.episodes.append(change)
    outgoing.keys.append(id.description)
    outgoing.versions.append(row.state.version)
  }

  private static func forget(_ db: Database, _ id: EpisodeID, upTo: Int64) throws {
    try db.cachedStatement(sql: "UPDATE event SET sent = 1 WHERE episodeID = ? AND NOT sent AND id <= ?")
      .execute(arguments: [id.rawValue, upTo])
    try db.cachedStatement(sql: "DELETE FROM syncOutbox WHERE episodeID = ?").execute(arguments: [id.rawValue])
  }

  static func willSend(_ db: Database, _ outgoing: SyncOutgoing) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO syncEpisode (episodeID, pushes) SELECT id, 1 FROM episode WHERE id = ?
        ON CONFLICT (episodeID) DO UPDATE SET pushes = pushes + 1
        """)
    for key in outgoing.keys { try statement.execute(arguments: [Int64(key)]) }
  }

  static func didSend(_ db: Database, _ outgoing: SyncOutgoing) throws {
    for (index, change) in outgoing.batch.episodes.enumerated() {
      guard let id = Int64(outgoing.keys[index]) else { continue }
      try db.cachedStatement(
        sql: """
          UPDATE syncEpisode SET seen = max(coalesce(seen, ?1), ?1), agreed = ?2 WHERE episodeID = ?3
          """
      ).execute(arguments: [change.time, outgoing.versions[index], id])
      try forget(db, EpisodeID(id), upTo: outgoing.upTo)
    }
  }
}

/// An episode's row, and what sync knows of it.
private struct SyncEpisodeRow {
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

  init?(_ db: Database, _ id: EpisodeID, isWhole: Bool) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT e.status, e.statusUpdated, e.position, e.positionUpdated, coalesce(e.measuredDuration, e.duration),
          s.seen, s.agreed, coalesce(s.pushes, 0), coalesce(s.repairs, 0), e.guid, e.mediaURL, p.feedURL
        FROM episode e JOIN podcast p ON p.id = e.podcastID LEFT JOIN syncEpisode s ON s.episodeID = e.id WHERE e.id = ?
        """)
    guard let row = try Row.fetchOne(statement, arguments: [id.rawValue]).map(CheckedRow.init) else { return nil }
    status = try EpisodeStatus(code: row[0])
    position = try row[2]
    let (changed, moved) = (try row[1] as Double?, try row[3] as Double?)
    let isTouched = changed != nil || moved != nil
    state = Versioned(
      value: isTouched ? EpisodeMark(status, position: position, isWhole: isWhole) : nil,
      time: max(changed ?? 0, moved ?? 0), version: (changed ?? 0) + (moved ?? 0), seen: try row[5],
      agreed: try row[6])
    duration = try row[4]
    (pushes, repairs) = (try row[7], try row[8])
    (guid, mediaURL, feedURL) = (try row[9], try row[10], try row[11])
  }

  func keep(_ db: Database, _ id: EpisodeID, agreed: Double?) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO syncEpisode (episodeID, seen, agreed) VALUES (?1, ?2, ?3)
        ON CONFLICT (episodeID) DO UPDATE SET seen = ?2, agreed = ?3
        """
    ).execute(arguments: [id.rawValue, state.seen, agreed])
  }
}

/// Finds a podcast's episodes by what other devices and servers call them: by guid, else by address, else by address
/// without its query and with every escape undone. A name that two episodes share says nothing.
struct EpisodeNames {
  private var guids: [String: Int64?] = [:]
  private var addresses: [String: Int64?] = [:]
  private var keys: [String: Int64?] = [:]

  init(_ db: Database, podcast: Int64) throws {
    // Two halves, because each has a partial index.
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT id, guid, mediaURL FROM episode WHERE podcastID = ?1 AND status < 4
          UNION ALL SELECT id, guid, mediaURL FROM episode WHERE podcastID = ?1 AND status = 4
          """), arguments: [podcast])
    while let row = try rows.next().map(CheckedRow.init) {
      let id = try row[0] as Int64
      if let guid = try row[1] as String? { Self.add(id, guid, to: &guids) }
      guard let address = try row[2] as String? else { continue }
      Self.add(id, address, to: &addresses)
      Self.add(id, Self.key(address), to: &keys)
    }
  }

  private static func add(_ id: Int64, _ name: String, to names: inout [String: Int64?]) {
    names.updateValue(names[name] == nil ? id : nil, forKey: name)
  }

  private static func key(_ address: String) -> String {
    let key = AddressKey.media(address)
    return key.removingPercentEncoding ?? key
  }

  func find(_ episode: EpisodeReference) -> Int64? {
    if let guid = episode.guid, let id = guids[guid] ?? nil { return id }
    guard let address = episode.mediaURL else { return nil }
    if let id = addresses[address] ?? nil { return id }
    return keys[Self.key(address)] ?? nil
  }
}
