import GRDB
import Model

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
  /// The size of the file, as the feed says.
  var bytes: Int64?
  var season: Int?
  var number: Int?
  /// The stored order among episodes of the same date (`FeedOrder`).
  var order = 0
  /// A stored episode that the feed did not list the last time.
  var isGone = false

  /// Whether other devices know it by another name. The query of an address may change at each fetch of the feed.
  func hasOtherName(than other: EpisodeKey) -> Bool {
    guid != other.guid || guid == nil && mediaKey != other.mediaKey
  }

  /// The day and time without the seconds, in seconds since 1970. Some hosts drop the seconds.
  var minute: Double? { pubDate.map { ($0 / 60).rounded(.down) * 60 } }

  /// Seconds. Hosts round the length in their own way.
  static let lengthTolerance = 2

  /// False if one is unknown.
  func hasSameLength(as other: EpisodeKey) -> Bool {
    guard let duration, let length = other.duration else { return false }
    return duration.subtractingReportingOverflow(length).partialValue.magnitude <= Self.lengthTolerance
  }

  /// Whether a match is one between any two podcasts. Some feeds only count their guids, and number their titles.
  func isCertainly(_ other: EpisodeKey) -> Bool {
    if mediaKey != nil, mediaKey == other.mediaKey { return true }
    let isSameGUID = guid != nil && guid == other.guid
    if isSameGUID, let guid, guid.utf8.count >= Self.shortGUID { return true }
    let isOfSameMinute = minute != nil && minute == other.minute
    let hasSameFile = hasSameLength(as: other) || bytes != nil && bytes == other.bytes
    if isSameGUID, isOfSameMinute, hasSameFile { return true }
    let hasSameFacts = isOfSameMinute || hasSameFile
    return title != nil && title == other.title && hasSameFacts
  }

  /// Bytes. A shorter guid may be a number, and is not believed alone.
  static let shortGUID = 12

  /// What the feed says about the file is known, and nothing of it is the same.
  func contradicts(_ other: EpisodeKey) -> Bool {
    let isComparable = duration != nil && other.duration != nil || bytes != nil && other.bytes != nil
    return isComparable && !hasSameLength(as: other) && (bytes == nil || bytes != other.bytes)
  }
}

/// Matches the items of a feed with stored episodes: by guid, else by address, else by address without query, else by
/// title and date, else by several facts together (`EpisodeMatcher+Renamed.swift`).
///
/// Publishers reuse what should be unique: one guid for all items, or one address with a distinguishing query. A key
/// that occurs twice in the feed or in the store is skipped, and the next rule decides. Each rule is applied to the
/// whole feed before the next, so that a weak match never takes an episode from a strong one.
struct EpisodeMatcher {
  /// For each item of the feed, the index of its stored episode. Nil: a new episode.
  private(set) var matches: [Int?]
  /// Items that repeat an earlier item of the same feed.
  private(set) var duplicates: Set<Int> = []
  private(set) var isTaken: [Bool]
  let items: [EpisodeKey]
  let stored: [EpisodeKey]
  /// Half of the podcast's rhythm, in seconds. Nil: it is not known.
  private var halfRhythm: Double?

  private struct MediaIdentity: Hashable {
    var guid: String?
    var mediaURL: String?
  }
  struct Dated: Hashable {
    var title: String
    var pubDate: Double?
  }

  init(items: [EpisodeKey], stored: [EpisodeKey]) {
    self.items = items
    self.stored = stored
    matches = Array(repeating: nil, count: items.count)
    isTaken = Array(repeating: false, count: stored.count)
    // The usual case: nearly all items are exactly as stored.
    matchRepeated { $0.hash }
    findDuplicates()
    if !isDone { halfRhythm = Self.rhythm(stored).map { $0 / 2 } }
    matchRepeated { $0.guid == nil ? nil : MediaIdentity(guid: $0.guid, mediaURL: $0.mediaURL) }
    matchRenamedFiles()
    matchUnique({ $0.guid }, when: isPlausibleGUID)
    if !isDone {
      let areOwn = uniquePairs(\.mediaURL, \.mediaURL).count > 2
      matchUnique({ $0.mediaURL }, when: areOwn ? { _, _ in true } : isPlausibleAddress)
    }
    matchUnique({ $0.mediaKey }, when: isPlausibleFile)
    matchUnique(
      { key in key.title.map { Dated(title: $0, pubDate: key.pubDate) } },
      when: { item, stored in item.pubDate != nil || !item.contradicts(stored) })
    if !isDone { matchRenamed() }
  }

