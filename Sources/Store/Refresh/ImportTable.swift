import Foundation
import GRDB
import Model
import Sync

/// The result of an import from another program.
public struct ImportResult: Sendable, Equatable {
  /// New subscriptions.
  public var added: [PodcastID] = []
  public var known = 0
  public var played = 0
  public var begun = 0
  public var deleted = 0
  public var queued = 0
  public var tagged = 0
  /// Episodes that were not changed, because the listener has used them here more recently.
  public var kept = 0
}

/// Importing the libraries of other programs.
extension Library {
  /// Subscribes to the other program's podcasts, and imports the state of their episodes.
  ///
  /// Episodes that are not in the library are stored with what the other program knows, so that they are in the queue
  /// and in lists at once. The first refresh matches them like any stored episode (`EpisodeMatcher`) and fills in the
  /// rest. The listener's state here is only overwritten if it is older. The import is one step of the undo log;
  /// states and queue are one transaction. If it is interrupted before that, repeating it completes it.
  public func importLibrary(_ foreign: ForeignLibrary, now: Date) throws(StoreError) -> ImportResult {
    var result = ImportResult()
    var podcasts: [(id: PodcastID, podcast: ForeignPodcast)] = []
    for start in stride(from: 0, to: foreign.podcasts.count, by: Self.importedAtOnce) {
      let next = foreign.podcasts[start..<min(start + Self.importedAtOnce, foreign.podcasts.count)]
      podcasts += zip(try subscribe(Array(next), &result, now: now), next).map { (id: $0, podcast: $1) }
    }
    return try write { db in
      let undoID = try UndoLog.record(
        db, label: "Import from \(foreign.program)", step: .adoption(subscribed: [], tags: []), now: now)
      var ranked: [(rank: Int, episode: Int64)] = []
      var tags: [UndoStep.TagsBefore] = []
      for (id, podcast) in podcasts {
        if let before = try TagTable.podcast.add(db, podcast.tags, to: id.rawValue) {
          tags.append(UndoStep.TagsBefore(kind: .podcast, id: id.rawValue, tags: before))
        }
        let stored = try StoredKeys(db, podcast: id)
        let items = try podcast.episodes.map { try PreparedEpisode($0.feedEpisode).key }
        let matcher = EpisodeMatcher(items: items, stored: stored.keys)
        for (index, episode) in podcast.episodes.enumerated() {
          guard let match = matcher.matches[index] else { continue }
          let row = stored.ids[match]
          if let before = try TagTable.episode.add(db, episode.tags, to: row) {
            tags.append(UndoStep.TagsBefore(kind: .episode, id: row, tags: before))
          }
          if !episode.tags.isEmpty { result.tagged += 1 }
          try adopt(db, episode, as: EpisodeID(row), undoID, &result, now: now)
          if let rank = episode.queuePosition { ranked.append((rank, row)) }
        }
      }
      let before = try QueueTable.read(db)
      let queued = Set(before)
      let unplayed = "SELECT 1 FROM episode WHERE id = ? AND \(StatusIs.unplayed)"
      let fresh = try ranked.sorted { $0.rank < $1.rank }.map(\.episode).filter {
        try !queued.contains($0) && db.hasRow(unplayed, [$0])
      }
      result.queued = fresh.count
      try QueueTable.write(db, before + fresh)
      if result.played + result.begun + result.deleted + result.queued == 0, result.added.isEmpty, tags.isEmpty {
        try db.run("DELETE FROM undo WHERE id = ?", [undoID])
      } else {
        try UndoLog.replace(db, undoID, step: .adoption(subscribed: result.added, tags: tags))
      }
      return result
    }
  }

  /// How many podcasts one transaction subscribes to. A transaction for each takes several times as long. One for all
  /// would keep other writers waiting.
  private static let importedAtOnce = 250

