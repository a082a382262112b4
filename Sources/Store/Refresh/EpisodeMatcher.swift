/// The identifying data of an episode within its podcast.
struct EpisodeKey: Equatable, Sendable {
  var guid: String?
  var mediaURL: String?
  /// `AddressKey.media(mediaURL)`.
  var mediaKey: String?
  /// In folded form.
  var title: String?
  /// Seconds since 1970.
  var pubDate: Double?
  /// Seconds.
  var duration: Int?
  /// A hash of everything the feed says about the episode.
  var hash: Int64
}

/// Matches the items of a feed with stored episodes: by guid, else by address, else by address without query, else by
/// title and date.
///
/// Publishers reuse what should be unique: one guid for all items, or one address with a distinguishing query. A key
/// that occurs twice in the feed or in the store is skipped, and the next rule decides. Each rule is applied to the
/// whole feed before the next, so that a weak match never takes an episode from a strong one.
struct EpisodeMatcher {
  /// For each item of the feed, the index of its stored episode. Nil: a new episode.
  private(set) var matches: [Int?]
  /// Items that repeat an earlier item of the same feed.
  private(set) var duplicates: Set<Int> = []
  private var isTaken: [Bool]
  private let items: [EpisodeKey]
  private let stored: [EpisodeKey]

  private struct MediaIdentity: Hashable {
    var guid: String?
    var mediaURL: String?
  }
  private struct Dated: Hashable {
    var title: String
    var pubDate: Double?
  }

  init(items: [EpisodeKey], stored: [EpisodeKey]) {
    self.items = items
    self.stored = stored
    matches = Array(repeating: nil, count: items.count)
    isTaken = Array(repeating: false, count: stored.count)
    matchUnchanged()
    findDuplicates()
    if !isDone { matchRepeated { $0.guid == nil ? nil : MediaIdentity(guid: $0.guid, mediaURL: $0.mediaURL) } }
    if !isDone { matchUnique { $0.guid } }
    if !isDone { matchUnique { $0.mediaURL } }
    if !isDone { matchUnique({ $0.mediaKey }, when: Self.isPlausible) }
    if !isDone { matchUnique { key in key.title.map { Dated(title: $0, pubDate: key.pubDate) } } }
  }

  /// Stored episodes that match no item of the feed.
  var leftOver: [Int] { stored.indices.filter { !isTaken[$0] } }

  private var isDone: Bool {
    !items.indices.contains { matches[$0] == nil && !duplicates.contains($0) } || !isTaken.contains(false)
  }

  /// Different files can have the same address without query (`latest.mp3?id=1`). So the title must be the same, or at
  /// least half of what is known of title, date and duration: bulletins often have the same duration.
  private static func isPlausible(_ item: EpisodeKey, _ stored: EpisodeKey) -> Bool {
    let isSameTitle = isSame(item.title, stored.title)
    let facts = [isSameTitle, isSame(item.pubDate, stored.pubDate), isSame(item.duration, stored.duration)]
    let same = facts.count { $0 == true }
    return isSameTitle == true || same > 0 && same >= facts.count { $0 == false }
  }

  /// Nil if one of them is unknown.
  private static func isSame<Value: Equatable>(_ item: Value?, _ stored: Value?) -> Bool? {
    guard let item, let stored else { return nil }
    return item == stored
  }

  /// The usual case: nearly all items are exactly as stored.
  private mutating func matchUnchanged() {
    matchRepeated { $0.hash }
  }

  private mutating func findDuplicates() {
    var seen: Set<MediaIdentity> = []
    var hashes: Set<Int64> = []
    // Items that are already stored come first: an edited copy of one is not a new episode.
    for index in items.indices where matches[index] != nil {
      hashes.insert(items[index].hash)
      seen.insert(MediaIdentity(guid: items[index].guid, mediaURL: items[index].mediaURL))
    }
    for index in items.indices where matches[index] == nil {
      let item = items[index]
      let isNewHash = hashes.insert(item.hash).inserted
      let isNewKey =
        item.guid == nil || seen.insert(MediaIdentity(guid: item.guid, mediaURL: item.mediaURL)).inserted
      if !isNewHash || !isNewKey { duplicates.insert(index) }
    }
  }

  /// Pairs equal keys in order, even if they occur more than once.
  private mutating func matchRepeated<Key: Hashable>(_ key: (EpisodeKey) -> Key?) {
    var places: [Key: [Int]] = [:]
    for index in stored.indices.reversed() where !isTaken[index] {
      if let key = key(stored[index]) { places[key, default: []].append(index) }
    }
    for index in items.indices where matches[index] == nil && !duplicates.contains(index) {
      guard let key = key(items[index]), let place = places[key]?.popLast() else { continue }
      take(place, for: index)
    }
  }

  /// Pairs keys that occur once in the feed and once in the store.
  private mutating func matchUnique<Key: Hashable>(
    _ key: (EpisodeKey) -> Key?, when isPlausible: (EpisodeKey, EpisodeKey) -> Bool = { _, _ in true }
  ) {
    var places: [Key: Int?] = [:]
    for index in stored.indices {
      if let key = key(stored[index]) { places.updateValue(places[key] == nil ? index : nil, forKey: key) }
    }
    var counts: [Key: Int] = [:]
    for index in items.indices where !duplicates.contains(index) {
      if let key = key(items[index]) { counts[key, default: 0] &+= 1 }
    }
    for index in items.indices where matches[index] == nil && !duplicates.contains(index) {
      guard let key = key(items[index]), counts[key] == 1, let place = places[key] ?? nil, !isTaken[place],
        isPlausible(items[index], stored[place])
      else { continue }
      take(place, for: index)
    }
  }

  private mutating func take(_ place: Int, for index: Int) {
    matches[index] = place
    isTaken[place] = true
  }
}
