import Foundation
import GRDB
import Model
import Sync

/// Syncs subscriptions with a server, in one transaction. Built-in podcasts (`earshot:`) are not synced.
struct SyncSubscriptions {
  let db: Database
  let rules: SyncRules

  private struct Known {
    var podcast: PodcastID?
    var isSubscribed = false
    var updated = 0.0
    var server: Bool?
    /// What was sent without getting a response.
    var attempt: Bool?
    var isListed = false
    var seen: Double?
    var agreed: Double?
    /// The address as it was sent or received.
    var url: String?
    /// What the server calls it, if it has another name there.
    var serverURL: String?
  }

  private struct Decision {
    var change: SubscriptionChange
    var key: String
    /// With what is to be stored.
    var known: Known
    var subscribes: Bool?
  }

  /// What is to be done with a list of changes.
  struct Plan {
    /// The newest change of each feed.
    var changes: [SubscriptionChange]
    /// Whether removals wait for the listener's confirmation, because they are most of the library.
    var holds: Bool
    /// The keys of the feeds that a complete pull does not mention.
    var missing: [String] = []
  }

  /// Changes nothing.
  func plan(_ changes: [SubscriptionChange]) throws -> Plan {
    let newest = try newest(changes.filter { SyncAddress.sent($0.url) != nil })
    let decisions = try newest.map { try decide($0.change, $0.key) }
    let removed = decisions.count { $0.subscribes == false }
    let subscribed =
      try Int.fetchOne(db, "SELECT count(*) FROM podcast WHERE isSubscribed AND feedURL LIKE 'http%'") ?? 0
    let holds = !rules.acceptsRemovals && RemovalGuard.blocks(removed, of: subscribed)
    var plan = Plan(changes: newest.map(\.change), holds: holds)
    if rules.isFull, rules.traits.mayLoseValues {
      let listed = Set(decisions.filter { !$0.change.isElsewhere }.map(\.key))
      // After a complete pull, which contains removals too.
      plan.missing = try String.fetchAll(db, "SELECT feedKey FROM syncSubscription WHERE server AND held IS NULL")
        .filter { !listed.contains($0) }
    }
    return plan
  }

  /// - Parameter holds: from the plan.
  func apply(
    _ changes: some Sequence<SubscriptionChange>, holds: Bool, _ undo: inout SyncUndo, _ fresh: inout [PodcastID]
  ) throws -> SyncChanges {
    var result = SyncChanges()
    var names = SyncFeedNames(db, rules.traits)
    for change in changes {
      let decision = try decide(change, names.key(of: change.url))
      if holds, decision.subscribes == false {
        try store(decision, held: decision.change.time ?? rules.clock.shared(rules.clock.now))
        continue
      }
      if let subscribes = decision.subscribes {
        try perform(subscribes, decision, &undo, &fresh)
        if subscribes { result.subscribed += 1 } else { result.unsubscribed += 1 }
      }
      try store(decision, held: nil)
    }
    return result
  }

  /// Called when devices have joined. What they do not have is sent once more, and the server passes it on to them.
  /// - Parameter list: the addresses that they have.
  /// - Returns: the keys of the other feeds.
  func unlisted(_ list: [String]) throws -> [String] {
    var names = SyncFeedNames(db, rules.traits)
    let listed = try Set(list.map { try names.key(of: $0) })
    return try String.fetchAll(
      db,
      """
      SELECT s.feedKey FROM syncSubscription s JOIN podcast p ON p.feedKey = s.feedKey
      WHERE s.server AND s.held IS NULL AND p.isSubscribed
      """
    ).filter { !listed.contains($0) }
  }

  /// Feeds that the server has lost, or that other devices do not have, are sent again.
  func forget(_ keys: some Sequence<String>) throws {
    for key in keys { try db.run("UPDATE syncSubscription SET server = NULL WHERE feedKey = ?", [key]) }
  }

