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

  private enum Tick { case chapter, bookmark }

  public enum Glyphs: Sendable { case blocks, ascii }

  /// One piece for each column.
  public let pieces: [Piece]

  /// Fractions are from 0 to 1 of the whole. Others are clamped. `buffered` is the end of the buffered part. A tick at
  /// the very beginning is left out, because every episode has that chapter. A bookmark covers a chapter.
  public init(
    width: Int, fraction: Double, buffered: Double = 0, ticks: [Double] = [], bookmarks: [Double] = [],
    skipped: [ClosedRange<Double>] = [], glyphs: Glyphs = .blocks
  ) {
    let width = max(0, width)
    let played = Self.clamped(fraction) * Double(width)
    let eighths = glyphs == .blocks ? Int(played * 8) : Int(played) * 8
    let loaded = Int((Self.clamped(buffered) * Double(width)).rounded())
    var marks = [Tick?](repeating: nil, count: width)
    for tick in ticks where width > 0 && tick > 0 && tick < 1 {
      marks[min(width - 1, Int(tick * Double(width)))] = .chapter
    }
    for tick in bookmarks where width > 0 && tick >= 0 && tick < 1 {
      marks[min(width - 1, Int(tick * Double(width)))] = .bookmark
    }
    var isSkipped = [Bool](repeating: false, count: width)
    for part in skipped where width > 0 && part.lowerBound < 1 && part.upperBound > 0 {
      let first = min(width - 1, Int(Self.clamped(part.lowerBound) * Double(width)))
      let last = max(first, min(width - 1, Int((Self.clamped(part.upperBound) * Double(width)).rounded(.up)) - 1))
      for column in first...last { isSkipped[column] = true }
    }
    pieces = (0..<width).map { column in
      let filled = min(8, max(0, eighths - column * 8))
      let kind: Kind = filled > 0 ? .played : column < loaded ? .buffered : .rest
      let glyph =
        marks[column].map { Self.tick($0, glyphs) } ?? (isSkipped[column] ? Self.hatch(glyphs) : nil)
        ?? Self.glyph(kind, filled: filled, glyphs: glyphs)
      return Piece(glyph: glyph, kind: kind, isTick: marks[column] != nil, isSkipped: isSkipped[column])
    }
  }

  /// The glyphs of all pieces.
  public var text: String { pieces.map(\.glyph).joined() }

  /// U+2588–258F: from a full block down to one eighth.
  private static let blocks = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

  private static func glyph(_ kind: Kind, filled: Int, glyphs: Glyphs) -> String {
    switch (kind, glyphs) {
    case (.played, .blocks): blocks[filled]
    case (.buffered, .blocks): "░"
    case (.rest, .blocks): " "
    case (.played, .ascii): "="
    case (.buffered, .ascii): "-"
    case (.rest, .ascii): "."
    }
  }

  private static func tick(_ tick: Tick, _ glyphs: Glyphs) -> String {
    switch (tick, glyphs) {
    case (.chapter, .blocks): "│"
    case (.chapter, .ascii): "|"
    case (.bookmark, .blocks): "◆"
    case (.bookmark, .ascii): "*"
    }
  }

  /// U+2571: a diagonal.
  private static func hatch(_ glyphs: Glyphs) -> String { glyphs == .blocks ? "╱" : "/" }

  private static func clamped(_ fraction: Double) -> Double { fraction.isNaN ? 0 : min(1, max(0, fraction)) }
}
