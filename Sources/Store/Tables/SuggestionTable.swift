import Foundation
import GRDB
import Model

/// Podcasts, people and categories to look at next, derived from the library alone. No server is contacted.
extension Library {
  /// Suggestions from podrolls, people and categories of the podcasts played. Sorted by weight within each kind.
  public func suggestions() throws(StoreError) -> [Suggestion] {
    let known = try subscriptionNames()
    return try read { db in
      var heard: [Int64: Int] = [:]
      let counts = try db.rows(
        """
        SELECT podcastID, count(*) FROM episode INDEXED BY episodeHeard WHERE heardAt IS NOT NULL GROUP BY podcastID
        """)
      for row in counts { heard[try row[0]] = try row[1] }
      var collector = SuggestionCollector(known: known)
      let podcasts = try db.rows(
        """
        SELECT id, title, extras, isSubscribed FROM podcast JOIN podcastContent ON podcastID = id
        WHERE (isSubscribed OR id IN (SELECT podcastID FROM episode WHERE heardAt IS NOT NULL))
          AND feedURL NOT LIKE 'earshot:%' AND NOT \(FolderPodcast.condition) LIMIT 2000
        """)
      for row in podcasts {
        let id: Int64 = try row[0]
        let feed = FeedPodcast(extras: try row[2])
        // A subscription has a little weight even if nothing of it was played.
        collector.add(feed, title: try row[1], heard: heard[id] ?? 0, isSubscribed: try row[3])
      }
      let people = try db.rows(
        """
        SELECT c.people, p.title, p.iTunesAuthor FROM episode e INDEXED BY episodeHeard
        JOIN episodeContent c ON c.episodeID = e.id JOIN podcast p ON p.id = e.podcastID
        WHERE e.heardAt IS NOT NULL AND c.people IS NOT NULL ORDER BY e.heardAt DESC LIMIT 500
        """)
      for row in people {
        let author: String? = try row[2]
        for name in (try row[0] as String).split(separator: "\n") where String(name) != author {
          collector.add(person: String(name), of: try row[1], heard: 1)
        }
      }
      return collector.suggestions
    }
  }
}

/// Adds up the weights of all candidates.
private struct SuggestionCollector {
  private struct Entry {
    var target: Suggestion.Target
    var podcasts: [String: Int] = [:]
  }

  let known: [String: PodcastID]
  private var entries: [String: Entry] = [:]

  /// How many of each kind are suggested, by the beginnings of their keys.
  private static let limits = [("podcast ", 10), ("person ", 4), ("category ", 3)]

  init(known: [String: PodcastID]) { self.known = known }

  mutating func add(_ feed: FeedPodcast, title: String, heard: Int, isSubscribed: Bool) {
    let weight = heard + (isSubscribed ? 1 : 0)
    for item in feed.podroll where item.itemGuid == nil && !isKnown(item) {
      guard let key = item.feedGuid?.lowercased() ?? item.feedURL.map(AddressKey.feed) else { continue }
      add("podcast " + key, .podcast(item), title, weight)
    }
    // People are only taken from podcasts that were played.
    if heard > 0 { for person in feed.persons { add(person: person.name, of: title, heard: heard) } }
    for category in Set(feed.categories) { add("category " + category.folded, .category(category), title, weight) }
  }

  mutating func add(person name: String, of title: String, heard: Int) {
    let name = name.trimmed
    // A single word is a network's name, or cannot be searched for usefully.
    guard name.split(separator: " ").count > 1, name.folded != title.folded else { return }
    add("person " + name.folded, .person(name), title, heard)
  }

  private mutating func add(_ key: String, _ target: Suggestion.Target, _ title: String, _ weight: Int) {
    entries[key, default: Entry(target: target)].podcasts[title, default: 0] += weight
  }

  private func isKnown(_ item: RemoteItem) -> Bool {
    if let guid = item.feedGuid, known["guid " + guid.lowercased()] != nil { return true }
    return item.feedURL.map { known["feed " + AddressKey.feed($0)] != nil } ?? false
  }

  var suggestions: [Suggestion] {
    let all = entries.map { key, entry in
      let titles = entry.podcasts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      return (
        key,
        Suggestion(
          target: entry.target, podcasts: titles.map(\.key), weight: titles.reduce(0) { $0 + $1.value })
      )
    }.sorted { ($1.1.weight, $0.0) < ($0.1.weight, $1.0) }
    return Self.limits.flatMap { start, limit in
      all.filter { $0.0.utf8.starts(with: start.utf8) }.prefix(limit).map(\.1)
    }
  }
}
