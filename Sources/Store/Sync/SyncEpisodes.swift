import Foundation
import GRDB
import Model
import Sync

/// Syncs status and position of episodes with a server, in one transaction.
struct SyncEpisodes {
  let library: Library
  let db: Database
  private(set) var rules: SyncRules

  private var statements: SyncStatements { SyncStatements(db) }

  /// SQL for the episodes to send. Argument: only ids greater than this.
  /// - Parameter isTimed: `SyncTraits.storesSubscriptionTimes`.
  static func unsent(isTimed: Bool) -> String {
    """
    SELECT e.id FROM (
      SELECT episodeID FROM syncOutbox UNION SELECT episodeID FROM event WHERE NOT sent AND kind <> 'download'
    ) JOIN episode e ON e.id = episodeID JOIN podcast p ON p.id = e.podcastID
    WHERE \(isShared(isTimed: isTimed)) AND e.id > ?
    """
  }

  /// A condition on `episode e JOIN podcast p`: other devices can know the episode. Podcasts without a subscription are
  /// left out (opodsync would subscribe to them), and so are episodes without an address. Files of folders are only
  /// known to Earshot, by their identity (`FolderPodcast`).
  static func isShared(isTimed: Bool) -> String {
    let folders = isTimed ? " OR p.feedURL LIKE 'file:%' AND e.guid IS NOT NULL" : ""
    return "p.isSubscribed AND (p.feedURL LIKE 'http%' AND e.mediaURL LIKE 'http%'\(folders))"
  }

  // MARK: Receiving

  /// - Parameter found: gets the episodes that the changes mention.
  /// - Returns: how many episodes changed here.
  func apply(
    _ changes: some Sequence<EpisodeChange>, _ undo: inout SyncUndo, _ changed: inout Set<EpisodeID>,
    _ found: inout Set<Int64>
  ) throws -> Int {
    let before = changed.count
    let now = rules.clock.now
    for (key, changes) in try byPodcast(changes) {
      guard var names = try names(of: key) else {
        for change in changes { try wait(change, key) }
        continue
      }
      var newest: [Int64: EpisodeChange] = [:]
      for change in changes {
        guard let id = names.find(change.episode, at: change.time) else {
          try wait(change, key)
          continue
        }
        if let other = newest[id], !change.supersedes(other) { continue }
        newest[id] = change
      }
      found.formUnion(newest.keys)
      for (id, change) in newest.sorted(by: { $0.key < $1.key }) {
        let local = rules.clock.local(rules.clock.plausible(change.time))
        if try receive(change, EpisodeID(id), localTime: local, now: now, &undo) { changed.insert(EpisodeID(id)) }
      }
    }
    return changed.count - before
  }

  /// Groups changes by the key of their feed, sorted.
  private func byPodcast(
    _ changes: some Sequence<EpisodeChange>
  ) throws -> [(key: String, value: [EpisodeChange])] {
    var names = SyncFeedNames(db, rules.traits)
    var keys: [String: String] = [:]
    let groups = try Dictionary(grouping: changes) { change in
      let address = change.episode.podcast
      if let key = keys[address] { return key }
      let key = try names.key(of: address)
      keys[address] = key
      return key
    }
    return groups.sorted { $0.key < $1.key }
  }

  /// The names of a podcast's episodes. Nil: there is no such podcast.
  private func names(of key: String) throws -> EpisodeNames? {
    if key == FolderPodcast.syncName { return try isTimed ? EpisodeNames(foldersIn: db) : nil }
    return try Library.podcastID(db, feedKey: key).map { try EpisodeNames(db, podcast: $0.rawValue) }
  }

  private var isTimed: Bool { rules.traits.storesSubscriptionTimes }

  /// - Returns: whether status or position changed.
  private func receive(
    _ change: EpisodeChange, _ id: EpisodeID, localTime: Double, now: Double, _ undo: inout SyncUndo
  ) throws -> Bool {
    guard change.isPossible, var row = try statements.read(id, isWhole: rules.traits.usesWholeSeconds) else {
      return false
    }
    var mark = change.mark
    // Servers drop the total of some actions. It may come from an older one. A folder names the status with the total.
    let namesStatus = isTimed && change.possibleTotal != nil
    if mark.status == .paused, !namesStatus, let end = change.possibleTotal ?? row.duration, mark.position >= end {
      mark = EpisodeMark(.played, position: 0, isWhole: rules.traits.usesWholeSeconds)
    }
    let (old, version) = (row.state.value, row.state.version)
    let outcome = row.state.receive(mark, at: change.time, rules.clock)
    switch outcome {
    case .applied where old == mark:
      // A later change with the same value. The listener's position and its times stay, and there is nothing to undo.
      try statements.store(id, seen: row.state.seen, agreed: version)
      try statements.discardUnsent(id)
    case .applied:
      try undo.storeEpisode(id, leavesQueue: mark.status.leavesQueue, db, now: Date(timeIntervalSince1970: now))
      try adopt(mark, change, id, localTime: localTime)
      // From now on, status and position have the same time.
      try statements.store(id, seen: row.state.seen, agreed: localTime * 2)
    case .same:
      try statements.store(id, seen: row.state.seen, agreed: row.state.agreed)
      // The server already has this state, so the events that led to it need not be sent.
      try statements.discardUnsent(id, until: row.state.time)
    case .outdated: try statements.store(id, seen: row.state.seen, agreed: row.state.agreed)
    case .lostByServer:
      let mayRepair = rules.traits.mayLoseValues && row.repairs < Self.repairLimit
      try statements.store(id, seen: row.state.seen, agreed: mayRepair ? nil : row.state.agreed)
      guard mayRepair else { break }
      try db.run("UPDATE syncEpisode SET repairs = repairs + 1 WHERE episodeID = ?", [id.rawValue])
      try db.run("INSERT OR IGNORE INTO syncOutbox VALUES (?)", [id.rawValue])
    }
    if row.repairs > 0, outcome == .applied || outcome == .same {
      // The server keeps values again.
      try db.run("UPDATE syncEpisode SET repairs = 0 WHERE episodeID = ?", [id.rawValue])
    }
    return outcome == .applied && (row.status, row.position) != (mark.status, mark.position)
  }

