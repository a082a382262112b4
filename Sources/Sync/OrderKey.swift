/// Sort keys for lists that devices reorder independently. Sorting the keys gives the order of the list. Between any
/// two keys there is room for another one, so adding or moving an item changes only its own key.
public enum OrderKey {
  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  private static let values: [UInt8: Int] = Dictionary(
    uniqueKeysWithValues: digits.enumerated().map { ($1, $0) })

  /// A key after `low` and before `high`; nil means that end of the list. `low` must sort before `high`.
  public static func between(_ low: String?, _ high: String?) -> String {
    let low = (low ?? "").utf8.map { values[$0] ?? 0 }
    let high = high.map { $0.utf8.map { values[$0] ?? 0 } }
    var result: [Int] = []
    var isBelowHigh = high == nil
    var index = 0
    while true {
      let floor = index < low.count ? low[index] : 0
      let ceiling = isBelowHigh ? digits.count : (high.flatMap { index < $0.count ? $0[index] : nil } ?? 0)
      if ceiling - floor > 1 {
        // At an open end, keys increase in small steps. Lists mostly grow there, and small steps keep the keys short.
        result.append(floor + (high == nil ? 1 : (ceiling - floor) / 2))
        return text(result)
      }
      // Reached only if `low` does not sort before `high`.
      if index > max(low.count, high?.count ?? 0) { return text(result + [1]) }
      result.append(floor)
      if floor < ceiling { isBelowHigh = true }
      index += 1
    }
  }

  private static func text(_ values: [Int]) -> String { String(decoding: values.map { digits[$0] }, as: UTF8.self) }

  /// Keys for items in their new order. Items keep their old keys where possible, so that few keys change.
  /// - Parameter old: the previous keys. Items with equal keys are sorted by name.
  public static func assign(_ items: [String], old: [String: String]) -> [String: String] {
    let listed = Set(items)
    let known = old.filter { listed.contains($0.key) }
    if known.count == items.count, order(known) == items { return known }
    let kept = longestRun(items, old)
    var keys: [String: String] = [:]
    var last: String?
    var index = 0
    while index < items.count {
      if let key = kept[items[index]], last.map({ $0 < key }) ?? true {
        keys[items[index]] = key
        last = key
        index += 1
        continue
      }
      // Items without a key, up to the next one that keeps its key.
      var end = index
      var next: String?
      while end < items.count, next == nil {
        if let key = kept[items[end]], last.map({ $0 < key }) ?? true { next = key } else { end += 1 }
      }
      for item in items[index..<end] {
        let key = between(last, next)
        keys[item] = key
        last = key
      }
      index = end
    }
    return keys
  }

  /// The longest subsequence whose old keys are already in order (patience sorting).
  private static func longestRun(_ items: [String], _ old: [String: String]) -> [String: String] {
    let known = items.compactMap { item in old[item].map { (item: item, key: $0) } }
    var tails: [Int] = []
    var before = [Int?](repeating: nil, count: known.count)
    for index in known.indices {
      let pair = (known[index].key, known[index].item)
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if (known[tails[middle]].key, known[tails[middle]].item) < pair { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var run: [String: String] = [:]
    var index = tails.last
    while let current = index {
      run[known[current].item] = known[current].key
      index = before[current]
    }
    return run
  }

  /// Whether a key from another device is valid. It must consist of letters and digits, and must not end in the lowest
  /// digit, because then no other key would fit below it.
  public static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 1000 && text.utf8.last != UInt8(ascii: "0")
      && text.utf8.allSatisfy { values[$0] != nil }
  }

  /// The items sorted by key. Equal keys are sorted by name, so every device gets the same order.
  public static func order(_ keys: [String: String]) -> [String] {
    keys.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }
}
