import Foundation
import GRDB
import Model
import Sync
import SyncBackends

/// The account or folder that the library syncs with. The password is stored elsewhere.
public struct SyncAccount: Sendable, Equatable {
  /// An `AccountBackend.kind`.
  public var kind: String
  /// Nil if a later version of Earshot has stored a kind that this one does not know.
  public var backend: (any AccountBackend.Type)? { BackendTable.backend(kind) }
  /// The server's base address, or the path of the folder.
  public var server: String
  public var user: String
  /// This device's id on the server. It differs on every device.
  public var device: String
  public var deviceName: String
  /// The listener has agreed to send the password over http.
  public var allowsHTTP: Bool
  /// A first sync was completed.
  public var isUnited = false
  public var lastRun: Date?
  public var lastSuccess: Date?
  public var lastFull: Date?
  /// Why the last run failed.
  public var lastError: String?
  /// What the last check of the server found, as a sentence. Nil: nothing.
  public var notice: String?
  /// The server wants no requests in this time, which begins when it said so.
  var pause: Range<Date>?

  /// The time before which the server wants no requests. Nil: it accepts them.
  public func pauseEnd(at now: Date) -> Date? { pause?.end(at: now) }

  public init(
    kind: String, server: String, user: String, device: String, deviceName: String, allowsHTTP: Bool = false
  ) {
    self.kind = kind
    self.server = server
    self.user = user
    self.device = device
    self.deviceName = deviceName
    self.allowsHTTP = allowsHTTP
  }
}

/// What is still to be synced.
public struct SyncBacklog: Sendable, Equatable {
  /// Actions for episodes that are not in the library yet.
  public var waiting = 0
  /// Their podcasts, those with the most actions first.
  public var waitingFor: [WaitingPodcast] = []
  /// Podcasts whose removal waits for the listener's confirmation.
  public var held: [String] = []
  /// Episodes and subscriptions that are still to be sent.
  public var unsent = 0
  public init() {}

  public struct WaitingPodcast: Sendable, Equatable {
    /// Its address, if it is not in the library.
    public var title: String
    public var actions: Int
  }
}

/// Another device of the listener.
public struct SyncedDevice: Sendable, Equatable, Encodable {
  public var id: String
  public var name: String
  /// The time of its newest change that has arrived here. Nil: none has.
  public var seen: Date?
}

extension Library {
  /// The account. Nil: sync is not set up.
  public func syncAccount() throws(StoreError) -> SyncAccount? {
    try read { db in try Self.syncAccount(db) }
  }

  static func syncAccount(_ db: Database) throws -> SyncAccount? {
    let sql = "SELECT *, (SELECT cursor FROM syncCursor WHERE category = '\(pauseKey)') AS pause FROM syncAccount"
    return try CheckedRow.fetchOne(db, sql: sql).map { row in
      var account = try SyncAccount(
        kind: row["kind"], server: row["server"], user: row["user"], device: row["device"],
        deviceName: row["deviceName"], allowsHTTP: row["allowsHTTP"])
      account.isUnited = try row["isUnited"]
      account.lastRun = try Date(seconds: row["lastRun"])
      account.lastSuccess = try Date(seconds: row["lastSuccess"])
      account.lastFull = try Date(seconds: row["lastFull"])
      account.lastError = try row["lastError"]
      account.notice = try row["notice"]
      account.pause = try (row["pause"] as String?).flatMap(Self.pause)
      return account
    }
  }

  /// Sets up sync, or removes it (nil). All sync state of the previous account is deleted, unless it is the same one,
  /// whose password the listener has entered again. The names of playlists and clips stay: they do not change with what
  /// they were derived from, so a folder that is used again has the same ones.
  public func setSyncAccount(_ account: SyncAccount?) throws(StoreError) {
    try write { db in
      if let account, let old = try Self.syncAccount(db),
        (old.kind, old.server, old.user, old.device) == (account.kind, account.server, account.user, account.device)
      {
        try db.execute(
          // The next sync is a complete one, which finds what the server may have lost.
          sql: "UPDATE syncAccount SET deviceName = ?, allowsHTTP = ?, lastFull = NULL, lastError = NULL",
          arguments: [account.deviceName, account.allowsHTTP])
        // The server has just accepted requests.
        try db.run("DELETE FROM syncCursor WHERE category = ?", [Self.pauseKey])
        return
      }
      for table in [
        "syncAccount", "syncCursor", "syncSubscription", "syncEpisode", "syncOutbox", "syncWaiting", "syncRegister",
        "syncTouched",
      ] {
        try db.run("DELETE FROM \(table)")
      }
      // Their names stay, because episodes show on which device they were changed.
      try db.run("UPDATE syncDevice SET seen = NULL")
      guard let account else { return }
      try db.run(
        """
        INSERT INTO syncAccount (id, kind, server, user, device, deviceName, allowsHTTP) VALUES (1, ?, ?, ?, ?, ?, ?)
        """,
        [
          account.kind, account.server, account.user, account.device, account.deviceName, account.allowsHTTP,
        ])
    }
  }

