import Foundation
import GRDB
import Model

/// Feeds that change their address.
extension Library {
  /// The feed has moved permanently. If another podcast already has the new address and is the same one, the two are
  /// merged: that podcast stays and gets the listener's data of the old one. A host that closes redirects all of its
  /// feeds to one, and a feed can name the address of any other, so a redirect alone is no reason to merge.
  /// - Returns: the podcast that now has the address. Nil: another podcast has it, and nothing was changed.
  @discardableResult
  public func setFeedURL(_ podcast: PodcastID, _ url: String, now: Date) throws(StoreError) -> PodcastID? {
    try write { db in
      try Self.canMove(db, podcast, to: url) ? Self.moveFeed(db, podcast, to: url, now: now) : nil
    }
  }

  /// False if another podcast that is not the same one has the address.
  public func canMove(_ podcast: PodcastID, to url: String) throws(StoreError) -> Bool {
    try read { db in try Self.canMove(db, podcast, to: url) }
  }

  private static func canMove(_ db: Database, _ podcast: PodcastID, to url: String) throws -> Bool {
    guard let other = try podcastID(db, feedURL: url.withoutUserInfo), other != podcast else { return true }
    return try FeedMove.areSame(db, podcast, other)
  }

  /// Whether the podcast certainly has one of these episodes, also with another guid and address, or no episodes at
  /// all. Does not tell a public feed from the paid one, which has the same episodes (see `matches`).
  public func hasEpisode(among episodes: [FeedEpisode], _ podcast: PodcastID) throws(StoreError) -> Bool {
    try read { db in
      let stored = try StoredKeys(db, podcast: podcast).keys
      guard !stored.isEmpty else { return true }
      let items = try episodes.map { try PreparedEpisode($0).key }
      let matches = EpisodeMatcher(items: items, stored: stored).matches
      return zip(items, matches).contains { item, match in match.map { item.isCertainly(stored[$0]) } ?? false }
    }
  }

  /// The episodes of a podcast, read once for many pages of its feed.
  public func knownEpisodes(of podcast: PodcastID) throws(StoreError) -> KnownEpisodes {
    KnownEpisodes(keys: try read { db in try StoredKeys(db, podcast: podcast).keys })
  }

  /// As `setFeedURL`, without asking whether the two are the same podcast.
  @discardableResult
  static func moveFeed(_ db: Database, _ podcast: PodcastID, to address: String, now: Date) throws -> PodcastID {
    let url = address.withoutUserInfo
    let other = try podcastID(db, feedURL: url)
    if let other, other != podcast {
      try FeedMove(db: db, old: podcast.rawValue, new: other.rawValue).merge(now: now)
      try SyncEpisodes.resendAll(db, podcast: other.rawValue)
      return other
    }
    let isSame = other == podcast
    let before = try feedURL(db, of: podcast)
    let names = try RegisterNames(db, of: podcast)
    // Validators belong to an address (RFC 9110, 8.8). They are kept if they came from the new address, or if only
    // the scheme changes. A pause belongs to a server.
    try db.run(
      """
      UPDATE podcast SET feedURL = ?1, feedKey = ?2, sourceID = iif(source = 'rss', ?1, sourceID),
        etag = iif(?3 OR validatorsURL = ?1, etag, NULL),
        lastModified = iif(?3 OR validatorsURL = ?1, lastModified, NULL),
        notBefore = iif(health = '\(RequestedPause.server.rawValue)' AND NOT ?5, NULL, notBefore)
      WHERE id = ?4
      """, [url.withoutNUL, AddressKey.feed(url), isSame, podcast.rawValue, before.map(server) == server(url)])
    guard db.changesCount > 0 else { throw StoreError.unknown("podcast \(podcast)") }
    try CredentialColumns.narrow(db, of: podcast, to: url)
    guard !isSame, let before else { return podcast }
    if let names, let new = try RegisterNames(db, of: podcast) { try names.change(to: new, db) }
    if AddressKey.decoded(before) == AddressKey.decoded(url) {
      // Sync servers know the feed by its old address, and other devices can find it.
      try SyncFeedNames.respell(db, before, as: url)
    } else {
      try SyncEpisodes.resendAll(db, podcast: podcast.rawValue)
    }
    return podcast
  }
}

