/// The rank that each value was set with, to decide whether a later value may replace it.
struct FeedRanks {
  private static let unset = UInt8.max
  private var ranks = [UInt8](repeating: unset, count: FeedField.allCases.count)

  /// Records the rank and returns true if it is better than the current one.
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