  /// How often in a row a value that the server loses is sent again.
  static let repairLimit = 3

  private func adopt(_ mark: EpisodeMark, _ change: EpisodeChange, _ id: EpisodeID, localTime: Double) throws {
    let played = change.played
    let isHeard = mark.status == .paused && played.lowerBound < played.upperBound
    try statements.change(id, to: mark, at: localTime, isHeard: isHeard, duration: change.possibleTotal)
    try statements.discardUnsent(id)
    let kind: ListeningEvent.Kind =
      switch mark.status {
      case .new: .new
      case .playing, .paused: .play(from: played.lowerBound, to: played.upperBound, total: change.possibleTotal)
      case .played: .played
      case .deleted: .delete
      }
    let event = ListeningEvent(episode: id, kind: kind, timestamp: Date(timeIntervalSince1970: localTime))
    try Library.insert(db, event, deviceID: change.device ?? "another device", sent: true)
  }

  // MARK: Waiting

  /// Stores the newest change of an episode until its feed has been fetched.
  private func wait(_ change: EpisodeChange, _ key: String) throws {
    let names = [change.episode.guid, change.episode.mediaURL].compactMap { $0 }
    guard !names.isEmpty else { return }
    let name = names.joined(separator: "\n")
    try statements.wait(change, key, name, localTime: rules.clock.local(rules.clock.plausible(change.time)))
  }

  /// Applies changes that arrived before the episodes of the podcast.
  /// - Returns: the episodes whose state changed.
  static func applyWaiting(_ library: Library, _ db: Database, podcast: PodcastID, now: Date) throws -> Set<EpisodeID> {
    let changed = try applyWaitingChanges(library, db, podcast: podcast, now: now)
    // After the states, as in a sync. A played episode leaves the queue, and an entry that the server has stays there.
    try SyncCollections.applyWaiting(library, db, podcast: podcast, now: now)
    return changed
  }

  private static func applyWaitingChanges(
    _ library: Library, _ db: Database, podcast: PodcastID, now: Date
  ) throws -> Set<EpisodeID> {
    let key =
      "(SELECT iif(\(FolderPodcast.condition), '\(FolderPodcast.syncName)', feedKey) FROM podcast WHERE id = ?)"
    guard try db.hasRow("SELECT 1 FROM syncWaiting WHERE feedKey = \(key)", [podcast.rawValue]),
      let account = try Library.syncAccount(db)
    else { return [] }
    let isTimed = account.backend?.traits.storesSubscriptionTimes == true
    let traits = SyncTraits(
      timeResolution: isTimed ? 0.001 : 1, storesSubscriptionTimes: isTimed, categories: [], batch: 0,
      mayLoseValues: false)
    let rows = try db.rows(
      """
      SELECT feedKey, name, guid, mediaURL, status, position, started, total, time, localTime, device FROM syncWaiting
      WHERE feedKey = \(key)
      """, [podcast.rawValue])
    var names = try EpisodeNames(db, podcast: podcast.rawValue)
    var undo = SyncUndo(label: "Sync of episodes that have come", continuesLastStep: true)
    try undo.open(db)
    var changed: Set<EpisodeID> = []
    let now = now.seconds
    var own = SyncEpisodes(
      library: library, db: db,
      rules: SyncRules(clock: SyncClock(step: traits.timeResolution, now: now), traits: traits))
    let taken = try RawStatement(db, "DELETE FROM syncWaiting WHERE feedKey = ? AND name = ?")
    for row in rows {
      let (time, localTime) = (try row[8] as Double, try row[9] as Double)
      let reference = EpisodeReference(podcast: try row[0], guid: try row[2], mediaURL: try row[3])
      guard let id = names.find(reference, at: time) else { continue }
      // The clocks as they were when it came.
      own.rules.clock = SyncClock(offset: time - localTime, step: traits.timeResolution, now: now)
      let change = try EpisodeChange(
        episode: reference,
        mark: EpisodeMark(EpisodeStatus(code: row[4]), position: row[5], isWhole: traits.usesWholeSeconds), time: time,
        started: row[6], total: row[7], device: row[10])
      if try own.receive(change, EpisodeID(id), localTime: localTime, now: now, &undo) {
        changed.insert(EpisodeID(id))
      }
      let (key, name) = (try row[0] as String, try row[1] as String)
      try taken.run(key, name)
    }
    try undo.store(db)
    return changed
  }