  /// Keeps only the newest change of each feed. There can be several because of several devices, or of two spellings
  /// of an address.
  private func newest(_ changes: [SubscriptionChange]) throws -> [(key: String, change: SubscriptionChange)] {
    var names = SyncFeedNames(db, rules.traits)
    var indexes: [String: Int] = [:]
    var result: [(key: String, change: SubscriptionChange)] = []
    for change in changes where !Self.isOfThisMachine(change.url) {
      let key = try names.key(of: change.url)
      guard let index = indexes[key] else {
        indexes[key] = result.count
        result.append((key, change))
        continue
      }
      if change.isElsewhere { continue }
      let (old, new) = (result[index].change.time ?? 0, change.time ?? 0)
      // Of two spellings, the one that is not the podcast's own is stored, so that it can be removed.
      let replaces = try !result[index].change.isSubscribed || !isOwn(change.url)
      if new > old || new == old && change.isSubscribed && replaces {
        result[index].change = change
      }
    }
    return result
  }

  private func isOwn(_ url: String) throws -> Bool {
    try db.hasRow("SELECT 1 FROM podcast WHERE feedURL = ?", [url])
  }

  /// Whether only the listener can make a podcast with this address: what yt-dlp lists, folders, and what comes
  /// with the program.
  private static func isOfThisMachine(_ url: String) -> Bool {
    let start = url.prefix(20).lowercased()
    return start.hasPrefix(VideoPage.listPrefix) || start.hasPrefix("earshot:") || start.hasPrefix("file:")
  }

  private func known(_ key: String) throws -> Known {
    var known = Known()
    let podcast = try db.row(
      "SELECT id, isSubscribed, subscriptionUpdated, feedURL FROM podcast WHERE feedKey = ?", [key])
    if let podcast {
      known.podcast = PodcastID(try podcast[0])
      (known.isSubscribed, known.updated, known.url) = (try podcast[1], try podcast[2], try podcast[3])
    }
    let row = try db.row(
      "SELECT server, attempted, seen, agreed, url, serverURL FROM syncSubscription WHERE feedKey = ?", [key])
    if let row {
      known.isListed = true
      (known.server, known.attempt, known.seen, known.agreed) = (
        try row[0], Self.attempt(code: try row[1]), try row[2], try row[3]
      )
      (known.url, known.serverURL) = (try row[4], try row[5])
    }
    return known
  }

  private func decide(_ change: SubscriptionChange, _ key: String) throws -> Decision {
    let known = try known(key)
    var decision = Decision(change: change, key: key, known: known)
    if change.isElsewhere, known.isListed { return decision }
    guard rules.traits.storesSubscriptionTimes, let time = change.time else {
      var state = SubscriptionState(
        isSubscribed: known.isSubscribed, server: known.server, attempt: known.attempt)
      decision.subscribes = state.receive(
        change.isSubscribed, isFirstSync: rules.isFirstSync, isFull: rules.isFull)
      (decision.known.server, decision.known.attempt) = (state.server, state.attempt)
      // The list that all Earshots share does not have it.
      if change.isElsewhere { decision.known.server = nil }
      return decision
    }
    // A feed that has moved. Others may still report its old address, which is already known.
    if known.podcast == nil, known.isListed, let seen = known.seen, time < seen + rules.clock.step / 2 {
      return decision
    }
    // A removal from before the first sync is not sent to others.
    let isNews = known.podcast == nil || !known.isListed && !known.isSubscribed
    var state = Versioned(
      value: isNews ? nil : known.isSubscribed, time: known.updated, version: known.updated, seen: known.seen,
      agreed: known.agreed)
    if rules.isFirstSync, !change.isSubscribed, known.isSubscribed, known.agreed == nil {
      // A first sync removes nothing: the local subscription is sent as a later change.
      decision.known.seen = max(known.seen ?? time, time)
      return decision
    }
    let outcome = state.receive(change.isSubscribed, at: time, rules.clock)
    if outcome == .applied, change.isSubscribed != known.isSubscribed { decision.subscribes = change.isSubscribed }
    decision.known.seen = state.seen
    decision.known.agreed = outcome == .applied ? state.time : state.agreed
    // Both sides have the same value, so the local time stays.
    if outcome == .applied, decision.subscribes == nil, known.podcast != nil { decision.known.agreed = known.updated }
    return decision
  }

