import Foundation
import Model

/// Reads AntennaPod's database, as written by its "Database export" (`PodDBAdapter.java` and `DBUpgrader.java`, all
/// versions). Times are in milliseconds. `read`: −1 new, 0 unplayed, 1 played.
enum AntennaPodImport {
  /// The values of a feed's `state`, since 3.5.
  private enum FeedState {
    /// The feed was opened without subscribing.
    static let preview = 1
    /// A subscription that is not refreshed any more.
    static let archived = 2
  }

  static func read(_ database: ForeignDatabase) throws -> ForeignLibrary {
    var library = ForeignLibrary(program: "AntennaPod")
    var podcasts = ForeignCollector<Int>()
    var (previews, archived, renamed) = (0, 0, 0)
    var folders: [Int: ForeignFolder] = [:]
    try database.each("SELECT * FROM Feeds ORDER BY id") { row in
      guard let id = row.integer("id"), let url = row.text("download_url") else { return }
      guard !url.hasPrefix(localPrefix) else {
        folders[id] = folder(url, title: row.text("custom_title") ?? row.text("title"))
        return
      }
      switch row.integer("state") {
      case FeedState.preview: return previews += 1
      case FeedState.archived: archived += 1
      default: break
      }
      if row.text("custom_title") != nil { renamed += 1 }
      var podcast = ForeignPodcast(
        feedURL: url, title: row.text("custom_title") ?? row.text("title"), link: row.text("link"))
      podcast.tags = tags(row.text("tags"))
      (podcast.user, podcast.password) = (row.text("username"), row.text("password"))
      podcasts.add(id, podcast)
    }
    try database.each(try episodes(of: database)) { row in
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
        episode.begin(at: position)
      }
      if row.flag("favorite") { episode.tags = ["favorite"] }
      episode.queuePosition = row.integer("queuePosition")
      if folders[podcast] != nil, let file = file(row) {
        folders[podcast]?.files[file] = episode
      } else {
        podcasts.add(episode, to: podcast)
      }
    }
    library.folders = folders.sorted { $0.key < $1.key }.map(\.value)
    library.addNote(
      previews, one: "feed that was not subscribed to was left out.",
      many: "feeds that were not subscribed to were left out.")
    library.addNote(
      archived, one: "archived podcast becomes a normal subscription.",
      many: "archived podcasts become normal subscriptions.")
    library.addNote(
      renamed, one: "podcast gets the title of its feed with the next refresh.",
      many: "podcasts get the title of their feed with the next refresh.")
    library.podcasts = podcasts.all
    return library
  }

  /// The address of a folder on the phone: this and a URI of Android's storage (LocalFeedUpdater.java).
  private static let localPrefix = "antennapod_local:"

  /// A folder, from such as `content://…/tree/primary%3APodcasts%2FBooks`: before the colon is the disk, after it the
  /// path on it. A copy on another machine may have the same path in the home directory.
  private static func folder(_ address: String, title: String?) -> ForeignFolder {
    let tree = address.range(of: "/tree/").flatMap { address[$0.upperBound...].removingPercentEncoding } ?? ""
    let parts = tree.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, !parts[1].split(separator: "/").contains("..") else {
      return ForeignFolder(name: title ?? "without a title", title: title)
    }
    let (disk, path) = (parts[0], parts[1])
    let paths =
      switch disk {
      case "raw": [path].filter { $0.hasPrefix("/") }
      case "primary": ["/storage/emulated/0/\(path)", "~/\(path)"]
      case "home": ["/storage/emulated/0/Documents/\(path)", "~/Documents/\(path)"]
      default: ["/storage/\(disk)/\(path)", "~/\(path)"]
      }
    return ForeignFolder(name: path, title: title, paths: paths)
  }

  /// The name of a file in a folder. AntennaPod keeps it as the link of the episode.
  private static func file(_ row: ForeignRow) -> String? {
    let name = row.text("link") ?? row.text("media_url")?.removingPercentEncoding
    return name?.split(separator: "/").last.map(String.init)
  }

  /// Versions before 1.4 have no favorites and no time of the last playback. Before 0.9.7 the row of an episode
  /// referred to its file. Later the row of the file refers to its episode.
  private static func episodes(of database: ForeignDatabase) throws -> String {
    let favorites =
      database.tables.contains("favorites") ? "EXISTS (SELECT 1 FROM Favorites WHERE feeditem = i.id)" : "0"
    let queue = database.tables.contains("queue") ? "(SELECT min(id) FROM Queue WHERE feeditem = i.id)" : "NULL"
    let columns = try database.columns(of: "FeedMedia")
    let dates = ["last_played_time", "playback_completion_date"].map {
      columns.contains($0) ? "m.\($0)" : "NULL AS \($0)"
    }
    return """
      SELECT i.*, m.download_url AS media_url, m.position, m.duration, \(dates.joined(separator: ", ")),
        \(favorites) AS favorite, \(queue) AS queuePosition
      FROM FeedItems i LEFT JOIN FeedMedia m ON \(columns.contains("feeditem") ? "m.feeditem = i.id" : "m.id = i.media")
      ORDER BY i.id
      """
  }

  /// Tags are separated by U+001E or, in older versions, by commas. `#root` means no tag.
  private static func tags(_ text: String?) -> [String] {
    (text ?? "").split { $0 == "\u{1E}" || $0 == "," }.map(String.init).filter { $0 != "#root" }
  }
}
