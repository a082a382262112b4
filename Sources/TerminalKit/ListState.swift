/// The selection and the scroll position of a list. It does not know the rows themselves.
public struct ListState: Equatable, Sendable {
  /// How many rows stay visible above and below the selection, if the list has them.
  public static let scrollOff = 2

  /// Always a valid row, or 0 in an empty list.
  public private(set) var selected = 0
  /// The first visible row, as of the last `fit`.
  public private(set) var top = 0
  public private(set) var count: Int

  public init(count: Int = 0) { self.count = max(0, count) }

  /// The selected row; nil in an empty list.
  public var selection: Int? { count == 0 ? nil : selected }

  /// The rows after and before the selected one, as far as they are among `rows`.
  public func neighbours(in rows: Range<Int>) -> [Int] { [selected + 1, selected - 1].filter(rows.contains) }

  public mutating func moveTo(_ row: Int) { selected = min(max(0, row), max(0, count - 1)) }

  public mutating func move(by rows: Int) {
    let (row, overflow) = selected.addingReportingOverflow(rows)
    moveTo(overflow ? (rows < 0 ? 0 : count) : row)
  }

  /// Sets the number of rows and the visible height, and scrolls so that the selection is visible.
  public mutating func fit(count: Int, height: Int) {
    self.count = max(0, count)
    moveTo(selected)
    let height = max(1, height)
    let margin = min(Self.scrollOff, (height - 1) / 2)
    top = min(top, selected - margin)
    top = max(top, selected + margin - height + 1)
    top = max(0, min(top, self.count - height))
  }

  /// The rows that are visible in `height` rows.
  public func visibleRange(height: Int) -> Range<Int> {
    let start = min(top, count)
    return start..<min(count, start + max(0, height))
  }
}
