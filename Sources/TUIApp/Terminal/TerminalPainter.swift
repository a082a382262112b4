import CNcurses
import Foundation
import TerminalKit

/// Writes frames to ncurses' screen: the changed part of each row, with styles as attributes and colour pairs.
struct TerminalPainter {
  let depth: ColorDepth
  /// The frame on the screen; nil if the contents of the screen are unknown.
  private var shown: Frame?
  private var cached: [Style: CachedStyle] = [:]
  /// The style that was found last. A row has few styles, so this saves most searches.
  private var latest: (style: Style, look: CachedStyle)?
  /// The characters of one cell. Kept to avoid allocations.
  private var scratch: [wchar_t] = []
  private var isCursorShown: Bool?
  private let hasDefaultColors: Bool
  /// The background of the selection. Cells with it are also reversed, so that the selection is visible in a terminal
  /// that ignores the colours, although its type or COLORTERM promises them.
  var selection = Color.standard {
    didSet { if selection != oldValue { dropStyles() } }
  }
  /// The rows that the last `stage` wrote, with the range of changed columns.
  private(set) var changed: [Int: Range<Int>] = [:]
  /// Whether the last `stage` began with a cleared screen.
  private(set) var isCleared = false

  private struct CachedStyle {
    var attributes: UInt32
    var pair: Int32
    /// A blank in this style.
    var blank = cchar_t()
  }

  /// Needs an open screen.
  init(environment: [String: String]) {
    // `start_color` alone would make ncurses paint everything white on black, so the terminal description is asked
    // first.
    let wanted = ColorDepth.detect(terminalColors: Int(tigetnum("colors")), environment: environment)
    depth = wanted > .monochrome && start_color() == OK ? wanted : .monochrome
    hasDefaultColors = depth > .monochrome && use_default_colors() == OK
  }

  /// Forgets the contents of the screen, so that the next frame is written in full.
  mutating func invalidate() {
    shown = nil
    isCursorShown = nil
    cn_redraw_all()
  }

  /// Stages the differences to the previous frame.
  /// - Returns: false if there are none.
  mutating func stage(_ frame: Frame) -> Bool {
    if cached.count >= pairLimit { dropStyles() }
    let previous = shown?.size == frame.size ? shown : nil
    isCleared = previous == nil
    if isCleared { cn_erase() }
    var isChanged = previous == nil || isCursorShown == nil || previous?.cursor != frame.cursor
    changed = [:]
    for y in 0..<frame.size.height { changed[y] = stageRow(y, of: frame, over: previous) }
    isChanged = isChanged || !changed.isEmpty || previous?.links != frame.links
    guard isChanged else { return false }
    stageCursor(frame.cursor)
    shown = frame
    return true
  }

  /// The columns that were written; nil if the row has not changed.
  private mutating func stageRow(_ y: Int, of frame: Frame, over previous: Frame?) -> Range<Int>? {
    guard let columns = previous.map({ frame.changedColumns(of: y, since: $0) }) ?? 0..<frame.size.width else {
      return nil
    }
    var cells: [cchar_t] = []
    cells.reserveCapacity(columns.count)
    for cell in frame.clusters(of: y, in: columns) { append(cell, to: &cells) }
    cn_write(Int32(y), Int32(columns.lowerBound), cells, Int32(cells.count))
    return columns
  }

  /// Adds a cell. If the C library measures another width than `Clusters` (a character newer than its tables, or
  /// unassigned), ncurses would shift the rest of the row. Such a cell is written as U+FFFD in as many columns.
  private mutating func append(_ cell: Cell, to cells: inout [cchar_t]) {
    let look = look(cell.style)
    let scalars = cell.scalars
    let isASCII = scalars.count == 1 && (0x20..<0x7F).contains(scalars[0].value)
    guard isASCII || Self.isWrittenAsIs(cell) else {
      cells.append(cn_with_character(look.blank, 0xFFFD))
      if cell.width == 2 { cells.append(look.blank) }
      return
    }
    guard scalars.count > 1 else { return cells.append(cn_with_character(look.blank, wchar_t(scalars[0].value))) }
    scratch.removeAll(keepingCapacity: true)
    for index in 0..<scalars.count { scratch.append(wchar_t(scalars[index].value)) }
    scratch.append(0)
    var made = cchar_t()
    cn_set_cell(&made, scratch, look.attributes, look.pair)
    cells.append(made)
  }

  /// Whether the cell is written as it is, and not as U+FFFD: the C library measures the same width. The right half of
  /// a wide character counts as written.
  static func isWrittenAsIs(_ cell: Cell) -> Bool {
    let scalars = cell.scalars
    guard cell.width > 0 else { return true }
    guard wcwidth(wchar_t(scalars[0].value)) == Int32(cell.width) else { return false }
    return (1..<max(1, scalars.count)).allSatisfy { wcwidth(wchar_t(scalars[$0].value)) == 0 }
  }

  private mutating func stageCursor(_ cursor: Point?) {
    let isShown = cursor != nil
    if isShown != isCursorShown {
      curs_set(isShown ? 1 : 0)
      isCursorShown = isShown
    }
    if let cursor { cn_move(Int32(clamping: cursor.y), Int32(clamping: cursor.x)) }
  }
}

extension TerminalPainter {
  private static let attributes: [(Style.Attributes, UInt32)] = [
    (.bold, CN_BOLD), (.dim, CN_DIM), (.italic, CN_ITALIC), (.underline, CN_UNDERLINE), (.reverse, CN_REVERSE),
  ]

  /// The maximum number of styles that are kept: more than a screen has at once, including two covers, but not so many
  /// that ncurses would reuse a colour pair that is on the screen.
  private var pairLimit: Int { depth == .monochrome ? 1000 : max(8, min(16_000, Int(cn_color_pairs()) - 1)) }

  private mutating func dropStyles() {
    cached = [:]
    latest = nil
    if depth > .monochrome { reset_color_pairs() }
    invalidate()
  }

  /// The attributes and the colour pair of a style.
  private mutating func look(_ style: Style) -> CachedStyle {
    if let latest, latest.style == style { return latest.look }
    if let known = cached[style] {
      latest = (style, known)
      return known
    }
    var colors = ColorMap.pair(of: style, depth: depth)
    if isReversed(style) {
      // Twice reversed: the theme's colours.
      (colors.foreground, colors.background) = (colors.background, colors.foreground)
      colors.attributes.insert(.reverse)
    }
    var look = CachedStyle(attributes: 0, pair: 0)
    for (attribute, bit) in Self.attributes where colors.attributes.contains(attribute) { look.attributes |= bit }
    if depth > .monochrome, colors.foreground != ColorMap.standard || colors.background != ColorMap.standard {
      look.pair = max(0, alloc_pair(number(colors.foreground, or: 7), number(colors.background, or: 0)))
    }
    cn_set_cell(&look.blank, [0x20, 0], look.attributes, look.pair)
    cached[style] = look
    latest = (style, look)
    return look
  }

  /// With fewer colours, themes are changed instead (`Theme.fitted`). The default colours cannot be exchanged, and
  /// terminals dim what was the background.
  private func isReversed(_ style: Style) -> Bool {
    depth >= .palette256 && style.background == selection && selection != .standard && style.foreground != .standard
      && style.attributes.isDisjoint(with: [.reverse, .dim])
  }

  /// A terminal without default colours gets white on black.
  private func number(_ index: Int, or fallback: Int32) -> Int32 {
    index == ColorMap.standard && !hasDefaultColors ? fallback : Int32(clamping: index)
  }
}
