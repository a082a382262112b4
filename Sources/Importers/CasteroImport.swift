import Foundation
import Model

/// Reads castero's `castero.db` (its `templates/migrations`, versions 1 to 4). The key of a feed is its address.
/// Progress is in milliseconds. Episodes have no guid and no duration.
enum CasteroImport {
  static func read(_ database: ForeignDatabase) throws -> ForeignLibrary {
    var library = ForeignLibrary(program: "castero")
    var podcasts = ForeignCollector<String>()
    var files = 0
    try database.each("SELECT * FROM feed ORDER BY lower(title)") { row in
      guard let key = row.text("key") else { return }
      // castero also supports feeds in local files.
      guard key.contains("://") else { return files += 1 }
      podcasts.add(key, ForeignPodcast(feedURL: key, title: row.text("title"), link: row.text("link")))
    }
    library.addNote(
      files, one: "feed in a local file was left out.",
      many: "feeds in local files were left out.")

    let sql = """
      SELECT e.*,
        \(database.tables.contains("progress") ? "(SELECT time FROM progress WHERE ep_id = e.id)" : "NULL") AS time,
        \(database.tables.contains("queue") ? "(SELECT min(id) FROM queue WHERE ep_id = e.id)" : "NULL") AS queuePosition
      FROM episode e ORDER BY e.id
      """
    let dates = MailDates()
    try database.each(sql) { row in
      guard let key = row.text("feed_key") else { return }
      var episode = ForeignEpisode(
        title: row.text("title"), mediaURL: row.text("enclosure"), link: row.text("link"),
        pubDate: row.text("pubdate").flatMap(dates.read))
      let position = (row.number("time") ?? 0) / 1000
      if row.flag("played") {
        episode.status = .played
      } else if position > 0 {
        episode.begin(at: position)
      }
      episode.queuePosition = row.integer("queuePosition")
      podcasts.add(episode, to: key)
    }
    library.podcasts = podcasts.all
    return library
  }
}

/// Parses the date format of feeds (RFC 5322, 3.3), for programs that store dates as text. Make one for a whole
/// library, because making a formatter takes longer than parsing a hundred dates.
struct MailDates {
  private let formatters = ["d MMM yyyy HH:mm:ss Z", "d MMM yyyy HH:mm:ss zzz", "d MMM yyyy HH:mm Z"].map { format in
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = format
    return formatter
  }

  /// The day of the week is ignored, because it may be wrong.
  func read(_ text: String) -> Date? {
    let rest = (text.split(separator: ",", maxSplits: 1).last.map(String.init) ?? text)
      .trimmingCharacters(in: .whitespaces)
    return formatters.lazy.compactMap { $0.date(from: rest) }.first
  }
}
