import Foundation
import Model

/// Reads newsboat's `cache.db` with its files `urls` and `queue`. newsboat reads all kinds of feeds; those without
/// audio or video are left out.
enum NewsboatImport {
  static func read(_ database: ForeignDatabase) throws -> ForeignLibrary {
    var library = ForeignLibrary(program: "newsboat")
    let files = NewsboatFiles(cache: database.path)
    var podcasts = ForeignCollector<String>()
    var known: [String: ForeignPodcast] = [:]
    try database.each("SELECT rssurl, url, title FROM rss_feed") { row in
      guard let key = row.text("rssurl") else { return }
      known[key] = ForeignPodcast(feedURL: key, title: row.text("title"), link: row.text("url"))
    }
    // Newsbeuter, the predecessor, added its columns over time.
    let columns = try database.columns(of: "rss_item")
    func optional(_ column: String) -> String { columns.contains(column) ? column : "NULL" }
    let (url, type) = (optional("enclosure_url"), optional("enclosure_type"))
    var (items, media): ([String: Int], [String: Int]) = ([:], [:])
    try database.each(
      """
      SELECT feedurl, count(*) AS items,
        sum(ifnull(\(type) LIKE 'audio/%' OR \(type) LIKE 'video/%', 0) OR ifnull(\(url) LIKE '%.mp3%', 0)) AS media
      FROM rss_item GROUP BY feedurl
      """
    ) { row in
      guard let key = row.text("feedurl") else { return }
      (items[key], media[key]) = (row.integer("items"), row.integer("media"))
    }

    var (silent, special, filtered, renamed) = (0, 0, 0, 0)
    for line in try files.subscriptions() ?? known.keys.sorted().map({ NewsboatFiles.Subscription(url: $0) }) {
      guard let address = line.address else {
        special += 1
        continue
      }
      // A feed without items was never fetched, so it may be a podcast.
      guard (items[line.url] ?? 0) == 0 || (media[line.url] ?? 0) > 0 else {
        silent += 1
        continue
      }
      var podcast = known[line.url] ?? ForeignPodcast(feedURL: address)
      podcast.feedURL = address
      podcast.title = line.title ?? podcast.title
      if line.isFiltered { filtered += 1 }
      if line.title != nil { renamed += 1 }
      podcast.tags = line.tags
      podcasts.add(line.url, podcast)
    }
    library.addNote(
      silent, one: "feed has no audio or video and was left out.",
      many: "feeds have no audio or video and were left out.")
    library.addNote(
      special, one: "entry of urls (queries, programs) is not a feed.",
      many: "entries of urls (queries, programs) are not feeds.")
    library.addNote(
      filtered, one: "feed is fetched without the program that filtered it.",
      many: "feeds are fetched without the programs that filtered them.")
    library.addNote(
      renamed, one: "podcast gets the title of its feed with the next refresh.",
      many: "podcasts get the title of their feed with the next refresh.")
    if files.urls == nil {
      library.notes.append("No file “urls” was found, so the feeds in the cache were imported.")
    }

    let queue = try files.queue()
    var flagged = 0
    try database.each(
      """
      SELECT * FROM rss_item WHERE \(url) <> '' ORDER BY id
      """
    ) { row in
      guard let key = row.text("feedurl"), let address = row.text("enclosure_url") else { return }
      var episode = ForeignEpisode(
        title: row.text("title"), guid: row.text("guid"), mediaURL: address, link: row.text("url"),
        pubDate: row.date("pubDate"))
      let queued = queue[address]
      // In newsboat "read" means that an article was opened. An episode that is still in the queue was not played.
      if row.flag("deleted") {
        episode.status = .deleted
      } else if let queued {
        if queued.isFinished { episode.status = .played } else { episode.queuePosition = queued.line }
      } else if row.flag("enqueued") {
        // The episode was queued and then removed from the queue file. It comes after the entries of the file.
        episode.queuePosition = queue.count + (row.integer("id") ?? 0)
      } else if row.number("unread") == 0 {
        episode.status = .played
      }
      if row.text("flags") != nil { flagged += 1 }
      podcasts.add(episode, to: key)
    }
    if flagged > 0 {
      library.notes.append("Flags of \(Counted.text(flagged, "article")) have no counterpart here.")
    }
    library.notes.append("newsboat keeps no positions.")
    library.podcasts = podcasts.all
    return library
  }
}
