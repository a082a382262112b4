/// Which rank each value was set with: decides whether a later one may replace it.
struct FeedRanks {
  private static let unset = UInt8.max
  private var ranks = [UInt8](repeating: unset, count: FeedField.allCases.count)

  /// True, and remembered, when a value of this rank is better than what was there.
  mutating func claim(_ field: FeedField, _ rank: UInt8) -> Bool {
    let index = Int(field.rawValue)
    guard rank < ranks[index] else { return false }
    ranks[index] = rank
    return true
  }

  mutating func reset() {
    for index in ranks.indices { ranks[index] = Self.unset }
  }
}