  /// Seconds. An episode that is published again comes within half a day: the bulletin of the next day is another one.
  static let maxDelay = 43_200.0

  /// The rhythm of these episodes in seconds, as their twenty newest dates show it.
  static func rhythm(_ keys: some Sequence<EpisodeKey>) -> Double? {
    var newest: [Double] = []
    for date in keys.lazy.compactMap(\.pubDate) where newest.count < 20 || date > newest[19] {
      newest.insert(date, at: newest.firstIndex { $0 < date } ?? newest.count)
      if newest.count > 20 { newest.removeLast() }
    }
    return RefreshSchedule.rhythm(newest)
  }

  /// Stored episodes that match no item of the feed.
  var leftOver: [Int] { stored.indices.filter { !isTaken[$0] } }

  /// Items without a stored episode, besides repeated ones.
  var openItems: [Int] { items.indices.filter { matches[$0] == nil && !duplicates.contains($0) } }

  var isDone: Bool {
    !items.indices.contains { matches[$0] == nil && !duplicates.contains($0) } || !isTaken.contains(false)
  }

  /// Some feeds only count, and begin again with each season or on a new host. A guid as short as a number is not
  /// believed if nothing else is the same.
  private func isPlausibleGUID(_ item: EpisodeKey, _ stored: EpisodeKey) -> Bool {
    guard let guid = item.guid, guid.utf8.count < EpisodeKey.shortGUID else { return true }
    return Self.isSame(item.title, stored.title) != false || Self.isSame(item.mediaKey, stored.mediaKey) != false
      || isNear(item, stored) != false || item.hasSameLength(as: stored)
      || Self.isSame(item.bytes, stored.bytes) == true
  }

  /// The newest bulletin of some feeds always has the same address, and each has a guid of its own. If three
  /// episodes keep their addresses at once, each has its own.
  private func isPlausibleAddress(_ item: EpisodeKey, _ stored: EpisodeKey) -> Bool {
    if item.guid == nil || stored.guid == nil || isNear(item, stored) != false { return true }
    // A weekly episode may be published again days later.
    let isSameFile = Self.isSame(item.title, stored.title) == true && Self.isSame(item.bytes, stored.bytes) == true
    return isSameFile && isNear(item, stored, within: halfRhythm ?? 0) == true
  }

  /// Different files can have the same address without query (`latest.mp3?id=1`). So the title must be the same, or at
  /// least half of what is known of title, date and duration: bulletins often have the same duration. And bulletins
  /// have the same title every day.
  private func isPlausibleFile(_ item: EpisodeKey, _ stored: EpisodeKey) -> Bool {
    let isSameTitle = Self.isSame(item.title, stored.title)
    let facts = [isSameTitle, Self.isSame(item.pubDate, stored.pubDate), Self.isSame(item.duration, stored.duration)]
    let same = facts.count { $0 == true }
    return isSameTitle == true ? isNear(item, stored) != false : same > 0 && same >= facts.count { $0 == false }
  }

  /// Whether the dates of one episode can differ so much: by less than half of the podcast's rhythm, because the next
  /// bulletin has the same title and the same address. Without a known rhythm the dates must be the same. Nil if one of
  /// them is unknown.
  /// - Parameter limit: seconds.
  func isNear(_ item: EpisodeKey, _ stored: EpisodeKey, within limit: Double? = nil) -> Bool? {
    guard let one = item.pubDate, let other = stored.pubDate else { return nil }
    return abs(one - other) < limit ?? min(Self.maxDelay, halfRhythm ?? 60)
  }

