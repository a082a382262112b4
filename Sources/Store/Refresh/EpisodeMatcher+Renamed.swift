import Model

/// Episodes whose guid and address are new, because the podcast moved to another host, or because the publisher
/// replaced an episode. No single fact identifies them, so several must agree.
///
/// The opposite mistake would be worse: a bulletin has the same title every day, and often the same length and the
/// same path. It would get the played mark of the previous one, and would never be new. So a date that differs by more
/// than the podcast's rhythm is evidence for another episode, and a fact that is the same for all episodes is none.
extension EpisodeMatcher {
  mutating func matchRenamed() {
    let known = listedCount - vanished.count
    matchUnique { Self.shifted($0, by: 0) }
    let sizes = Set(uniquePairs(\.bytes, \.bytes).map(\.item))
    for (index, storedIndex) in uniquePairs(SameFile.init, SameFile.init) where sizes.contains(index) {
      take(storedIndex, for: index)
    }
    if !isDone { matchShifted() }
    if !isDone { matchMoved(known: known) }
    if !isDone { matchReplaced() }
  }

  /// A new title of the same file at the same time.
  private struct SameFile: Hashable {
    var minute: Double
    var bytes: Int64
    var duration: Int

    init?(_ key: EpisodeKey) {
      guard let minute = key.minute, let bytes = key.bytes, bytes > 0, let duration = key.duration else { return nil }
      (self.minute, self.bytes, self.duration) = (minute, bytes, duration)
    }
  }

  private var listedCount: Int { stored.count { !$0.isGone } }

  /// Stored episodes that the feed listed the last time, and that match no item.
  private var vanished: [Int] { leftOver.filter { !stored[$0].isGone } }

  // MARK: All dates are shifted

  /// Another host reads the dates in another time zone. With daylight saving time there are two shifts, an hour apart.
  private mutating func matchShifted() {
    let dated = openItems.map { items[$0] }.filter { $0.title != nil && $0.pubDate != nil }
    let old = vanished.isEmpty ? leftOver : vanished
    // The next bulletin is a whole rhythm later.
    guard dated.count > 1, let rhythm = Self.rhythm(old.map { stored[$0] }) else { return }
    let keys = Set(leftOver.compactMap { Self.shifted(stored[$0], by: 0) })
    let shifts = Self.shifts.filter { abs($0) < rhythm / 2 }
    let counted = shifts.map { shift in
      (shift: shift, count: dated.count { Self.shifted($0, by: -shift).map(keys.contains) ?? false })
    }
    guard let best = counted.max(by: { $0.count < $1.count }) else { return }
    let all = [best.shift, best.shift + 3600, best.shift - 3600].filter { abs($0) < rhythm / 2 }
    let reached = dated.count { item in all.contains { Self.shifted(item, by: -$0).map(keys.contains) ?? false } }
    guard reached > 1, reached * 5 >= min(dated.count, old.count) * 4 else { return }
    for shift in all {
      for (index, storedIndex) in uniquePairs({ Self.shifted($0, by: -shift) }, { Self.shifted($0, by: 0) }) {
        take(storedIndex, for: index)
      }
    }
  }

  /// Seconds; the smallest first. Some time zones have half hours, and the widest are 14 hours from UTC.
  private static let shifts = (1...28).flatMap { [Double($0) * 1800, Double($0) * -1800] }

  private static func shifted(_ key: EpisodeKey, by seconds: Double) -> Dated? {
    key.title.flatMap { title in key.minute.map { Dated(title: title, pubDate: $0 + seconds) } }
  }

  // MARK: The whole feed is new

  /// Nearly all episodes have disappeared, and as many with the same titles have appeared.
  /// - Parameter known: how many listed episodes the feed still has by guid or address.
  private mutating func matchMoved(known: Int) {
    let vanished = vanished
    guard vanished.count > 2, vanished.count >= 9 * known else { return }
    let pairs = uniquePairs(\.title, \.title).filter { !stored[$0.stored].isGone }
    guard pairs.count > 2, pairs.count * 10 >= min(vanished.count, openItems.count) * 9, areSame(pairs) else { return }
    matchUnique(\.title)
    matchUnique { NumberedTitle($0) }
    matchUnique { key in key.title.flatMap { title in key.bytes.map { SizedTitle(title: title, bytes: $0) } } }
  }

  private struct NumberedTitle: Hashable {
    var title: String
    var season: Int?
    var number: Int

    init?(_ key: EpisodeKey) {
      guard let title = key.title, let number = key.number else { return nil }
      (self.title, season, self.number) = (title, key.season, number)
    }
  }

  private struct SizedTitle: Hashable {
    var title: String
    var bytes: Int64
  }