  // MARK: Sending

  /// - Parameters:
  ///   - last: the last episode tried in this run. Episodes are sent in the order of their ids.
  ///   - isFirst: nothing has been tried yet.
  ///   - sending: of this run.
  func outgoing(
    limit: Int, after last: Int64, isFirst: Bool, _ sending: inout EpisodeSending
  ) throws -> SyncOutgoing {
    var outgoing = SyncOutgoing()
    outgoing.upTo = try Int64.fetchOne(db, "SELECT max(id) FROM event") ?? 0
    if isFirst {
      // After this, each batch is found by its ids without reading all events.
      try db.run("INSERT OR IGNORE INTO syncOutbox SELECT id FROM (\(Self.unsent(isTimed: isTimed)))", [0])
    }
    var last = last
    while outgoing.keys.isEmpty {
      let ids = try Int64.fetchAll(
        db,
        """
        SELECT e.id FROM syncOutbox o JOIN episode e ON e.id = o.episodeID JOIN podcast p ON p.id = e.podcastID
        WHERE o.episodeID > ? AND \(Self.isShared(isTimed: isTimed))
        ORDER BY o.episodeID LIMIT ?
        """, [last, limit])
      guard let end = ids.last else { break }
      last = end
      for id in ids { try add(EpisodeID(id), to: &outgoing, &sending) }
    }
    return outgoing
  }

  private func add(_ id: EpisodeID, to outgoing: inout SyncOutgoing, _ sending: inout EpisodeSending) throws {
    guard let row = try statements.read(id, isWhole: rules.traits.usesWholeSeconds), row.state.isPending,
      let mark = row.state.value, let reference = reference(to: row)
    else {
      // There is nothing to send, or no server would accept it.
      return try statements.forget(id, upTo: outgoing.upTo)
    }
    var change = EpisodeChange(
      episode: reference, mark: mark,
      time: row.state.sharedTime(rules.clock), total: row.duration)
    if !rules.traits.storesSubscriptionTimes {
      change.episode.guid = try sending.unique(row.guid, db)
      change.time = sending.spread(change.time, after: row.state.seen)
    }
    change.repeats = row.pushes
    if mark.status == .paused {
      change.started = try Double.fetchOne(
        db,
        """
        SELECT fromTime FROM event WHERE episodeID = ? AND kind = 'play' AND deviceID = ?
        ORDER BY sent, id DESC LIMIT 1
        """, [id.rawValue, library.deviceID])
      // mygpo may have dropped it, because it has an action with this start and position.
      if row.repairs > 0, !isTimed { change.started = change.started.map { $0 - Double(1 + row.pushes % 60) } }
    }
    outgoing.batch.episodes.append(change)
    outgoing.keys.append(id.description)
    outgoing.versions.append(row.state.version)
  }

  /// Nil: no server would accept it.
  private func reference(to row: SyncStatements.EpisodeRow) -> EpisodeReference? {
    if FolderAddress.isLocal(row.feedURL) {
      // Not the path, which differs between devices and is nobody's business.
      return isTimed
        ? row.guid.map { EpisodeReference(podcast: FolderPodcast.syncName, guid: $0, mediaURL: nil) } : nil
    }
    guard let url = row.mediaURL.flatMap(SyncAddress.sent), let podcast = SyncAddress.sent(row.feedURL) else {
      return nil
    }
    return EpisodeReference(podcast: podcast, guid: row.guid, mediaURL: url)
  }

  static func willSend(_ db: Database, _ outgoing: SyncOutgoing) throws {
    let statement = try RawStatement(
      db,
      """
      INSERT INTO syncEpisode (episodeID, pushes) SELECT id, 1 FROM episode WHERE id = ?
      ON CONFLICT (episodeID) DO UPDATE SET pushes = pushes + 1
      """)
    for key in outgoing.keys { try statement.run(Int64(key)) }
  }

  static func didSend(_ db: Database, _ outgoing: SyncOutgoing) throws {
    let statements = SyncStatements(db)
    for (index, change) in outgoing.batch.episodes.enumerated() {
      guard let id = Int64(outgoing.keys[index]) else { continue }
      try statements.sent(EpisodeID(id), at: change.time, version: outgoing.versions[index])
      try statements.forget(EpisodeID(id), upTo: outgoing.upTo)
    }
  }
}
