/// The order of episodes that have the same date or none, as in many audiobooks. It is the order of the feed.
///
/// Feeds list the newest episode first. Those without dates are often in reading order instead, and add chapters at the
/// end. The player lists both as the feed does.
struct FeedOrder {
  /// By the index of the item: larger for later episodes. Only items whose date other items have, too.
  private(set) var numbers: [Int: Int] = [:]
  /// Whether the feed lists its first episode first. Nil: its dates tell the order.
  private(set) var isOldestFirst: Bool?

  /// - Parameters:
  ///   - isArchive: the document has older episodes than those that are stored.
  ///   - isReadInOrder: whether the episodes are parts of a book.
  ///   - isSorted: the document certainly has the first episode first, wherever it has grown.
  ///   - known: `isOldestFirst` as it is stored.
  init(_ matcher: EpisodeMatcher, isArchive: Bool, isReadInOrder: Bool, isSorted: Bool, known: Bool?) {
    let items = matcher.items
    let listed = items.indices.filter { !matcher.duplicates.contains($0) }
    var counts: [Double?: Int] = [:]
    for index in listed { counts[items[index].pubDate, default: 0] += 1 }
    guard counts.count < listed.count else { return }
    let tied = listed.filter { counts[items[$0].pubDate] ?? 0 > 1 }
    if counts.count == 1 {
      isOldestFirst =
        isSorted
        || (isArchive ? known : Self.growsAtItsEnd(tied, matcher) ?? known) ?? Self.countsUp(tied.map { items[$0] })
          ?? isReadInOrder
    }
    let dates = listed.compactMap { items[$0].pubDate }
    let isRising = isOldestFirst ?? ((dates.first ?? 0) < (dates.last ?? 0))
    number(isRising ? tied : tied.reversed(), matcher, isArchive: isArchive, isRising: isRising)
  }

  /// Where a feed adds episodes. Nil: nothing was added, or at both ends.
  private static func growsAtItsEnd(_ tied: [Int], _ matcher: EpisodeMatcher) -> Bool? {
    let known = tied.filter { matcher.matches[$0] != nil }
    let added = tied.filter { matcher.matches[$0] == nil }
    guard let firstKnown = known.first, let lastKnown = known.last, let first = added.first, let last = added.last
    else {
      return nil
    }
    if first > lastKnown { return true }
    return last < firstKnown ? false : nil
  }

  /// Whether the numbers of the episodes, or those in their titles, mostly rise. Nil: there are none.
  private static func countsUp(_ items: [EpisodeKey]) -> Bool? {
    let numbers = items.map { $0.number ?? $0.title.flatMap(lastNumber) }
    let steps = zip(numbers, numbers.dropFirst()).compactMap { one, next in
      one.flatMap { one in next.map { one < $0 ? 1 : one > $0 ? -1 : 0 } }
    }
    let sum = steps.reduce(0, +)
    return sum == 0 ? nil : sum > 0
  }

  private static func lastNumber(_ title: String) -> Int? {
    title.split { !$0.isASCII || !$0.isNumber }.last.flatMap { Int($0) }
  }

  /// Numbers the items. Stored numbers stay if the new items are all before or all after the known ones.
  /// - Parameter chain: the first episode first.
  private mutating func number(_ chain: [Int], _ matcher: EpisodeMatcher, isArchive: Bool, isRising: Bool) {
    let stored = chain.map { index in matcher.matches[index].map { matcher.stored[$0].order } }
    let known = stored.compactMap { $0 }
    let all = matcher.stored.map(\.order)
    let (lowest, highest) = (all.min() ?? 0, all.max() ?? -1)
    let isKept = zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
    let before = stored.prefix { $0 == nil }.count
    let after = stored.reversed().prefix { $0 == nil }.count
    if isKept, !known.isEmpty, before + known.count + after == chain.count {
      for (rank, index) in chain.enumerated() {
        if let order = stored[rank] {
          numbers[index] = order
        } else {
          numbers[index] = rank < before ? lowest - before + rank : highest + 1 + rank - before - known.count
        }
      }
      return
    }
    let first = isArchive && known.isEmpty && !isRising ? lowest - chain.count : highest + 1
    for (rank, index) in chain.enumerated() { numbers[index] = first + rank }
  }
}
