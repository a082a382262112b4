import Foundation
import GRDB
import Model

/// Writes a feed into one podcast, inside one transaction. The listener's data is never changed.
struct FeedWriter {
  private let db: Database
  private let podcast: PodcastID
  private let plainText: (String) -> String
  private let catalogue: BackCatalogue
  private let insertEpisode: RawStatement
  private let insertContent: RawStatement

  init(
    _ db: Database, _ podcast: PodcastID, plainText: @escaping (String) -> String, catalogue: BackCatalogue
  ) throws {
    self.catalogue = catalogue
    self.db = db
    self.podcast = podcast
    self.plainText = plainText
    insertEpisode = try RawStatement(
      db,
      ColumnList.insert(
        into: "episode",
        ["id", "podcastID"] + Self.keyColumns + ["catalogueRank", "isBacklog", "feedOrder"]
          + EpisodeColumns.inEpisode.map(\.name)))
    insertContent = try RawStatement(db, ColumnList.insert(into: "episodeContent", Self.contentColumns))
  }

  private static let keyColumns = ["contentHash", "titleKey", "guid", "mediaURL", "mediaKey"]
  private static let contentColumns =
    ["episodeID", "document", "textHash", "people", "extras", "summary", "contentHTML"]
    + EpisodeColumns.inContent.map(\.name)

  /// - Parameter isOldCopy: a newer document was stored before. What is not in this one may be new.
  func write(
    _ feed: FeedPodcast, _ episodes: [PreparedEpisode], isOldCopy: Bool = false, _ search: inout SearchWriter
  ) throws -> ApplyResult {
    var result = ApplyResult()
    var nextID = try firstFreeID()
    let stored = try storedEpisodes()
    let items = episodes.map(\.key)
    let matcher = EpisodeMatcher(items: items, stored: stored.keys)
    let known = try Bool.fetchOne(db, "SELECT isOldestFirst FROM podcast WHERE id = ?", [podcast.rawValue])
    let order = FeedOrder(
      matcher, isArchive: feed.isArchive, isReadInOrder: feed.isBook, isSorted: feed.isFolder, known: known)
    let ranks = try ranks(
      items, order, isReadInOrder: feed.isReadInOrder || order.isOldestFirst == true,
      of: catalogue.members(among: matcher.openItems, of: items, stored: stored.keys))
    var renamed: [Int64: EpisodeKey] = [:]
    // In reverse order: publishers put the newest first, and if dates are equal, the larger id counts as newer.
    for index in episodes.indices.reversed() where !matcher.duplicates.contains(index) {
      let episode = episodes[index]
      guard let match = matcher.matches[index] else {
        let rank = ranks[index]
        let isNew = rank.map { catalogue.rule.countsAsNew(rank: $0) } ?? true
        try insert(episode, as: nextID, rank: rank, isBacklog: !isNew, order: order.numbers[index] ?? 0, &search)
        result.new.append(EpisodeID(nextID))
        nextID += 1
        continue
      }
      if stored.keys[match].hash != episode.key.hash {
        try update(stored.ids[match], episode, &search)
        result.updated += 1
        if episode.key.hasOtherName(than: stored.keys[match]) { renamed[stored.ids[match]] = episode.key }
      } else if stored.keys[match].isGone {
        try setGone(stored.ids[match], false)
      }
      if let number = order.numbers[index], number != stored.keys[match].order {
        try db.run("UPDATE episode SET feedOrder = ? WHERE id = ?", [number, stored.ids[match]])
      }
    }
    try rename(renamed, stored)
    if !feed.isArchive, known != order.isOldestFirst {
      try db.run("UPDATE podcast SET isOldestFirst = ? WHERE id = ?", [order.isOldestFirst, podcast.rawValue])
    }
    if !result.new.isEmpty { try countEpisodes() }
    result.new.reverse()
    if !isOldCopy { try leave(matcher.leftOver, stored, feed, episodes, &result) }
    return result
  }

  /// Stores a live item or a trailer. It is no item of the feed: it matches none, and is never new.
  /// - Parameter known: its episode, if it was stored before.
  func writeExtra(
    _ episode: PreparedEpisode, as known: EpisodeID?, _ search: inout SearchWriter
  ) throws -> EpisodeID {
    if let known {
      try update(known.rawValue, episode, &search)
      return known
    }
    let id = try firstFreeID()
    try insert(episode, as: id, rank: nil, isBacklog: true, order: 0, &search)
    try countEpisodes()
    return EpisodeID(id)
  }

  /// Counts the podcast's episodes again after some were added. Triggers keep the counts when stored episodes change
  /// or are removed.
  private func countEpisodes() throws {
    try db.run(
      """
      UPDATE podcast SET episodes = \(EpisodeCount.listed), unplayed = \(EpisodeCount.unplayed) WHERE id = ?
      """, [podcast.rawValue])
  }

