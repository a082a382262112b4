/// What is written in one place of the screen.
public struct Cluster: Hashable, Sendable {
  /// One spacing scalar and the marks that stand on it.
  public var text: String
  /// Columns: 1 or 2.
  public var width: Int

  public init(text: String, width: Int) {
    self.text = text
    self.width = width
  }
}

/// Text as terminals count it. All text passes through here on its way to a `Frame`, cleaned of control characters.
///
/// A cluster is what one terminal cell holds: one scalar with a width of its own and at most four marks upon it (the
/// most that ncurses' `cchar_t` takes). Terminals disagree about everything longer that Unicode calls one grapheme, so
/// that it is reduced to what all of them count alike:
///
/// - emoji joined by zero-width joiners (families, professions) become their first emoji; skin tones go
/// - flags become their two letters, as in "DE"
/// - variation selectors go: ❤ and ☎ keep the one column that their code point has
/// - spacing marks and conjuncts of Indic scripts take a column for each spacing scalar, as `wcwidth` has it
public enum Clusters {
  /// The clusters of `text` that fit into `columns`, and their width. Text that does not fit ends in `ellipsis`; when
  /// not even that fits it is cut.
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

  /// Columns that `text` takes on one line.
  public static func width(_ text: some StringProtocol) -> Int {
    let text = Substring(text)
    return ASCIIClusters.count(of: text) ?? ClusterSequence(text).reduce(0) { $0 + $1.width }
  }

  /// All clusters of `text`, as one line.
  public static func split(_ text: some StringProtocol) -> [Cluster] {
    let text = Substring(text)
    return ASCIIClusters.all(of: text, limit: .max) ?? Array(ClusterSequence(text))
  }
}

/// The short way for text of printable ASCII, which is most of it.
enum ASCIIClusters {
  static let table: [Cluster] = (0x20..<0x7F).map { Cluster(text: String(Unicode.Scalar(UInt8($0))), width: 1) }

  /// The clusters of a text of at most `limit` characters; nil when there is more, or anything else in it.
  static func all(of text: Substring, limit: Int) -> [Cluster]? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      guard bytes.count <= limit, bytes.allSatisfy(isPrintable) else { return nil }
      return bytes.map { table[Int($0) - 0x20] }
    } ?? nil
  }

  /// The clusters of a text that is too long, when its beginning is ASCII as far as it is shown, with the ellipsis.
  static func cut(_ text: Substring, columns: Int, ellipsis: String) -> [Cluster]? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> [Cluster]? in
      // One more than is shown: it proves that the text is too long, and that no mark stands on the last letter.
      guard bytes.count > columns, bytes.prefix(columns + 1).allSatisfy(isPrintable) else { return nil }
      let tail = Clusters.split(ellipsis)
      let room = columns - tail.reduce(0) { $0 + $1.width }
      guard room >= 0 else { return nil }
      return bytes.prefix(room).map { table[Int($0) - 0x20] } + tail
    } ?? nil
  }

  static func count(of text: Substring) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintable) ? $0.count : nil } ?? nil
  }

  private static func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }
}

/// Reads clusters off a text one by one, so that a long text costs only what is shown of it.
struct ClusterSequence: Sequence, IteratorProtocol {
  /// Marks that a cluster keeps: ncurses' CCHARW_MAX is 5, the base included.
  private static let markLimit = 4

  private var scalars: CleanScalars
  private var waiting: Unicode.Scalar?

  /// With `keepsNewlines` a line end comes as a cluster "\n" of no width.
  init(_ text: Substring, keepsNewlines: Bool = false) {
    scalars = CleanScalars(text, keepsNewlines: keepsNewlines)
    waiting = scalars.next()
  }

  mutating func next() -> Cluster? {
    while let base = waiting {
      waiting = scalars.next()
      if base == "\n" { return Cluster(text: "\n", width: 0) }
      if base.value < 0x7F, (waiting?.value ?? 0) < 0x300 { return ASCIIClusters.table[Int(base.value) - 0x20] }
      if let letter = Self.regionalLetter(base) { return letter }
      let width = WidthTable.width(base)
      // A mark with nothing to stand on.
      if width == 0 || base.value == 0x200D || Self.isSelector(base) { continue }
      var text = String(base)
      // Most letters are followed by another that no mark begins with.
      if let next = waiting, next.value < 0x300 { return Cluster(text: text, width: width) }
      let isPictograph = Self.isPictograph(base)
      var marks = 0
      while let follower = waiting {
        if Self.isSelector(follower) || (isPictograph && Self.isSkinTone(follower)) {
          waiting = scalars.next()
        } else if follower.value == 0x200D {
          waiting = scalars.next()
          if let joined = waiting, Self.isPictograph(joined) { waiting = scalars.next() }
        } else if WidthTable.width(follower) == 0, follower != "\n" {
          waiting = scalars.next()
          if marks < Self.markLimit { text.unicodeScalars.append(follower) }
          marks += 1
        } else {
          break
        }
      }
      return Cluster(text: text, width: width)
    }
    return nil
  }

  private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xFF && scalar.properties.isEmoji
  }

  private static func isSkinTone(_ scalar: Unicode.Scalar) -> Bool { (0x1F3FB...0x1F3FF).contains(scalar.value) }

  private static func isSelector(_ scalar: Unicode.Scalar) -> Bool { (0xFE00...0xFE0F).contains(scalar.value) }

  /// The letter that a regional indicator, one half of a flag, stands for.
  private static func regionalLetter(_ scalar: Unicode.Scalar) -> Cluster? {
    guard (0x1F1E6...0x1F1FF).contains(scalar.value) else { return nil }
    return ASCIIClusters.table[Int(scalar.value - 0x1F1E6) + 0x41 - 0x20]
  }
}