  private func perform(
    _ subscribes: Bool, _ decision: Decision, _ undo: inout SyncUndo, _ fresh: inout [PodcastID]
  ) throws {
    let now = Date(timeIntervalSince1970: rules.clock.now)
    let time = Date(
      timeIntervalSince1970: decision.change.time.map { rules.clock.local(rules.clock.plausible($0)) }
        ?? rules.clock.now)
    var podcast = decision.known.podcast
    if podcast == nil, subscribes {
      podcast = try insert(decision.change)
      fresh.append(podcast!)
    }
    guard let podcast else { return }
    try undo.add("podcast \(podcast)", db, now: now) { .subscription(podcast: podcast, isSubscribed: !subscribes) }
    try Library.setSubscribed(db, podcast, subscribes, now: time)
  }

  /// Inserts a podcast of which only the address is known. The first refresh fills in the rest.
  private func insert(_ change: SubscriptionChange) throws -> PodcastID {
    let title = change.title?.withoutNUL.trimmed ?? ""
    let id = try Library.insertPodcast(
      db, feedURL: change.url, source: .rss(url: change.url.withoutNUL),
      title: title.isEmpty ? AddressKey.feed(change.url) : title, isSubscribed: false,
      now: Date(timeIntervalSince1970: 0))
    try db.run("INSERT INTO podcastContent (podcastID) VALUES (?)", [id.rawValue])
    return id
  }

  private func store(_ decision: Decision, held: Double?) throws {
    let received = decision.change.url
    var known = decision.known
    if held != nil { (known.server, known.attempt, known.agreed) = (true, nil, known.updated) }
    let isOwnName = AddressKey.feed(received) == decision.key
    try db.run(
      """
      INSERT OR REPLACE INTO syncSubscription (feedKey, url, server, attempted, held, seen, agreed, serverURL)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        decision.key, isOwnName ? received : known.url ?? received, known.server, Self.code(known.attempt), held,
        known.seen, known.agreed, isOwnName ? known.serverURL : received,
      ])
  }

  /// The column `attempted`: 0: nothing was sent, 1: a subscription, 2: a removal.
  static func code(_ attempt: Bool?) -> Int { attempt.map { $0 ? 1 : 2 } ?? 0 }
  private static func attempt(code: Int) -> Bool? { code == 0 ? nil : code == 1 }

  /// Performs removals that waited for the listener's confirmation.
  /// - Returns: how many there were, at most `limit`.
  func acceptHeld(limit: Int, _ undo: inout SyncUndo) throws -> Int {
    let now = Date(timeIntervalSince1970: rules.clock.now)
    let rows = try db.rows(
      """
      SELECT p.id, s.held, s.feedKey FROM syncSubscription s JOIN podcast p ON p.feedKey = s.feedKey
      WHERE s.held IS NOT NULL AND p.isSubscribed LIMIT ?
      """, [limit])
    let agreed = "(SELECT subscriptionUpdated FROM podcast p WHERE p.feedKey = syncSubscription.feedKey)"
    let accepted = "UPDATE syncSubscription SET server = 0, held = NULL, agreed = \(agreed) WHERE held IS NOT NULL"
    for row in rows {
      let podcast = PodcastID(try row[0])
      try undo.add("podcast \(podcast)", db, now: now) { .subscription(podcast: podcast, isSubscribed: true) }
      try Library.setSubscribed(
        db, podcast, false, now: Date(timeIntervalSince1970: rules.clock.local(try row[1])))
      try db.run(accepted + " AND feedKey = ?", [try row[2] as String])
    }
    // The others are not subscribed to any more.
    if rows.count < limit { try db.run(accepted) }
    return rows.count
  }
}
