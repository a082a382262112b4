/// A progress bar as data: the played part, the buffered part, and the starts of chapters.
public struct ProgressBar: Equatable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Also a cell that is partly played. Its glyph covers the left part, and its background shows what comes after it.
    case played
    case buffered
    case rest
  }

  public struct Piece: Hashable, Sendable {
    public var glyph: String
    public var kind: Kind
    /// A chapter or a bookmark begins here.
    public var isTick = false
    /// It is in a part that is skipped.
    public var isSkipped = false
  }

  /// The symbols of a bar.
  public struct Glyphs: Sendable {
    /// The steps of a cell that is partly played, up to a whole one.
    let played: [String]
    let buffered: String
    let rest: String
    let chapter: String
    let bookmark: String
    let skipped: String

    /// U+2588–258F, from one eighth to a full block. U+2571 is a diagonal.
    public static let blocks = Glyphs(
      played: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"], buffered: "░", rest: " ", chapter: "│", bookmark: "◆",
      skipped: "╱")
    public static let ascii = Glyphs(
      played: ["="], buffered: "-", rest: ".", chapter: "|", bookmark: "*", skipped: "/")
  }

  /// One piece for each column.
  public let pieces: [Piece]

  /// Fractions are from 0 to 1 of the whole. Others are clamped. `buffered` is the end of the buffered part. A tick at
  /// the very beginning is left out, because every episode has that chapter. A bookmark covers a chapter.
  public init(
    width: Int, fraction: Double, buffered: Double = 0, ticks: [Double] = [], bookmarks: [Double] = [],
    skipped: [ClosedRange<Double>] = [], glyphs: Glyphs = .blocks
  ) {
    let width = max(0, width)
    let steps = glyphs.played.count
    let played = Int(Self.clamped(fraction) * Double(width) * Double(steps))
    let loaded = Int((Self.clamped(buffered) * Double(width)).rounded())
    var marks = [String?](repeating: nil, count: width)
    for tick in ticks where width > 0 && tick > 0 && tick < 1 {
      marks[min(width - 1, Int(tick * Double(width)))] = glyphs.chapter
    }
    for tick in bookmarks where width > 0 && tick >= 0 && tick < 1 {
      marks[min(width - 1, Int(tick * Double(width)))] = glyphs.bookmark
    }
    var isSkipped = [Bool](repeating: false, count: width)
    for part in skipped where width > 0 && part.lowerBound < 1 && part.upperBound > 0 {
      let first = min(width - 1, Int(Self.clamped(part.lowerBound) * Double(width)))
      let last = max(first, min(width - 1, Int((Self.clamped(part.upperBound) * Double(width)).rounded(.up)) - 1))
      for column in first...last { isSkipped[column] = true }
    }
    pieces = (0..<width).map { column in
      let filled = min(steps, max(0, played - column * steps))
      let kind: Kind = filled > 0 ? .played : column < loaded ? .buffered : .rest
      let plain =
        switch kind {
        case .played: glyphs.played[filled - 1]
        case .buffered: glyphs.buffered
        case .rest: glyphs.rest
        }
      return Piece(
        glyph: marks[column] ?? (isSkipped[column] ? glyphs.skipped : plain), kind: kind,
        isTick: marks[column] != nil, isSkipped: isSkipped[column])
    }
  }

  /// The glyphs of all pieces.
  public var text: String { pieces.map(\.glyph).joined() }

  private static func clamped(_ fraction: Double) -> Double { fraction.isNaN ? 0 : min(1, max(0, fraction)) }
}
