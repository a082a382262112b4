/// Finds what is only in one of two downloads of the same episode, by equal frames. Servers insert advertisements
/// without encoding the rest again.
public struct FrameComparison: Sendable {
  /// What is only in the first file, in seconds of it.
  public private(set) var parts: [ClosedRange<Double>] = []
  /// The share of the first file's frames that are in the second, too.
  public private(set) var shared = 0.0

  /// Parts that are shorter, in seconds, are no advertisements.
  private static let shortest = 2.0
  /// With fewer frames in common, the files are encoded differently, or are different episodes. Then nothing is known.
  private static let leastShared = 0.3

  public var isSameEpisode: Bool { shared >= Self.leastShared }

  public init(_ one: AudioFrames, _ other: AudioFrames) {
    let matches = Self.matches(one.hashes, other.hashes)
    guard !one.hashes.isEmpty else { return }
    shared = Double(matches.reduce(0) { $0 + $1.count }) / Double(one.hashes.count)
    guard isSameEpisode else { return }
    var end = 0
    for match in matches + [Match(one: one.hashes.count, other: other.hashes.count, count: 0)] {
      if match.one > end { add(one.times[end]...one.times[match.one]) }
      end = match.one + match.count
    }
  }

  private mutating func add(_ part: ClosedRange<Double>) {
    guard part.upperBound - part.lowerBound >= Self.shortest else { return }
    parts.append(part)
  }

  // MARK: Matching

  /// A run of equal frames.
  private struct Match {
    var one: Int
    var other: Int
    var count: Int
  }

  /// Runs of equal frames, in order in both files. A patience diff: frames that occur once in both files are the
  /// anchors, and what is equal around them belongs to them. Silent frames occur often.
  private static func matches(_ one: [UInt64], _ other: [UInt64]) -> [Match] {
    let indexes = unique(other)
    let anchors = unique(one).compactMap { hash, index in indexes[hash].map { (one: index, other: $0) } }
      .sorted { $0.one < $1.one }
    var matches: [Match] = []
    var (endOfOne, endOfOther) = (0, 0)
    for anchor in rising(anchors) {
      guard anchor.one >= endOfOne, anchor.other >= endOfOther else { continue }
      var (start, otherStart) = (anchor.one, anchor.other)
      while start > endOfOne, otherStart > endOfOther, one[start - 1] == other[otherStart - 1] {
        (start, otherStart) = (start - 1, otherStart - 1)
      }
      var (end, otherEnd) = (anchor.one + 1, anchor.other + 1)
      while end < one.count, otherEnd < other.count, one[end] == other[otherEnd] {
        (end, otherEnd) = (end + 1, otherEnd + 1)
      }
      matches.append(Match(one: start, other: otherStart, count: end - start))
      (endOfOne, endOfOther) = (end, otherEnd)
    }
    return matches
  }

  /// The frames that occur once, with their indices.
  private static func unique(_ hashes: [UInt64]) -> [UInt64: Int] {
    var indexes: [UInt64: Int] = [:]
    for (index, hash) in hashes.enumerated() { indexes[hash] = indexes[hash] == nil ? index : -1 }
    return indexes.filter { $0.value >= 0 }
  }

  /// The longest part whose indexes rise in the other file, too (patience sorting).
  private static func rising(_ anchors: [(one: Int, other: Int)]) -> [(one: Int, other: Int)] {
    // The index of the anchor that ends the best sequence of each length, and the anchor before each.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: anchors.count)
    for index in anchors.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if anchors[ends[middle]].other < anchors[index].other { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var sequence: [(one: Int, other: Int)] = []
    var next = ends.last
    while let index = next {
      sequence.append(anchors[index])
      next = before[index]
    }
    return sequence.reversed()
  }
}