/// The stored episodes of a podcast.
public struct KnownEpisodes: Sendable {
  fileprivate let keys: [EpisodeKey]

  /// How many of these episodes are not in the library.
  public func countMissing(in episodes: [FeedEpisode]) -> Int {
    guard let items = try? episodes.map({ try PreparedEpisode($0).key }) else { return episodes.count }
    return EpisodeMatcher(items: items, stored: keys).openItems.count
  }
}

/// Merges two podcasts, within one transaction.
struct FeedMove {
  var db: Database
  var old: Int64
  var new: Int64

  /// Whether two podcasts are the same one: they have the same podcast:guid, one of them has no episodes, or the larger
  /// one has at least half of the episodes of the smaller one.
  static func areSame(_ db: Database, _ one: PodcastID, _ other: PodcastID) throws -> Bool {
    if let guid = try Library.extra(.guid, db, of: one), guid == (try Library.extra(.guid, db, of: other)) {
      return true
    }
    let (old, new) = (try StoredKeys(db, podcast: one).keys, try StoredKeys(db, podcast: other).keys)
    return old.isEmpty || new.isEmpty || sharedEpisodes(old, new) > 0
  }

  /// The number of episodes that both podcasts have, or 0 if that is less than half of those of the smaller one. A
  /// guid is not enough, because some feeds only count.
  static func sharedEpisodes(_ old: [EpisodeKey], _ new: [EpisodeKey]) -> Int {
    let matcher = EpisodeMatcher(items: old, stored: new)
    let count = zip(old, matcher.matches).count { item, match in
      guard let match else { return false }
      let other = new[match]
      let hasSameFile = item.mediaKey != nil && item.mediaKey == other.mediaKey
      return hasSameFile || item.guid != nil && item.guid == other.guid && item.title == other.title
    }
    return count * 2 >= min(old.count, new.count) ? count : 0
  }

  func merge(now: Date) throws {
    guard let wasSubscribed = try Library.isSubscribed(db, PodcastID(old)) else {
      throw StoreError.unknown("podcast \(old)")
    }
    let (from, to) = (try StoredKeys(db, podcast: PodcastID(old)), try StoredKeys(db, podcast: PodcastID(new)))
    let matcher = EpisodeMatcher(items: from.keys, stored: to.keys)
    let names = try RegisterNames(db, of: PodcastID(old), from)
    let (held, inPlaces) = (try heldByPlayer(), try episodesInPlaces())
    let playedLast = try Int64.fetchOne(db, LoadedEpisode.played)
    var merged = MergedIDs(old: PodcastID(old), new: PodcastID(new))
    merged.wasSubscribed = try Library.isSubscribed(db, PodcastID(new)) ?? false
    merged.hadSettings = try db.hasRow("SELECT 1 FROM podcastSettings WHERE podcastID = ?", [new])
    merged.podcastTags = try TagTable.podcast.tags(db, of: new)
    for (index, id) in from.ids.enumerated() {
      guard let match = matcher.matches[index] else {
        try moveEpisode(id)
        continue
      }
      let other = to.ids[match]
      // If players hold both, the one that played last stays.
      let stays =
        held.contains(id)
        ? other != playedLast
        : inPlaces.contains(id) && !inPlaces.contains(other) && !held.contains(other)
      guard stays else {
        try mergeEpisode(id, into: other, &merged)
        continue
      }
      try mergeEpisode(other, into: id, &merged)
      try moveEpisode(id)
      // The next refresh writes what the new feed says of it.
      try db.run("UPDATE podcast SET digest = NULL, etag = NULL, lastModified = NULL WHERE id = ?", [new])
    }
    // A password stays bound to its origin.
    for table in ["podcastTag", "podcastSettings", "podcastCredentials"] {
      try db.run("UPDATE OR IGNORE \(table) SET podcastID = ? WHERE podcastID = ?", [new, old])
      try db.run("DELETE FROM \(table) WHERE podcastID = ?", [old])
    }
    // A former subscription must not become a visited podcast, which can be deleted.
    try db.run(
      "UPDATE podcast SET visited = NULL WHERE id = ? AND (SELECT visited IS NULL FROM podcast WHERE id = ?)",
      [new, old])
    if wasSubscribed { try Library.setSubscribed(db, PodcastID(new), true, now: now) }
    try db.run(
      """
      UPDATE podcastContent SET imageURLOverride =
        coalesce(imageURLOverride, (SELECT imageURLOverride FROM podcastContent WHERE podcastID = ?))
      WHERE podcastID = ?
      """, [old, new])
    try UndoLog.replaceIDs(db, merged)
    try replaceIDsInSettings(merged)
    if let names { try rename(names, merged) }
    try db.run("DELETE FROM podcast WHERE id = ?", [old])
  }