  /// Nil if one of them is unknown.
  static func isSame<Value: Equatable>(_ item: Value?, _ stored: Value?) -> Bool? {
    guard let item, let stored else { return nil }
    return item == stored
  }

  /// Files with the same contents have the same guid. The renamed one is the one whose old path is gone. Nobody can
  /// tell several of them apart, so those that were there the last time come first.
  private mutating func matchRenamedFiles() {
    guard !isDone, items.contains(where: { $0.mediaURL.map(FolderAddress.isLocal) ?? false }) else { return }
    let moved = Set(items.compactMap(\.mediaURL)).symmetricDifference(stored.compactMap(\.mediaURL))
      .filter(FolderAddress.isLocal)
    for withGone in [false, true] {
      matchRepeated { key in
        key.mediaURL.map(moved.contains) == true && (withGone || !key.isGone) ? key.guid : nil
      }
    }
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
    guard !isDone else { return }
    var candidates: [Key: [Int]] = [:]
    for index in stored.indices.reversed() where !isTaken[index] {
      if let key = key(stored[index]) { candidates[key, default: []].append(index) }
    }
    for index in items.indices where matches[index] == nil && !duplicates.contains(index) {
      guard let key = key(items[index]), let storedIndex = candidates[key]?.popLast() else { continue }
      take(storedIndex, for: index)
    }
  }

  /// Pairs keys that occur once in the feed and once in the store.
  mutating func matchUnique<Key: Hashable>(
    _ key: (EpisodeKey) -> Key?, when isPlausible: (EpisodeKey, EpisodeKey) -> Bool = { _, _ in true }
  ) {
    guard !isDone else { return }
    for (index, storedIndex) in uniquePairs(key, key) where isPlausible(items[index], stored[storedIndex]) {
      take(storedIndex, for: index)
    }
  }

  /// Items and stored episodes without a match whose keys occur once in the feed and once in the store.
  func uniquePairs<Key: Hashable>(
    _ key: (EpisodeKey) -> Key?, _ storedKey: (EpisodeKey) -> Key?
  ) -> [(item: Int, stored: Int)] {
    var candidates: [Key: Int?] = [:]
    for index in stored.indices {
      if let key = storedKey(stored[index]) {
        candidates.updateValue(candidates[key] == nil ? index : nil, forKey: key)
      }
    }
    var counts: [Key: Int] = [:]
    for index in items.indices where !duplicates.contains(index) {
      if let key = key(items[index]) { counts[key, default: 0] &+= 1 }
    }
    return openItems.compactMap { index in
      guard let key = key(items[index]), counts[key] == 1, let storedIndex = candidates[key] ?? nil,
        !isTaken[storedIndex]
      else { return nil }
      return (index, storedIndex)
    }
  }

  mutating func take(_ storedIndex: Int, for index: Int) {
    matches[index] = storedIndex
    isTaken[storedIndex] = true
  }
}

/// The identifying data of a podcast's stored episodes.
struct StoredKeys {
  private(set) var ids: [Int64] = []
  private(set) var keys: [EpisodeKey] = []

  init(_ db: Database, podcast: PodcastID) throws {
    try self.init(
      db, "SELECT id, \(EpisodeKey.columns) FROM episode WHERE podcastID = ? ORDER BY id", [podcast.rawValue])
  }

  /// - Parameter sql: selects the id, then `EpisodeKey.columns`.
  init(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws {
    try db.each(sql, arguments) { row in
      ids.append(try row[0])
      keys.append(
        try EpisodeKey(
          guid: row[1], mediaURL: row[2], mediaKey: row[3], title: row[4], pubDate: row[5], duration: row[6],
          hash: row[7], bytes: row[8], season: row[9], number: row[10], order: row[12], isGone: row[11]))
    }
  }
}

extension EpisodeKey {
  static let columns =
    "guid, mediaURL, mediaKey, titleKey, pubDate, duration, contentHash, mediaBytes, season, episodeNumber, isGone, feedOrder"
}
