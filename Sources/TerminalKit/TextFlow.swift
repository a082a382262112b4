/// Breaks text into lines of a given width.
///
/// Lines break at spaces, after hyphens and dashes inside words, and between ideographs, but never before closing or
/// after opening punctuation (kinsoku, JIS X 4051 in its simplest form). A word that is longer than a line is cut, if
/// possible after a slash. It begins on the current line if that is less than half full, except for narrow lines.
/// Spaces at a break are removed; spaces at the start of the text stay. No line is wider than requested: in a line of
/// one column, a wide cluster becomes "?". "\n" ends a line.
public enum TextFlow {
  public static func wrap(_ text: String, width: Int) -> [String] {
    lines(of: [text], width: width).map { $0.first?.text ?? "" }
  }

  /// The part of a text that is on one line.
  public struct Piece: Equatable, Sendable {
    /// The index of the text.
    public let source: Int
    public let text: String
  }

  /// Breaks texts that follow each other into lines. An empty line has no pieces. `firstIndent` and `restIndent` are
  /// columns that stay free on the left of the first and of all other lines. They are not part of the lines; the caller
  /// draws them.
  public static func lines(
    of texts: [String], width: Int, firstIndent: Int = 0, restIndent: Int = 0
  ) -> [[Piece]] {
    let first = max(1, max(1, width) - max(0, firstIndent))
    let rest = max(1, max(1, width) - max(0, restIndent))
    let (clusters, ends) = clusters(texts, width: min(first, rest))
    var lines: [[Piece]] = []
    var source = 0
    for line in ranges(clusters, first: first, rest: rest) {
      var pieces: [Piece] = []
      var start = line.lowerBound
      while start < line.upperBound {
        while ends[source] <= start { source += 1 }
        let end = min(ends[source], line.upperBound)
        pieces.append(Piece(source: source, text: text(clusters[start..<end])))
        start = end
      }
      lines.append(pieces)
    }
    return lines
  }

  private static func text(_ clusters: ArraySlice<Cluster>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(clusters.count)
    for cluster in clusters { cluster.scalars.writeUTF8(to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The clusters of all texts, and the end of each text in them.
  private static func clusters(_ texts: [String], width: Int) -> (clusters: [Cluster], ends: [Int]) {
    var clusters: [Cluster] = []
    clusters.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count })
    var ends: [Int] = []
    for text in texts {
      ASCIIClusters.append(Substring(text), keepsNewlines: true, to: &clusters)
      ends.append(clusters.count)
    }
    if width < 2 { clusters = clusters.map { $0.width > width ? Cluster("?", width: 1) : $0 } }
    return (clusters, ends)
  }

  /// The clusters of each line.
  private static func ranges(_ clusters: [Cluster], first: Int, rest: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while true {
      let (end, next) = line(clusters, from: start, width: lines.isEmpty ? first : rest, rest: rest)
      lines.append(start..<end)
      guard let next else { return lines }
      start = next
    }
  }

  /// The end of the line that begins at `start`, and the start of the next one; nil if there is none.
  private static func line(_ clusters: [Cluster], from start: Int, width: Int, rest: Int) -> (end: Int, next: Int?) {
    var used = 0
    var lastBreak: Int?
    var usedAtBreak = 0
    var hasText = false
    var index = start
    while index < clusters.count {
      let cluster = clusters[index]
      if cluster.scalars == "\n" { return (trimmed(clusters, start, index), index + 1) }
      // Spaces at the start of a line are an indent, so there is no break after them.
      if hasText, canBreak(clusters[index - 1], cluster) { (lastBreak, usedAtBreak) = (index, used) }
      if used + cluster.width > width, cluster.scalars != " " {
        let cut: Int
        if let lastBreak,
          width < minimumFill || usedAtBreak > width / 2 || fits(clusters, from: lastBreak, width: rest)
        {
          cut = lastBreak
        } else {
          cut = width < minimumFill ? index : slash(clusters, from: lastBreak ?? start, before: index) ?? index
        }
        return (trimmed(clusters, start, cut), cut)
      }
      if used + cluster.width > width {
        // Spaces at the right edge are removed, with a line end after them.
        var next = index
        while next < clusters.count, clusters[next].scalars == " " { next += 1 }
        let end = trimmed(clusters, start, index)
        if next == clusters.count { return (end, nil) }
        return (end, clusters[next].scalars == "\n" ? next + 1 : next)
      }
      used += cluster.width
      if cluster.scalars != " " { hasText = true }
      index += 1
    }
    return (trimmed(clusters, start, index), nil)
  }

  /// In narrower lines a cut word is unreadable anyway, so it is not moved.
  private static let minimumFill = 24

  /// Whether the word that begins at `start` fits a line.
  private static func fits(_ clusters: [Cluster], from start: Int, width: Int) -> Bool {
    var used = 0
    for cluster in clusters[start...] {
      if cluster.scalars == " " || cluster.scalars == "\n" { return true }
      used += cluster.width
      if used > width { return false }
    }
    return true
  }

  /// The index after the last slash in a cut word, so that an address is cut between its parts. Nil if that would waste
  /// more than a third of the space.
  private static func slash(_ clusters: [Cluster], from start: Int, before end: Int) -> Int? {
    guard let slash = clusters[start..<end].lastIndex(where: { $0.scalars == "/" }) else { return nil }
    return (slash - start) * 3 >= (end - start) * 2 ? slash + 1 : nil
  }

  private static func trimmed(_ clusters: [Cluster], _ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, clusters[end - 1].scalars == " " { end -= 1 }
    return end
  }

  private static let neverFirst: Set<Unicode.Scalar> = Set(
    "、。，．・：；？！゛゜ヽヾゝゞ々ー）］｝」』】〉》〕〗〙〛’”…‥ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％‰℃!),.:;?]}»›".unicodeScalars)
  private static let neverLast: Set<Unicode.Scalar> = Set("（［｛「『【〈《〔〖〘〚‘“([{«‹￥＄￡".unicodeScalars)

  /// Whether a line may break between `left` and `right`.
  private static func canBreak(_ left: Cluster, _ right: Cluster) -> Bool {
    if right.scalars == " " { return false }
    if left.scalars == " " { return true }
    switch left.scalars {
    case "-", "\u{2010}", "\u{2013}", "\u{2014}": return right.scalars[0].properties.isAlphabetic
    default: break
    }
    guard left.width == 2 || right.width == 2 else { return false }
    if neverFirst.contains(right.scalars[0]) || neverLast.contains(left.scalars[0]) { return false }
    return !(left.scalars == "\u{A0}" || right.scalars == "\u{A0}")
  }
}