  /// Other devices know the episodes by their names.
  private func rename(_ names: RegisterNames, _ merged: MergedIDs) throws {
    guard var now = try RegisterNames(db, of: PodcastID(new)) else { return }
    let items = now.items
    for id in names.items.keys { now.items[id] = items[merged.episode(EpisodeID(id)).rawValue] }
    try names.change(to: now, db)
  }

  /// The episodes that a player may have loaded, and the one that was heard last. A player stores its positions by
  /// their ids, so these must stay.
  private func heldByPlayer() throws -> Set<Int64> {
    let ids = try Int64.fetchAll(
      db,
      """
      \(LoadedEpisode.ids)
      UNION SELECT * FROM (
        SELECT id FROM episode INDEXED BY episodeHeard WHERE heardAt IS NOT NULL
        ORDER BY heardAt DESC, id DESC LIMIT 1)
      """)
    return Set(ids)
  }

  /// The episodes that a running player can go back to. It knows them by their ids, too.
  private func episodesInPlaces() throws -> Set<Int64> {
    let texts = try [Setting.jumps, .sleepMark].compactMap { try db.setting($0.rawValue) }
    return Set(texts.flatMap { $0.split(separator: " ") }.compactMap { EpisodePlace($0)?.episode.rawValue })
  }

  /// Replaces ids that are gone in settings that name episodes or positions in episodes.
  private func replaceIDsInSettings(_ merged: MergedIDs) throws {
    for key in [Setting.jumps, .sleepMark, .loaded, .lastPlayed].map(\.rawValue) {
      guard let text = try db.setting(key) else { continue }
      let words = text.split(separator: " ").map { word in
        if let id = Int64(word) { return merged.episode(EpisodeID(id)).description }
        guard var place = EpisodePlace(word) else { return String(word) }
        place.episode = merged.episode(place.episode)
        return place.text
      }
      try db.setSetting(key, words.joined(separator: " "))
    }
  }

  /// Gives an episode of the old podcast to the new one.
  private func moveEpisode(_ id: Int64) throws {
    try db.run("UPDATE episode SET podcastID = ? WHERE id = ?", [new, id])
    // The search index has it under the old podcast.
    try db.run("UPDATE episodeContent SET textHash = NULL WHERE episodeID = ?", [id])
    try SearchWriter.mark(db, [id])
  }

