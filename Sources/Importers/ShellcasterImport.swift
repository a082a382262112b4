import Foundation
import Model

/// Reads `data.db` of shellcaster (1.0 to 2.1), and of its fork hullcaster, which adds positions and a queue. Times are
/// in seconds. "hidden" means that the listener has removed the episode.
enum ShellcasterImport {
  static func read(_ database: ForeignDatabase) throws -> ForeignLibrary {
    let columns = try database.columns(of: "episodes")
    let isHullcaster = columns.contains("position") || database.tables.contains("params")
    var library = ForeignLibrary(program: isHullcaster ? "hullcaster" : "shellcaster")
    var podcasts = ForeignCollector<Int>()
    try database.each("SELECT id, title, url FROM podcasts ORDER BY id") { row in
      guard let id = row.integer("id"), let url = row.text("url") else { return }
      podcasts.add(id, ForeignPodcast(feedURL: url, title: row.text("title")))
    }
    let queue = database.tables.contains("queue") ? "(SELECT min(position) FROM queue WHERE episode_id = e.id)" : "NULL"
    try database.each("SELECT e.*, \(queue) AS queuePosition FROM episodes e ORDER BY e.id") { row in
      guard let podcast = row.integer("podcast_id") else { return }
      var episode = ForeignEpisode(
        title: row.text("title"), guid: row.text("guid"), mediaURL: row.text("url"), pubDate: row.date("pubdate"),
        duration: row.integer("duration"))
      if row.flag("hidden") {
        episode.status = .deleted
      } else if row.flag("played") {
        episode.status = .played
      } else if let position = row.number("position"), position > 0 {
        episode.begin(at: position)
      }
      episode.queuePosition = row.integer("queuePosition")
      podcasts.add(episode, to: podcast)
    }
    library.podcasts = podcasts.all
    return library
  }
}
