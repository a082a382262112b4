import Foundation
import Model

/// AntennaPod's database, as its "Database export" writes it (`PodDBAdapter.java`, version 2.x and 3.x). Times are
/// milliseconds. `read`: −1 new, 0 unplayed, 1 played.
enum AntennaPodImport {
  static func read(_ database: ForeignDatabase) throws -> ForeignLibrary {
    var library = ForeignLibrary(program: "AntennaPod")
    var podcasts = ForeignCollector<Int>()
    var (local, previews, renamed) = (0, 0, 0)
    try database.each("SELECT * FROM Feeds ORDER BY id") { row in
      guard let id = row.integer("id"), let url = row.text("download_url") else { return }
      guard !url.hasPrefix("antennapod_local:") else { return local += 1 }
      // Since 3.5: 0 is subscribed, others were only looked at.
      guard (row.integer("state") ?? 0) == 0 else { return previews += 1 }
      if row.text("custom_title") != nil { renamed += 1 }
      var podcast = ForeignPodcast(
        feedURL: url, title: row.text("custom_title") ?? row.text("title"), link: row.text("link"))
      podcast.tags = tags(row.text("tags"))
      (podcast.user, podcast.password) = (row.text("username"), row.text("password"))
      podcasts.add(id, podcast)
    }
    let favorites =
      database.tables.contains("favorites") ? "EXISTS (SELECT 1 FROM Favorites WHERE feeditem = i.id)" : "0"
    let queue = database.tables.contains("queue") ? "(SELECT min(id) FROM Queue WHERE feeditem = i.id)" : "NULL"
    try database.each(
      """
      SELECT i.*, m.download_url AS media_url, m.position, m.duration, m.last_played_time, m.playback_completion_date,
        \(favorites) AS favorite, \(queue) AS place
      FROM FeedItems i LEFT JOIN FeedMedia m ON m.feeditem = i.id ORDER BY i.id
      """
    ) { row in
      guard let podcast = row.integer("feed") else { return }
      let position = (row.number("position") ?? 0) / 1000
      var episode = ForeignEpisode(
        title: row.text("title"), guid: row.text("item_identifier"), mediaURL: row.text("media_url"),
        link: row.text("link"), pubDate: row.date("pubDate", perSecond: 1000),
        duration: row.number("duration").flatMap { $0 > 0 ? Int(exactly: ($0 / 1000).rounded()) : nil },
        updated: row.date("last_played_time", perSecond: 1000)
          ?? row.date("playback_completion_date", perSecond: 1000))
      if row.integer("read") == 1 {
        episode.status = .played
      } else if position > 0 {
        (episode.status, episode.position) = (.paused, position)
      }
      if row.flag("favorite") { episode.tags = ["favorite"] }
      episode.queuePosition = row.integer("place")
      podcasts.add(episode, to: podcast)
    }
    if local > 0 { library.notes.append("\(local) local folders are no feeds.") }
    if previews > 0 { library.notes.append("\(previews) feeds that were not subscribed to were left out.") }
    if renamed > 0 {
      library.notes.append("\(renamed) podcasts get the title of their feed back with the next refresh.")
    }
    library.podcasts = podcasts.all
    return library
  }

  /// Parted by a separator of ASCII or, in older versions, commas; `#root` is its word for none.
  private static func tags(_ text: String?) -> [String] {
    (text ?? "").split { $0 == "\u{1E}" || $0 == "," }.map(String.init).filter { $0 != "#root" }
  }
}