  /// Keeps the state that was changed last. Lists, clips, tags, downloads and events are moved.
  private func mergeEpisode(_ old: Int64, into new: Int64, _ merged: inout MergedIDs) throws {
    merged.episodes[old] = new
    merged.episodeTags[new] = try TagTable.episode.tags(db, of: new)
    let state = try db.row(
      """
      SELECT status, position, max(coalesce(statusUpdated, 0), coalesce(positionUpdated, 0)),
        (SELECT max(coalesce(statusUpdated, 0), coalesce(positionUpdated, 0)) FROM episode WHERE id = ?1)
      FROM episode WHERE id = ?2
      """, [old, new])
    if let state, case let time = try state[2] as Double, time > 0 {
      merged.states[old] = try .init(status: state[0], position: state[1], isLatest: time >= state[3])
    }
    try db.run(
      """
      UPDATE episode SET status = o.status, statusUpdated = o.statusUpdated, catalogueRank = o.catalogueRank,
        isBacklog = o.isBacklog
      FROM episode o WHERE o.id = ?1 AND episode.id = ?2 AND coalesce(o.statusUpdated, o.heardAt, 0)
        > coalesce(episode.statusUpdated, episode.heardAt, 0)
      """, [old, new])
    try db.run(
      """
      UPDATE episode SET position = o.position, positionUpdated = o.positionUpdated
      FROM episode o WHERE o.id = ?1 AND episode.id = ?2
        AND coalesce(o.positionUpdated, 0) > coalesce(episode.positionUpdated, 0)
      """, [old, new])
    // The position may have been set later, without listening.
    try db.run(
      "UPDATE episode SET heardAt = (SELECT max(heardAt) FROM episode WHERE id IN (?1, ?2)) WHERE id = ?2", [old, new])
    // A complete file is worth more than a part.
    try db.run(
      """
      DELETE FROM download WHERE episodeID = ?2 AND NOT downloadComplete
        AND EXISTS (SELECT 1 FROM download WHERE episodeID = ?1 AND downloadComplete)
      """, [old, new])
    // The earlier of two turns in the queue stays.
    try db.run(
      """
      DELETE FROM queue WHERE episodeID = ?2 AND position > (SELECT position FROM queue WHERE episodeID = ?1)
      """, [old, new])
    for table in EpisodeTouched.tables + ["chapterSource", "transcript", "ruleAct"] {
      try db.run("UPDATE OR IGNORE \(table) SET episodeID = ? WHERE episodeID = ?", [new, old])
    }
    // Rows that the other episode already has.
    for table in ["queue", "episodeTag", "download"] {
      try db.run("DELETE FROM \(table) WHERE episodeID = ?", [old])
    }
    try db.run("DELETE FROM episode WHERE id = ?", [old])
  }
}

/// SQL for the episodes that a player may have loaded.
enum LoadedEpisode {
  /// The episode that began to play last.
  static let played = "SELECT CAST(value AS INTEGER) FROM setting WHERE key = '\(Setting.lastPlayed.rawValue)'"
  /// That one, and the one that was loaded last, which may not have played yet.
  static let ids = """
    SELECT CAST(value AS INTEGER) FROM setting
    WHERE key IN ('\(Setting.loaded.rawValue)', '\(Setting.lastPlayed.rawValue)')
    """
}

/// Recognizes a feed that moved on another device. Servers without times of subscriptions report it as one removed and
/// one added podcast.
enum SyncMove {
  /// Called when the feed of a podcast was stored. If a sync added the podcast and, with the same pull, removed another
  /// one with the same episodes, the listener's data of that one is moved.
  static func adoptData(_ db: Database, of podcast: PodcastID, now: Date) throws {
    // All changes of one pull have the same time.
    let removed = try Int64.fetchAll(
      db,
      """
      SELECT o.id FROM podcast n JOIN syncSubscription t ON t.feedKey = n.feedKey AND t.server = 1
      JOIN podcast o ON o.id <> n.id AND NOT o.isSubscribed AND o.subscriptionUpdated = n.subscriptionUpdated
      JOIN syncSubscription s ON s.feedKey = o.feedKey AND s.server = 0
      WHERE n.id = ? AND n.isSubscribed ORDER BY o.id
      """, [podcast.rawValue])
    guard !removed.isEmpty, let url = try Library.feedURL(db, of: podcast) else { return }
    let new = try StoredKeys(db, podcast: podcast).keys
    let shared = try removed.map {
      (id: $0, count: FeedMove.sharedEpisodes(try StoredKeys(db, podcast: PodcastID($0)).keys, new))
    }
    guard let old = shared.max(by: { $0.count < $1.count }), old.count > 0 else { return }
    try Library.moveFeed(db, PodcastID(old.id), to: url, now: now)
  }
}