  /// All episodes of the podcast, including deleted ones.
  private func storedEpisodes() throws -> StoredKeys {
    let columns = "id, \(EpisodeKey.columns)"
    // Two SELECTs, because each uses a partial index.
    return try StoredKeys(
      db,
      """
      SELECT \(columns) FROM episode WHERE podcastID = ?1 AND \(StatusIs.listed) AND \(ExtraEpisode.isOther)
      UNION ALL SELECT \(columns) FROM episode WHERE podcastID = ?1 AND \(StatusIs.deleted) AND \(ExtraEpisode.isOther)
      """, [podcast.rawValue])
  }

  /// The first id that no episode ever had. See the trigger `episodeRemoved`.
  private func firstFreeID() throws -> Int64 {
    let last = try Int64.fetchOne(
      db,
      """
      SELECT max(coalesce((SELECT max(id) FROM episode), 0),
        coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'lastEpisode'), 0))
      """)
    return (last ?? 0) + 1
  }

  /// Ranks in the back catalogue: newest first. An audiobook is heard from its first part.
  private func ranks(
    _ items: [EpisodeKey], _ order: FeedOrder, isReadInOrder: Bool, of indices: [Int]
  ) throws -> [Int: Int] {
    guard !indices.isEmpty else { return [:] }
    let newestFirst = indices.sorted {
      let (one, other) = (items[$0].pubDate ?? -.infinity, items[$1].pubDate ?? -.infinity)
      return one == other ? (order.numbers[$0] ?? 0) > (order.numbers[$1] ?? 0) : one > other
    }
    let ordered = isReadInOrder ? newestFirst.reversed() : newestFirst
    let first = try catalogue.firstRank ?? nextRank()
    return Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1, first + $0) })
  }

  /// The rank after those of the podcast's back catalogue.
  private func nextRank() throws -> Int {
    try Int.fetchOne(
      db, "SELECT coalesce(max(catalogueRank) + 1, count(*)) FROM episode WHERE podcastID = ?", [podcast.rawValue]) ?? 0
  }

  /// - Parameters:
  ///   - rank: the rank in the back catalogue. Nil: it is not part of it.
  ///   - isBacklog: whether it does not count as new.
  ///   - order: its rank among episodes of the same date.
  private func insert(
    _ episode: PreparedEpisode, as id: Int64, rank: Int?, isBacklog: Bool, order: Int, _ search: inout SearchWriter
  ) throws {
    let key = episode.key
    try insertEpisode.run { values in
      values.add(id)
      values.add(podcast.rawValue)
      values.add(key.hash)
      values.add(key.title)
      values.add(key.guid)
      values.add(key.mediaURL)
      values.add(key.mediaKey)
      values.add(rank)
      values.add(isBacklog ? 1 : 0 as Int)
      values.add(order)
      for value in episode.feed { values.add(value) }
    }
    let indexed = try index(id, episode, replacing: IndexedDocument(), &search)
    try insertContent.run { values in
      values.add(id)
      values.add(indexed.number)
      values.add(indexed.hash)
      values.add(episode.people)
      values.add(episode.extras)
      values.add(episode.summary)
      values.add(episode.contentHTML)
      for value in episode.content { values.add(value) }
    }
  }

  private func update(_ id: Int64, _ episode: PreparedEpisode, _ search: inout SearchWriter) throws {
    let key = episode.key
    let names = Self.keyColumns + EpisodeColumns.inEpisode.map(\.name)
    try db.run(
      ColumnList.update("episode", names) + ", isGone = 0 WHERE id = ?",
      [key.hash, key.title, key.guid, key.mediaURL, key.mediaKey]
        + StatementArguments(episode.feed) + [id])
    let indexed = try reindex(id, episode, &search)
    try db.run(
      ColumnList.upsert(into: "episodeContent", Self.contentColumns),
      [
        id, indexed.number, indexed.hash, episode.people, episode.extras, episode.summary, episode.contentHTML,
      ] + StatementArguments(episode.content))
  }

  /// Other devices know the episodes by their names.
  private func rename(_ renamed: [Int64: EpisodeKey], _ stored: StoredKeys) throws {
    guard !renamed.isEmpty, let names = try RegisterNames(db, of: podcast, stored) else { return }
    var new = names
    new.items = renamed.compactMapValues(names.item)
    try names.change(to: new, db)
  }

  /// Updates the search index for a changed episode.
  private func reindex(_ id: Int64, _ episode: PreparedEpisode, _ search: inout SearchWriter) throws -> IndexedDocument
  {
    let known = try db.row(
      """
      SELECT c.document, c.textHash, EXISTS (SELECT 1 FROM chapterSource WHERE episodeID = ?1)
        OR EXISTS (SELECT 1 FROM transcript WHERE episodeID = ?1)
        OR EXISTS (SELECT 1 FROM madeTranscript WHERE episodeID = ?1)
      FROM episodeContent c WHERE c.episodeID = ?1
      """, [id])
    var old = IndexedDocument()
    if let row = known {
      old = try IndexedDocument(number: row[0], hash: row[1])
      if try row[2] {
        // Its document contains more than the feed's texts, so it is indexed later.
        search.addLater(id)
        return old
      }
    }
    return try index(id, episode, replacing: old, &search)
  }

  /// Adds the episode's texts to the index, or marks the episode to be indexed later.
  private func index(
    _ id: Int64, _ episode: PreparedEpisode, replacing old: IndexedDocument, _ search: inout SearchWriter
  ) throws -> IndexedDocument {
    guard let document = episode.document else {
      guard old.number == nil else {
        search.addLater(id)
        return old
      }
      return try search.reserve(id, pubDate: episode.key.pubDate)
    }
    return try search.add(document, of: id, in: podcast.rawValue, pubDate: episode.key.pubDate, replacing: old)
  }

  private func setGone(_ id: Int64, _ isGone: Bool) throws {
    try db.run("UPDATE episode SET isGone = ? WHERE id = ?", [isGone, id])
  }

  /// Handles stored episodes that are no longer in the feed.
  ///
  /// Most feeds contain only the newest items. Episodes that are older can still be played; they stay, marked as gone.
  /// An episode that is missing between others, or from a feed that says it is complete (RFC 5005,
  /// `fh:complete`), was withdrawn by the publisher: it is deleted unless the listener has touched it. So is an item
  /// without date and media among others that have one, which was an error message of the server. If more are missing
  /// than `maxRemoved` allows, the feed is probably broken or that of another podcast, and all of them stay, marked as
  /// gone. A document that is damaged, one of several pages, or empty proves nothing. Nor does an old copy: then this
  /// is not called.
  private func leave(
    _ leftOver: [Int], _ stored: StoredKeys, _ feed: FeedPodcast, _ episodes: [PreparedEpisode],
    _ result: inout ApplyResult
  ) throws {
    let isWhole = !feed.damaged && !feed.isArchive && feed.nextPageURL == nil && feed.previousArchiveURL == nil
    guard !leftOver.isEmpty, isWhole, !episodes.isEmpty else { return }
    // Some feeds list their newest items, and a few old ones for ever: a trailer, or an item with a wrong date.
    let dates = episodes.lazy.compactMap(\.key.pubDate).sorted()
    let end = dates.dropFirst(min(Self.maxPinned, episodes.count / 4)).first ?? .infinity
    let areUsual = episodes.allSatisfy { $0.key.pubDate != nil || $0.key.mediaURL != nil }
    let takenBack = try leftOver.filter { index in
      let key = stored.keys[index]
      let isWithdrawn = feed.isComplete || key.pubDate.map { $0 > end } ?? (key.mediaURL == nil && areUsual)
      // A file that has gone may be on a disk that is not mounted.
      return try !feed.isFolder && isWithdrawn && isUntouched(stored.ids[index])
    }
    let mayRemove = takenBack.count <= Self.maxRemoved(known: stored.ids.count - leftOver.count)
    let removed = mayRemove ? Set(takenBack) : []
    for index in leftOver {
      if removed.contains(index) {
        result.removed.append(try remove(stored.ids[index]))
      } else if !stored.keys[index].isGone {
        try setGone(stored.ids[index], true)
        result.gone += 1
      }
    }
    if !mayRemove {
      result.kept = takenBack.count { !stored.keys[$0].isGone }
    } else if result.gone - result.new.count > max(Self.maxUnreported, episodes.count) {
      // The feed lists the newest items, but far fewer than before.
      result.kept = result.gone
    }
  }

  /// The maximum number of episodes that count as withdrawn at once: two, or a tenth of the stored ones that the feed
  /// lists. A feed that lists none of them is that of another podcast.
  static func maxRemoved(known: Int) -> Int { known == 0 ? 0 : max(2, known / 10) }

  /// How many old items a feed may list beside its newest ones.
  private static let maxPinned = 3

  /// The maximum number of old episodes that may leave the feed at once, without new ones, before it is reported.
  private static let maxUnreported = 10

  /// Whether the listener has not touched the episode, and no player has loaded it.
  private func isUntouched(_ id: Int64) throws -> Bool {
    try Bool.fetchOne(
      db,
      """
      SELECT NOT \(EpisodeTouched.condition("episode")) AND id NOT IN (\(LoadedEpisode.ids)) FROM episode WHERE id = ?
      """, [id]) ?? false
  }

  /// - Returns: the title.
  private func remove(_ id: Int64) throws -> String {
    try String.fetchOne(db, "DELETE FROM episode WHERE id = ? RETURNING coalesce(title, 'Untitled')", [id])
      ?? "Untitled"
  }
}