  /// Gives this device another id, because its old one belongs to another device, too. Everything is read and sent
  /// again, because each of the two has taken the other's changes for its own.
  public func changeSyncDevice(_ device: String) throws(StoreError) {
    try write { db in
      try db.run("UPDATE syncAccount SET device = ?", [device])
      for table in ["syncEpisode", "syncSubscription", "syncRegister"] {
        try db.run("UPDATE \(table) SET agreed = NULL")
      }
      try db.run("DELETE FROM syncCursor")
      let isTimed = try Self.syncAccount(db)?.backend?.traits.storesSubscriptionTimes == true
      try SyncEpisodes.queueUnsent(db, isTimed: isTimed)
    }
  }

  /// Records the result of a run.
  /// - Parameters:
  ///   - error: nil: it succeeded.
  ///   - notice: what the run has found out about the server; empty: no fault; nil: it was not checked.
  public func finishSync(error: String?, notice: String? = nil, wasFull: Bool, now: Date) throws(StoreError) {
    try write { db in
      try db.run(
        """
        UPDATE syncAccount SET lastRun = ?1, lastError = ?2, lastSuccess = iif(?2 IS NULL, ?1, lastSuccess),
          isUnited = iif(?2 IS NULL, 1, isUnited), lastFull = iif(?2 IS NULL AND ?3, ?1, lastFull),
          notice = nullif(coalesce(?4, notice), '')
        """, [now.seconds, error, wasFull, notice])
    }
  }

  /// Stores that the server of the account wants no requests before this time, because other processes sync, too.
  /// Another account that was set up during the run keeps its own state.
  public func pauseSync(of account: SyncAccount, until end: Date, now: Date) throws(StoreError) {
    try write { db in
      try db.run(
        """
        INSERT OR REPLACE INTO syncCursor SELECT ?, ? FROM syncAccount WHERE server = ? AND user = ?
        """, [Self.pauseKey, "\(now.seconds) \(end.seconds)", account.server, account.user])
    }
  }

  /// Reads a stored pause: its beginning and its end.
  private static func pause(_ stored: String) -> Range<Date>? {
    let times = stored.split(separator: " ").compactMap { Double($0) }
    guard times.count == 2, times[0] <= times[1] else { return nil }
    return Date(timeIntervalSince1970: times[0])..<Date(timeIntervalSince1970: times[1])
  }

  /// In the table of cursors, which is emptied with the account.
  private static let pauseKey = "pause"

  public func syncBacklog() throws(StoreError) -> SyncBacklog {
    try read { db in
      guard let account = try Self.syncAccount(db) else { return SyncBacklog() }
      var backlog = SyncBacklog()
      backlog.waiting = try Int.fetchOne(db, "SELECT count(*) FROM syncWaiting") ?? 0
      backlog.waitingFor = try db.rows(
        """
        SELECT coalesce(p.title, iif(w.feedKey = '\(FolderPodcast.syncName)', 'folders that are not here', w.feedKey)),
          count(*)
        FROM syncWaiting w LEFT JOIN podcast p ON p.feedKey = w.feedKey
        GROUP BY w.feedKey ORDER BY 2 DESC, 1
        """
      ).map { SyncBacklog.WaitingPodcast(title: try $0[0], actions: try $0[1]) }
      backlog.held = try String.fetchAll(
        db,
        """
        SELECT p.title FROM syncSubscription s JOIN podcast p ON p.feedKey = s.feedKey
        WHERE s.held IS NOT NULL AND p.isSubscribed ORDER BY p.titleKey
        """)
      let isTimed = account.backend?.traits.storesSubscriptionTimes == true
      backlog.unsent =
        try SyncSubscriptions.unsent(db, isTimed: isTimed, limit: 100_000).count
        + (Int.fetchOne(db, "SELECT count(*) FROM (\(SyncEpisodes.unsent(isTimed: isTimed)))", [0]) ?? 0)
      return backlog
    }
  }

  /// The other devices of the account, the one seen last first.
  public func syncDevices() throws(StoreError) -> [SyncedDevice] {
    try read { db in
      try db.rows(
        """
        SELECT device, name, nullif(seen, 0) FROM syncDevice
        WHERE seen IS NOT NULL AND device NOT IN (SELECT device FROM syncAccount) ORDER BY seen DESC, name LIMIT 100
        """
      ).map { SyncedDevice(id: try $0[0], name: try $0[1], seen: try Date(seconds: $0[2])) }
    }
  }

  /// Podcasts whose feeds were never fetched, for example because the process ended after a sync added them.
  public func podcastsNeverFetched() throws(StoreError) -> [PodcastID] {
    try read { db in
      try Int64.fetchAll(
        db,
        """
        SELECT id FROM podcast WHERE isSubscribed AND feedURL LIKE 'http%' AND lastAsked IS NULL
          AND NOT EXISTS (SELECT 1 FROM episode WHERE podcastID = podcast.id)
        ORDER BY id
        """
      ).map { PodcastID($0) }
    }
  }

  /// The listener rejects the removals that were held back. Podcasts that the server removed are added there again.
  public func refuseSyncRemovals() throws(StoreError) {
    try write { db in
      try db.run("UPDATE syncSubscription SET held = NULL, server = 0, agreed = NULL WHERE held IS NOT NULL")
    }
  }

  /// The display name of a device: its own name, or else its id.
  public func deviceName(_ device: String) throws(StoreError) -> String {
    if device == deviceID { return "this device" }
    return try read { db in try SyncName.device(db, device) }
  }
}
