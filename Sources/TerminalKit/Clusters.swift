/// The contents of one cell of the screen.
public struct Cluster: Hashable, Sendable {
  /// One spacing scalar with its combining marks.
  public var scalars: ClusterText
  /// The width in columns: 1 or 2.
  public var width: Int

  public init(_ scalars: ClusterText, width: Int) {
    self.scalars = scalars
    self.width = width
  }

  public var text: String { scalars.string }
}

/// Splits text into the units that terminals count. All text for a `Frame` passes here, and control characters are
/// removed.
///
/// A cluster is what one terminal cell can hold: one spacing scalar and at most four combining marks (the limit of
/// ncurses' `cchar_t`). Terminals disagree about longer graphemes of Unicode, so these are reduced to what all
/// terminals count alike:
///
/// - emoji joined by zero-width joiners (families, professions) become their first emoji, without skin tones
/// - flags become their two letters, such as "DE"
/// - variation selectors are removed: ❤ and ☎ keep the width of their code point, one column
/// - spacing marks and conjuncts of Indic scripts take one column for each spacing scalar, as in `wcwidth`
public enum Clusters {
  /// The clusters of `text` that fit into `columns`, and their width. A text that is cut ends with `ellipsis`, if that
  /// fits.
  public static func fit(
    _ text: some StringProtocol, columns: Int, ellipsis: String
  ) -> (clusters: [Cluster], width: Int) {
    guard columns > 0 else { return ([], 0) }
    let text = Substring(text)
    if let clusters = ASCIIClusters.all(of: text, limit: columns) { return (clusters, clusters.count) }
    if let clusters = ASCIIClusters.cut(text, columns: columns, ellipsis: ellipsis) { return (clusters, columns) }
    var clusters: [Cluster] = []
    var width = 0
    for cluster in ClusterSequence(text) {
      clusters.append(cluster)
      width += cluster.width
      if width > columns {
        let tail = split(ellipsis)
        let tailWidth = tail.reduce(0) { $0 + $1.width }
        let usesTail = tailWidth <= columns
        let room = usesTail ? columns - tailWidth : columns
        while width > room, let last = clusters.popLast() { width -= last.width }
        return usesTail ? (clusters + tail, width + tailWidth) : (clusters, width)
      }
    }
    return (clusters, width)
  }

  /// As much of `text` as fits into `columns`. A text that is cut ends with `ellipsis`, if that fits.
  public static func shortened(_ text: some StringProtocol, columns: Int, ellipsis: String = "…") -> String {
    fit(text, columns: columns, ellipsis: ellipsis).clusters.map(\.text).joined()
  }

  /// The width of `text` on one line, in columns.
  public static func width(_ text: some StringProtocol) -> Int {
    let text = Substring(text)
    return ASCIIClusters.count(of: text) ?? ClusterSequence(text).reduce(0) { $0 + $1.width }
  }

  /// All clusters of `text` on one line.
  public static func split(_ text: some StringProtocol) -> [Cluster] {
    let text = Substring(text)
    var clusters: [Cluster] = []
    clusters.reserveCapacity(text.utf8.count)
    ASCIIClusters.append(text, keepsNewlines: false, to: &clusters)
    return clusters
  }
}

/// A fast path for printable ASCII, which is most text.
enum ASCIIClusters {
  static func cluster(_ byte: UInt8) -> Cluster { Cluster(ClusterText(Unicode.Scalar(byte)), width: 1) }

