import Foundation
import GRDB
import Model

/// Live items and trailers, which a feed lists besides its episodes. They become episodes when the listener plays
/// them. Their guids have special prefixes, so that a refresh does not treat them as episodes that have left the
/// feed.
enum ExtraEpisode {
  static let live = "earshot:live:"
  static let trailer = "earshot:trailer:"

  /// A condition on the table `episode`: it is a normal item of the feed.
  static let isOther = "(guid IS NULL OR guid NOT LIKE '\(live)%' AND guid NOT LIKE '\(trailer)%')"

  /// The ids of all live items, as a list in parentheses. There are few, and an index finds them.
  static let liveIDs = "(SELECT id FROM episode INDEXED BY episodeLive WHERE \(SchemaLive.condition("guid")))"

  /// Whether a feed uses a guid of this form.
  static func isReserved(_ guid: String) -> Bool {
    guard guid.utf8.first == UInt8(ascii: "e") || guid.utf8.first == UInt8(ascii: "E") else { return false }
    let start = guid.prefix(trailer.count).lowercased()
    return start.hasPrefix(live) || start.hasPrefix(trailer)
  }
}

extension Library {
  /// The episode of a live item, created when it is first played, and updated when it is played again: many stations
  /// have one item, whose title and address change. If it cannot be updated, it is played as it was. Nil: it has
  /// nothing to play.
  public func episode(ofLive item: LiveItem, in podcast: PodcastID, now: Date) throws(StoreError) -> EpisodeID? {
    var episode = item.episode
    episode.guid = ExtraEpisode.live + item.key
    episode.pubDate = episode.pubDate ?? item.start
    return try store(extra: episode, of: podcast, now: now)
  }

  public func episode(ofTrailer trailer: Trailer, in podcast: PodcastID, now: Date) throws(StoreError) -> EpisodeID? {
    // Many feeds list the trailer as an item too.
    if let item = try episodeID(mediaURL: trailer.url, in: podcast) { return item }
    var episode = FeedEpisode()
    episode.title = trailer.title ?? "Trailer"
    episode.guid = ExtraEpisode.trailer + trailer.url
    (episode.mediaURL, episode.mediaType, episode.mediaBytes) = (trailer.url, trailer.type, trailer.bytes)
    (episode.pubDate, episode.season, episode.episodeType) = (trailer.pubDate, trailer.season, "trailer")
    return try store(extra: episode, of: podcast, now: now)
  }

  private func store(extra: FeedEpisode, of podcast: PodcastID, now: Date) throws(StoreError) -> EpisodeID? {
    guard let guid = extra.guid, extra.mediaURL != nil else { return nil }
    let prepared = try prepare(extra: extra)
    let known = try read { db in try Self.extra(db, guid, in: podcast) }
    if let known, known.hash == prepared.key.hash { return known.id }
    do throws(StoreError) {
      return try write { db in
        var search = SearchWriter(db)
        // The one that was read before may be deleted now (`deletePastLive`).
        let known = try Self.extra(db, guid, in: podcast)?.id
        let id = try FeedWriter(db, podcast, plainText: self.plainText, catalogue: BackCatalogue(rule: .none))
          .writeExtra(prepared, as: known, &search)
        try search.finish()
        try Self.updateNewestDate(db, podcast)
        return id
      }
    } catch {
      guard let known else { throw error }
      return known.id
    }
  }

  private static func extra(
    _ db: Database, _ guid: String, in podcast: PodcastID
  ) throws -> (id: EpisodeID, hash: Int64)? {
    let row = try db.row(
      "SELECT id, contentHash FROM episode WHERE podcastID = ? AND guid = ?", [podcast.rawValue, guid])
    return try row.map { (id: EpisodeID(try $0[0] as Int64), hash: try $0[1]) }
  }

  /// Deletes past live streams that the listener only played.
  /// - Parameter before: only those that were scheduled before this date.
  public func deletePastLive(before: Date) throws(StoreError) {
    let old = """
      SELECT id FROM episode WHERE id IN \(ExtraEpisode.liveIDs) AND coalesce(pubDate, 0) < ?1
        AND NOT \(EpisodeTouched.condition("episode"))
      """
    guard try read({ db in try db.hasRow(old, [before.seconds]) }) else { return }
    try write { db in try db.execute(sql: "DELETE FROM episode WHERE id IN (\(old))", arguments: [before.seconds]) }
  }
}
