import Foundation
import Model

/// Reads gPodder's `Database` (its `schema.py`, versions 1 to 8), and `database.sqlite` of gPodder 2. Times are in
/// seconds. `state`: 0 not downloaded, 1 downloaded, 2 deleted, which usually means that the episode was played.
enum GPodderImport {
  static func read(_ database: ForeignDatabase) throws -> ForeignLibrary {
    try read(database, podcasts: "SELECT * FROM podcast ORDER BY id", episodes: "SELECT * FROM episode ORDER BY id")
  }

  /// Reads the tables of gPodder 2, with the column names that gPodder 3 uses when it converts them
  /// (`convert_gpodder2_db`).
  static func readVersion2(_ database: ForeignDatabase) throws -> ForeignLibrary {
    try read(
      database, podcasts: "SELECT *, username AS auth_username, password AS auth_password FROM channels ORDER BY id",
      episodes: """
        SELECT *, channel_id AS podcast_id, pubDate AS published, NOT played AS is_new, locked AS archive
        FROM episodes ORDER BY id
        """)
  }

  private static func read(
    _ database: ForeignDatabase, podcasts podcastSQL: String, episodes episodeSQL: String
  ) throws -> ForeignLibrary {
    var library = ForeignLibrary(program: "gPodder")
    var podcasts = ForeignCollector<Int>()
    var (paused, downloads) = (0, 0)
    try database.each(podcastSQL) { row in
      guard let id = row.integer("id"), let url = row.text("url") else { return }
      if row.flag("pause_subscription") { paused += 1 }
      var podcast = ForeignPodcast(
        feedURL: url, title: row.text("override_title") ?? row.text("title"), link: row.text("link"))
      // gPodder's automatic sections are not tags.
      if let section = row.text("section"), !["audio", "video", "other"].contains(section.lowercased()) {
        podcast.tags = [section]
      }
      (podcast.user, podcast.password) = (row.text("auth_username"), row.text("auth_password"))
      podcasts.add(id, podcast)
    }
    try database.each(episodeSQL) { row in
      guard let podcast = row.integer("podcast_id") else { return }
      let (position, total) = (row.number("current_position") ?? 0, row.number("total_time") ?? 0)
      var episode = ForeignEpisode(
        title: row.text("title"), guid: row.text("guid"), mediaURL: row.text("url"), link: row.text("link"),
        pubDate: row.date("published"), duration: total > 0 ? row.integer("total_time") : nil,
        updated: row.date("current_position_updated") ?? row.date("last_playback"))
      // gPodder's own rule for finished episodes.
      let isFinished = total > 0 && position > 0 && (position + 10 >= total || position >= total * 0.99)
      let isDeleted = row.integer("state") == 2
      if isFinished || isDeleted || (position <= 0 && !row.flag("is_new")) {
        episode.status = .played
      } else if position > 0 {
        episode.begin(at: position)
      }
      if row.flag("archive") { episode.tags = ["archive"] }
      if row.integer("state") == 1 { downloads += 1 }
      podcasts.add(episode, to: podcast)
    }
    library.addNote(
      paused, one: "paused subscription becomes a normal one.", many: "paused subscriptions become normal ones.")
    library.addNote(downloads, one: "downloaded file stays with gPodder.", many: "downloaded files stay with gPodder.")
    library.notes.append("gPodder has no queue.")
    library.podcasts = podcasts.all
    return library
  }
}