  /// The clusters of a text with at most `limit` characters. Nil if it is longer or has other characters.
  static func all(of text: Substring, limit: Int) -> [Cluster]? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      guard bytes.count <= limit, bytes.allSatisfy(isPrintable) else { return nil }
      return bytes.map(cluster)
    } ?? nil
  }

  /// The clusters of a text that must be cut, if the visible part is ASCII, with the ellipsis.
  static func cut(_ text: Substring, columns: Int, ellipsis: String) -> [Cluster]? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> [Cluster]? in
      // One character more than is visible shows that the text is too long, and that no combining mark follows the last
      // letter.
      guard bytes.count > columns, bytes.prefix(columns + 1).allSatisfy(isPrintable) else { return nil }
      let tail = Clusters.split(ellipsis)
      let room = columns - tail.reduce(0) { $0 + $1.width }
      guard room >= 0 else { return nil }
      return bytes.prefix(room).map(cluster) + tail
    } ?? nil
  }

  static func count(of text: Substring) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintable) ? $0.count : nil } ?? nil
  }

  /// Appends the clusters of a text with any characters. Only the parts that are not plain ASCII are decoded.
  static func append(_ text: Substring, keepsNewlines: Bool, to clusters: inout [Cluster]) {
    let isRead: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      var at = 0
      while true {
        while at < bytes.count, isPlain(bytes, at, keepsNewlines) {
          clusters.append(bytes[at] == 0x0A ? Cluster("\n", width: 0) : cluster(bytes[at]))
          at += 1
        }
        guard at < bytes.count else { return }
        let end = endOfOther(bytes, at, keepsNewlines)
        let utf8 = text.utf8
        let range = utf8.index(text.startIndex, offsetBy: at)..<utf8.index(text.startIndex, offsetBy: end)
        clusters.append(contentsOf: ClusterSequence(text[range], keepsNewlines: keepsNewlines))
        at = end
      }
    }
    if isRead == nil { clusters.append(contentsOf: ClusterSequence(text, keepsNewlines: keepsNewlines)) }
  }

  /// Whether the byte is a whole cluster. A combining mark may follow if the next byte is not ASCII, and also after a
  /// control sequence.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, _ keepsNewlines: Bool) -> Bool {
    func isShown(_ byte: UInt8) -> Bool { isPrintable(byte) || keepsNewlines && byte == 0x0A }
    return isShown(bytes[at]) && (at + 1 == bytes.count || isShown(bytes[at + 1]))
  }

  /// The end of the part from `start` that is not plain ASCII. A control character may change how all that follows is
  /// read.
  private static func endOfOther(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ keepsNewlines: Bool) -> Int {
    // Its first character may be the ASCII letter before a combining mark.
    var end = start
    while end < bytes.count, end == start || !isPlain(bytes, end, keepsNewlines) {
      // U+0080 to U+009F, the C1 controls.
      let isC1 = bytes[end] == 0xC2 && end + 1 < bytes.count && bytes[end + 1] < 0xA0
      if bytes[end] < 0x20 || bytes[end] == 0x7F || isC1 { return bytes.count }
      end += 1
    }
    return end
  }

  private static func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }
}

/// Reads clusters one by one, so that a long text only costs as much as its visible part.
struct ClusterSequence: Sequence, IteratorProtocol {
  private var scalars: CleanScalars
  private var waiting: Unicode.Scalar?

  /// - Parameter keepsNewlines: a line end is a cluster "\n" of width 0.
  init(_ text: Substring, keepsNewlines: Bool = false) {
    scalars = CleanScalars(text, keepsNewlines: keepsNewlines)
    waiting = scalars.next()
  }

  mutating func next() -> Cluster? {
    while let base = waiting {
      waiting = scalars.next()
      if base == "\n" { return Cluster("\n", width: 0) }
      if base.value < 0x7F, (waiting?.value ?? 0) < 0x300 { return ASCIIClusters.cluster(UInt8(base.value)) }
      if let letter = Self.regionalLetter(base) { return letter }
      let width = WidthTable.width(base)
      // A mark without a base.
      if width == 0 || base.value == 0x200D || Self.isSelector(base) { continue }
      var text = ClusterText(base)
      // Usually another letter follows. No combining mark is below U+0300.
      if let next = waiting, next.value < 0x300 { return Cluster(text, width: width) }
      while let follower = waiting {
        if Self.isSelector(follower) || (Self.isSkinTone(follower) && Self.isPictograph(base)) {
          waiting = scalars.next()
        } else if follower.value == 0x200D {
          waiting = scalars.next()
          if let joined = waiting, Self.isPictograph(joined) { waiting = scalars.next() }
        } else if WidthTable.width(follower) == 0, follower != "\n" {
          waiting = scalars.next()
          text.append(follower)
        } else {
          break
        }
      }
      return Cluster(text, width: width)
    }
    return nil
  }

  private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xFF && scalar.properties.isEmoji
  }

  private static func isSkinTone(_ scalar: Unicode.Scalar) -> Bool { (0x1F3FB...0x1F3FF).contains(scalar.value) }

  private static func isSelector(_ scalar: Unicode.Scalar) -> Bool { (0xFE00...0xFE0F).contains(scalar.value) }

  /// The letter of a regional indicator, which is one half of a flag.
  private static func regionalLetter(_ scalar: Unicode.Scalar) -> Cluster? {
    guard (0x1F1E6...0x1F1FF).contains(scalar.value) else { return nil }
    return ASCIIClusters.cluster(UInt8(scalar.value - 0x1F1E6 + 0x41))
  }
}

extension String {
  /// Appends spaces until the text has this many columns. A wider text is not cut.
  public func rightPadded(_ columns: Int) -> String { self + blanks(columns) }

  /// Inserts spaces before the text until it has this many columns. A wider text is not cut.
  public func leftPadded(_ columns: Int) -> String { blanks(columns) + self }

  private func blanks(_ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - Clusters.width(self)))
  }
}