  /// Subscribes to the podcasts, and stores the episodes that the other program's listener used.
  /// - Returns: their ids, in order.
  private func subscribe(
    _ podcasts: [ForeignPodcast], _ result: inout ImportResult, now: Date
  ) throws(StoreError) -> [PodcastID] {
    let feeds = try podcasts.map { podcast throws(StoreError) in
      try prepare(podcast.feed, of: try podcastID(feedURL: podcast.feedURL))
    }
    return try write { db in
      var search = SearchWriter(db)
      let ids = try zip(podcasts, feeds).map { podcast, feed in
        let feedURL = podcast.feedURL.withoutUserInfo
        guard let id = try Self.podcastID(db, feedURL: feedURL) else {
          let id = try Self.insertPodcast(
            db, feedURL: feedURL, source: .rss(url: feedURL), isSubscribed: true, now: now)
          try apply(db, feed, to: id, isCatalogue: true, &search, now: now)
          // The feed was not fetched yet. What the first refresh brings is the back catalogue.
          try db.run("UPDATE podcast SET lastRefreshed = NULL WHERE id = ?", [id.rawValue])
          result.added.append(id)
          return id
        }
        if try Self.isSubscribed(db, id) == true {
          result.known += 1
        } else {
          try Self.setSubscribed(db, id, true, now: now)
          result.added.append(id)
        }
        // Only missing episodes. Stored ones came from the feed itself and are more complete.
        let matcher = EpisodeMatcher(
          items: feed.episodes.map(\.key), stored: try StoredKeys(db, podcast: id).keys)
        let missing = matcher.openItems.map { feed.episodes[$0] }
        if !missing.isEmpty { _ = try applyPage(db, feed.podcast, missing, to: id, &search) }
        return id
      }
      try search.finish()
      return ids
    }
  }

  private func adopt(
    _ db: Database, _ episode: ForeignEpisode, as id: EpisodeID, _ undoID: Int64, _ result: inout ImportResult,
    now: Date
  ) throws {
    guard episode.status != .new || episode.position > 0 else { return }
    // A time in the future comes from a wrong clock or a damaged file. It would overwrite what happens here later.
    let known = episode.updated.flatMap { $0 <= now ? $0 : nil }
    // A state without a time is older than whatever a device of the listener has done with the episode.
    let published = max(episode.pubDate?.seconds ?? 0, SyncClock.unknownTime)
    let updated = known ?? Date(timeIntervalSince1970: min(published, now.seconds))
    let condition = """
      id = ?1 AND ((\(StatusIs.new) AND position = 0 AND statusUpdated IS NULL AND positionUpdated IS NULL)
        OR (?2 > max(coalesce(statusUpdated, 0), coalesce(positionUpdated, 0))))
      """
    let isOpen = try db.hasRow(
      "SELECT 1 FROM episode WHERE \(condition)", [id.rawValue, known == nil ? 0 : updated.seconds])
    guard isOpen else { return result.kept += 1 }
    try UndoLog.storeEpisode(db, undoID, id)
    let position = episode.status == .played ? 0 : episode.position
    let status = [.played, .deleted].contains(episode.status) ? episode.status : .paused
    let isHeard = episode.status != .deleted && known != nil
    try db.run(
      """
      UPDATE episode SET status = ?1, statusUpdated = ?2, position = ?3, positionUpdated = ?2,
        heardAt = iif(?4, max(coalesce(heardAt, 0), ?2), heardAt) WHERE id = ?5
      """, [status.code, updated.seconds, position, isHeard, id.rawValue])
    if episode.status.leavesQueue {
      try db.run("DELETE FROM queue WHERE episodeID = ?", [id.rawValue])
    }
    // A span without length: it sets the position and counts as no listening time.
    let span = ListeningEvent.Kind.play(from: position, to: position, total: nil)
    let events: [ListeningEvent.Kind]
    switch episode.status {
    case .played:
      result.played += 1
      events = [.played]
    case .deleted:
      result.deleted += 1
      events = [span, .delete]
    case .new, .playing, .paused:
      result.begun += 1
      events = [span, .pause]
    }
    for kind in events {
      try Self.insert(db, ListeningEvent(episode: id, kind: kind, timestamp: updated), deviceID: deviceID)
    }
  }
}

extension TagTable {
  /// Adds tags to the existing ones.
  /// - Returns: the previous tags. Nil if none was added.
  fileprivate func add(_ db: Database, _ tags: [String], to id: Int64) throws -> [String]? {
    guard !tags.isEmpty else { return nil }
    let before = try self.tags(db, of: id)
    try set(db, before + tags, of: id)
    return try self.tags(db, of: id) == before ? nil : before
  }
}

extension ForeignPodcast {
  /// A feed with what the other program knows.
  fileprivate var feed: Feed {
    // Newest first, like in feeds, because the order decides if dates are equal.
    var feed = Feed(episodes: episodes.reversed().map(\.feedEpisode))
    // Until the first refresh, the server stands for a title that is not known.
    feed.podcast.title = title.flatMap { $0.trimmed.isEmpty ? nil : $0 } ?? Origin(feedURL)?.host
    feed.podcast.link = link
    // An incomplete document, so that no episode counts as gone from the feed.
    feed.podcast.damaged = true
    return feed
  }
}

extension ForeignEpisode {
  fileprivate var feedEpisode: FeedEpisode {
    var episode = FeedEpisode()
    episode.title = title
    episode.guid = guid
    episode.mediaURL = mediaURL
    episode.link = link
    episode.pubDate = pubDate
    episode.duration = duration
    return episode
  }
}
