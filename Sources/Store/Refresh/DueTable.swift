import Foundation
import GRDB
import Model

/// Which feeds are due for an automatic refresh. `RefreshSchedule` decides with data from the library.
extension Library {
  /// The subscriptions that are due now. Those not requested for the longest time come first.
  public func podcastsDue(_ schedule: RefreshSchedule, now: Date) throws(StoreError) -> [PodcastID] {
    try feedTimings(now: now).filter { schedule.isDue($0.timing, now: now) }.map(\.id)
  }

  /// When the next subscription is due. Nil: never. A past date means now.
  public func nextDue(_ schedule: RefreshSchedule, now: Date) throws(StoreError) -> Date? {
    try feedTimings(now: now).compactMap { schedule.due($0.timing, now: now) }.min()
  }

  /// When any process last requested a feed. Tells a player that another process has refreshed.
  public func lastAsked() throws(StoreError) -> Date? {
    try read { db in Date(seconds: try Double.fetchOne(db, "SELECT max(lastAsked) FROM podcast WHERE isSubscribed")) }
  }

  /// The data of all subscriptions with a server. The pause of a server counts for all its feeds.
  func feedTimings(now: Date) throws(StoreError) -> [(id: PodcastID, timing: FeedTiming)] {
    try read { db in
      let pauses = try Self.serverPauses(db, now: now)
      return try db.rows(
        """
        SELECT podcast.id, lastAsked, notBefore, health, healthMessage, extras,
          (SELECT group_concat(pubDate) FROM
            (SELECT pubDate FROM episode WHERE podcastID = podcast.id AND \(StatusIs.listed) AND pubDate IS NOT NULL
               AND id NOT IN \(ExtraEpisode.liveIDs)
             ORDER BY pubDate DESC LIMIT 10)),
          feedURL
        FROM podcast LEFT JOIN podcastContent ON podcastID = podcast.id
        WHERE isSubscribed AND feedURL NOT LIKE 'earshot:%' ORDER BY lastAsked, podcast.id
        """
      ).map { row in
        let id = try PodcastID(row[0])
        let feed = FeedPodcast(extras: try row[5])
        let dates: String? = try row[6]
        let ends: [Date?] = [try Date(seconds: row[2]), pauses[Self.server(try row[7])]]
        let timing = FeedTiming(
          lastAsked: try Date(seconds: row[1]), notBefore: ends.compactMap { $0 }.max(),
          health: try FeedHealth(health: row[3], message: row[4]), minimumInterval: feed.minimumRefreshInterval,
          frequency: feed.updateFrequency, usesPodping: feed.usesPodping,
          nextLive: feed.liveItems.filter(\.isAnnounced).compactMap(\.start).filter {
            $0 > now.addingTimeInterval(-3600)
          }.min(),
          published: (dates ?? "").split(separator: ",").compactMap {
            Double($0).map(Date.init(timeIntervalSince1970:))
          }
          .sorted(by: >),
          jitter: Self.jitter(id))
        return (id, timing)
      }
    }
  }

  /// A number 0..<1 that differs much for neighbouring ids: multiples of the golden ratio's fraction.
  private static func jitter(_ id: PodcastID) -> Double {
    (Double(id.rawValue % 1_000_000) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
  }
}