  /// Whether pairs with the same titles are the same episodes, and not the next ones of a feed whose titles return
  /// (“Monday”, “Tuesday”, …).
  private func areSame(_ pairs: [(item: Int, stored: Int)]) -> Bool {
    let pairs = pairs.map { (item: items[$0.item], stored: stored[$0.stored]) }
    let dates = pairs.compactMap { pair in
      pair.item.pubDate.flatMap { new in pair.stored.pubDate.map { (new: new, old: $0) } }
    }
    let isSameFile =
      isEvidence(pairs.map { ($0.item.bytes, $0.stored.bytes) })
      || isEvidence(pairs.map { ($0.item.fullNumber, $0.stored.fullNumber) })
      || isEvidence(pairs.map { ($0.item.mediaURL, $0.stored.mediaURL) })
      || isEvidence(
        pairs.map { item, old in (item.hasSameLength(as: old) ? old.duration : item.duration, old.duration) })
    // Without dates nobody can tell a few titles that return.
    guard dates.count * 2 > pairs.count else {
      let changed = pairs.count { ($0.item.pubDate == nil) != ($0.stored.pubDate == nil) }
      return isSameFile || changed * 2 > pairs.count || pairs.count > 7
    }
    let (new, old) = (Self.span(dates.map(\.new)), Self.span(dates.map(\.old)))
    // The new host gave all episodes the date of the move.
    if new.upper - new.lower < (old.upper - old.lower) / 4 { return true }
    let change = Self.span(dates.map { $0.new - $0.old })
    let rhythm = Self.rhythm(pairs.map(\.stored)) ?? 0
    let isEvenChange = change.upper - change.lower <= max(rhythm, change.upper / 4)
    if new.lower > old.upper, isEvenChange { return false }
    return isSameFile || change.upper - change.lower <= 3660 || max(abs(change.lower), abs(change.upper)) < rhythm / 2
  }

  private static func span(_ values: [Double]) -> (lower: Double, upper: Double) {
    (values.min() ?? 0, values.max() ?? 0)
  }

  /// Whether a fact that distinguishes the stored episodes is the same in nearly all pairs.
  private func isEvidence<Value: Hashable>(_ pairs: [(Value?, Value?)]) -> Bool {
    let known = pairs.compactMap { pair in pair.0.flatMap { new in pair.1.map { (new: new, old: $0) } } }
    return known.count * 5 >= pairs.count * 4 && Set(known.map(\.old)).count * 2 > known.count
      && known.count { $0.new == $0.old } * 5 >= known.count * 4
  }

  // MARK: One episode is replaced

  /// The publisher removed an episode and published it again within hours. Only for podcasts whose titles differ.
  private mutating func matchReplaced() {
    let pairs = uniquePairs(\.title, \.title).filter { !stored[$0.stored].isGone }
    guard !pairs.isEmpty, stored.count > 2 else { return }
    let titles = Set(stored.lazy.compactMap(\.title))
    guard titles.count * 10 >= stored.count * 9 else { return }
    let rarity = FactCounts(items, stored)
    for (index, storedIndex) in pairs where isReplacement(items[index], of: stored[storedIndex], rarity) {
      take(storedIndex, for: index)
    }
  }

  private func isReplacement(_ item: EpisodeKey, of old: EpisodeKey, _ counts: FactCounts) -> Bool {
    let isSameNumber = item.number.flatMap { number in old.number.map { $0 == number && item.season == old.season } }
    guard isNear(item, old) != false, isSameNumber != false else { return false }
    if let bytes = item.bytes, bytes == old.bytes, counts.isRare(bytes: bytes) { return true }
    guard let length = item.duration, let oldLength = old.duration else { return isSameNumber == true }
    if isSameNumber == true { return Double((length &- oldLength).magnitude) <= 0.1 * Double(oldLength.magnitude) }
    // Bulletins of five minutes often have the same length to the second.
    return isNear(item, old) == true && length >= 600 && item.hasSameLength(as: old)
      && counts.isRare(length: length)
  }

  /// How many items and how many stored episodes have a size or a length. Counted once, because a hostile feed has
  /// very many pairs.
  private struct FactCounts {
    private var bytes: [[Int64: Int]]
    private var lengths: [[Int: Int]]

    init(_ lists: [EpisodeKey]...) {
      bytes = lists.map { $0.reduce(into: [:]) { counts, key in key.bytes.map { counts[$0, default: 0] += 1 } } }
      lengths = lists.map { $0.reduce(into: [:]) { counts, key in key.duration.map { counts[$0, default: 0] += 1 } } }
    }

    /// Whether one item and one stored episode have this size.
    func isRare(bytes value: Int64) -> Bool { bytes.allSatisfy { $0[value] == 1 } }

    /// Whether one item and one stored episode have this length, within `EpisodeKey.lengthTolerance`.
    func isRare(length: Int) -> Bool {
      lengths.allSatisfy { counts in
        (-EpisodeKey.lengthTolerance...EpisodeKey.lengthTolerance).reduce(0) { $0 + (counts[length &+ $1] ?? 0) } == 1
      }
    }
  }
}

extension EpisodeKey {
  /// Season and number.
  fileprivate var fullNumber: [Int]? { number.map { [season ?? 0, $0] } }
}
