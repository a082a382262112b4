/// Text of one kind within a line: a link, an emphasis, a heading. The tag is the caller's.
public struct Run<Tag> {
  public var text: String
  public var tag: Tag

  public init(_ text: String, _ tag: Tag) {
    self.text = text
    self.tag = tag
  }
}

extension Run: Equatable where Tag: Equatable {}
extension Run: Sendable where Tag: Sendable {}

/// Breaks text into lines of a given width.
///
/// Breaks come at spaces, after hyphens and dashes inside words, and between ideographs, but never before closing or
/// after opening punctuation (kinsoku, JIS X 4051 in its simplest form). A word longer than a line is cut, after a slash
/// if it can be, and begins on a line that is
/// less than half full; narrow lines are left alone. Spaces at a break vanish, those that begin the text stay. No line is ever wider than asked; a wide cluster in a line of one
/// column becomes "?". "\n" ends a line.
public enum TextFlow {
  public static func wrap(_ text: String, width: Int) -> [String] {
    let (clusters, _) = clusters([Run(text, ())], width: max(1, width))
    return lines(clusters, first: max(1, width), rest: max(1, width)).map { range in
      clusters[range].reduce(into: "") { $0 += $1.text }
    }
  }

  /// Lines of runs. `firstIndent` and `restIndent` are columns kept free at the left of the first and of all other lines;
  /// they are for the caller to draw, and are not part of the lines.
  public static func wrap<Tag>(
    _ runs: [Run<Tag>], width: Int, firstIndent: Int = 0, restIndent: Int = 0
  ) -> [[Run<Tag>]] {
    let first = max(1, max(1, width) - max(0, firstIndent))
    let rest = max(1, max(1, width) - max(0, restIndent))
    let (clusters, owners) = clusters(runs, width: min(first, rest))
    return lines(clusters, first: first, rest: rest).map { range in
      var line: [Run<Tag>] = []
      var owner = -1
      for index in range {
        if owners[index] != owner {
          owner = owners[index]
          line.append(Run("", runs[owner].tag))
        }
        line[line.count - 1].text += clusters[index].text
      }
      return line
    }
  }

  /// All clusters in a row, and for each the run it came from.
  private static func clusters<Tag>(_ runs: [Run<Tag>], width: Int) -> (clusters: [Cluster], owners: [Int]) {
    var clusters: [Cluster] = []
    var owners: [Int] = []
    for (owner, run) in runs.enumerated() {
      for cluster in ClusterSequence(Substring(run.text), keepsNewlines: true) {
        clusters.append(cluster.width > width ? Cluster(text: "?", width: 1) : cluster)
        owners.append(owner)
      }
    }
    return (clusters, owners)
  }

  /// The clusters of each line.
  private static func lines(_ clusters: [Cluster], first: Int, rest: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while true {
      let (end, next) = line(clusters, from: start, width: lines.isEmpty ? first : rest, rest: rest)
      lines.append(start..<end)
      guard let next else { return lines }
      start = next
    }
  }

  /// Where the line that begins at `start` ends, and where the next one begins; nil when there is none.
  private static func line(_ clusters: [Cluster], from start: Int, width: Int, rest: Int) -> (end: Int, next: Int?) {
    var used = 0
    var lastBreak: Int?
    var usedAtBreak = 0
    var hasText = false
    var index = start
    while index < clusters.count {
      let cluster = clusters[index]
      if cluster.text == "\n" { return (trimmed(clusters, start, index), index + 1) }
      // Not after the spaces that begin a line: they are an indent.
      if hasText, canBreak(clusters[index - 1], cluster) { (lastBreak, usedAtBreak) = (index, used) }
      if used + cluster.width > width, cluster.text != " " {
        let cut: Int
        if let lastBreak,
          width < worthFilling || usedAtBreak > width / 2 || fits(clusters, from: lastBreak, width: rest)
        {
          cut = lastBreak
        } else {
          cut = width < worthFilling ? index : slash(clusters, from: lastBreak ?? start, before: index) ?? index
        }
        return (trimmed(clusters, start, cut), cut)
      }
      if used + cluster.width > width {
        // Spaces that run over the edge vanish, and with them the line end that may follow.
        var next = index
        while next < clusters.count, clusters[next].text == " " { next += 1 }
        let end = trimmed(clusters, start, index)
        if next == clusters.count { return (end, nil) }
        return (end, clusters[next].text == "\n" ? next + 1 : next)
      }
      used += cluster.width
      if cluster.text != " " { hasText = true }
      index += 1
    }
    return (trimmed(clusters, start, index), nil)
  }

  /// In lines of fewer columns a cut address cannot be read whichever way it is cut.
  private static let worthFilling = 24

  /// Whether the word that begins at `start` fits a line.
  private static func fits(_ clusters: [Cluster], from start: Int, width: Int) -> Bool {
    var used = 0
    for cluster in clusters[start...] {
      if cluster.text == " " || cluster.text == "\n" { return true }
      used += cluster.width
      if used > width { return false }
    }
    return true
  }

  /// Behind the last slash of a cut word, so that an address is cut between its parts; nil where that would waste more
  /// than a third of what the word has of the line.
  private static func slash(_ clusters: [Cluster], from start: Int, before end: Int) -> Int? {
    guard let slash = clusters[start..<end].lastIndex(where: { $0.text == "/" }) else { return nil }
    return (slash - start) * 3 >= (end - start) * 2 ? slash + 1 : nil
  }

  private static func trimmed(_ clusters: [Cluster], _ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, clusters[end - 1].text == " " { end -= 1 }
    return end
  }

  private static let hyphens: Set<String> = ["-", "\u{2010}", "\u{2013}", "\u{2014}"]
  private static let neverFirst: Set<Character> = Set(
    "、。，．・：；？！゛゜ヽヾゝゞ々ー）］｝」』】〉》〕〗〙〛’”…‥ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％‰℃!),.:;?]}»›")
  private static let neverLast: Set<Character> = Set("（［｛「『【〈《〔〖〘〚‘“([{«‹￥＄￡")

  /// Whether a line may end after `left` and the next begin with `right`.
  private static func canBreak(_ left: Cluster, _ right: Cluster) -> Bool {
    if right.text == " " { return false }
    if left.text == " " { return true }
    if hyphens.contains(left.text) { return right.text.first?.isLetter ?? false }
    guard left.width == 2 || right.width == 2 else { return false }
    if let first = right.text.first, neverFirst.contains(first) { return false }
    if let last = left.text.first, neverLast.contains(last) { return false }
    return !(left.text == "\u{A0}" || right.text == "\u{A0}")
  }
}
