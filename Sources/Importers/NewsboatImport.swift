import Foundation
import Model

/// newsboat's `cache.db`, with the files `urls` and `queue` that belong to it. newsboat is a reader of all feeds: those
/// without audio or video are left out.
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
    var (items, media): ([String: Int], [String: Int]) = ([:], [:])
    try database.each(
      """
      SELECT feedurl, count(*) AS items,
        sum(enclosure_type LIKE 'audio/%' OR enclosure_type LIKE 'video/%' OR enclosure_url LIKE '%.mp3%') AS media
      FROM rss_item GROUP BY feedurl
      """
    ) { row in
      guard let key = row.text("feedurl") else { return }
      (items[key], media[key]) = (row.integer("items"), row.integer("media"))
    }

    var (silent, special) = (0, 0)
    for line in try files.subscriptions() ?? known.keys.sorted().map({ NewsboatFiles.Subscription(url: $0) }) {
      guard line.url.contains("://") else {
        special += 1
        continue
      }
      // One that was never fetched may be a podcast.
      guard (items[line.url] ?? 0) == 0 || (media[line.url] ?? 0) > 0 else {
        silent += 1
        continue
      }
      var podcast = known[line.url] ?? ForeignPodcast(feedURL: line.url)
      podcast.title = line.title ?? podcast.title
      podcast.tags = line.tags
      podcasts.add(line.url, podcast)
    }
    if silent > 0 { library.notes.append("\(silent) feeds have no audio or video and were left out.") }
    if special > 0 { library.notes.append("\(special) entries of urls (queries, filters, programs) are no feeds.") }
    if files.urls == nil {
      library.notes.append("No file urls was found beside the cache: its feeds were taken instead.")
    }

    let queue = try files.queue()
    var flagged = 0
    try database.each(
      """
      SELECT feedurl, guid, title, url, pubDate, unread, deleted, flags, enclosure_url, enqueued, id FROM rss_item
      WHERE enclosure_url <> '' ORDER BY id
      """
    ) { row in
      guard let key = row.text("feedurl"), let address = row.text("enclosure_url") else { return }
      var episode = ForeignEpisode(
        title: row.text("title"), guid: row.text("guid"), mediaURL: address, link: row.text("url"),
        pubDate: row.date("pubDate"))
      let place = queue[address]
      // Read is what newsboat calls an article that was opened; what still waits in the queue was not heard.
      if row.flag("deleted") {
        episode.status = .deleted
      } else if let place {
        if place.isFinished { episode.status = .played } else { episode.queuePosition = place.line }
      } else if row.flag("enqueued") {
        // Queued, and cleaned out of the file since: after those that are in it.
        episode.queuePosition = queue.count + (row.integer("id") ?? 0)
      } else if row.number("unread") == 0 {
        episode.status = .played
      }
      if row.text("flags") != nil { flagged += 1 }
      podcasts.add(episode, to: key)
    }
    if flagged > 0 { library.notes.append("Flags of \(flagged) articles have no counterpart here.") }
    library.notes.append("newsboat keeps no positions.")
    library.podcasts = podcasts.all
    return library
  }
}
