/// One cell of the screen: a cluster, or the right half of a wide one.
public struct Cell: Hashable, Sendable {
  /// Empty in the right half of a wide cluster.
  public var scalars: ClusterText
  public var style: Style
  /// 1 or 2 columns; 0 in the right half of a wide cluster.
  public var width: UInt8

  public init(_ scalars: ClusterText, width: UInt8 = 1, style: Style = .plain) {
    self.scalars = scalars
    self.width = width
    self.style = style
  }

  public init(_ text: String, width: UInt8 = 1, style: Style = .plain) {
    self.init(ClusterText(text), width: width, style: style)
  }

  public var text: String { scalars.string }
}

/// The contents of a whole screen. Every row is as wide as the screen. Text outside is clipped, and a wide cluster that
/// would be cut in half becomes a blank.
public struct Frame: Equatable, Sendable {
  public let size: Size
  /// All cells, row by row.
  public private(set) var cells: [Cell]
  /// The end of a text that is cut.
  public var ellipsis = "…"
  /// The position of the cursor; nil hides it.
  public var cursor: Point?
  /// Links, for terminals that support hyperlinks.
  public private(set) var links: [Link] = []
  /// Pictures over the cells, for terminals with graphics. `resolvePictures` sets them.
  public internal(set) var pictures: [Picture] = []
  var placed: [PlacedPicture] = []

  /// Cells of one row that link to an address.
  public struct Link: Hashable, Sendable {
    public var row: Int
    public var columns: Range<Int>
    public var address: String
  }

  public init(_ size: Size, style: Style = .plain) {
    self.size = size.withinScreen
    cells = Array(repeating: Cell(" ", style: style), count: self.size.width * self.size.height)
  }

  public var bounds: Rect { Rect(size) }

  public subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }

  public func row(_ y: Int) -> ArraySlice<Cell> { cells[y * size.width..<(y + 1) * size.width] }

  /// Draws `text` at (`x`, `y`) in at most `width` columns. A text that is cut ends with `ellipsis` ("" for none; nil
  /// for that of the frame).
  /// Control characters are removed.
  /// - Returns: the columns that were used.
  @discardableResult
  public mutating func put(
    _ text: some StringProtocol, x: Int, y: Int, width: Int = .max, style: Style, ellipsis: String? = nil
  ) -> Int {
    let room = min(width, size.width - x)
    guard room > 0, y >= 0, y < size.height else { return 0 }
    let fitted = Clusters.fit(text, columns: room, ellipsis: ellipsis ?? self.ellipsis)
    var column = x
    let shown = fitted.clusters.drop { cluster in
      guard column < 0 else { return false }
      column += cluster.width
      return true
    }
    blankCutHalves(y, column..<max(column, x + fitted.width))
    for cluster in shown {
      write(Cell(cluster.scalars, width: UInt8(cluster.width), style: style), at: y * size.width + column)
      column += cluster.width
    }
    return fitted.width
  }

  /// Makes the cells from (`x`, `y`) on a link to `address`.
  public mutating func link(_ address: String, x: Int, y: Int, width: Int) {
    let columns = max(0, x)..<max(0, x, min(size.width, x + width))
    guard !columns.isEmpty, y >= 0, y < size.height else { return }
    links.append(Link(row: y, columns: columns, address: address))
  }

  /// Removes all links, because something else covers them.
  public mutating func dropLinks() { links = [] }

  /// Fills a rectangle with a text of one column.
  public mutating func fill(_ rect: Rect, with text: String = " ", style: Style) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    let cell = Cell(text, style: style)
    for y in area.y..<area.maxY {
      blankCutHalves(y, area.x..<area.maxX)
      cells.withUnsafeMutableBufferPointer {
        $0[y * size.width + area.x..<y * size.width + area.maxX].update(repeating: cell)
      }
    }
  }

  /// Changes the style of cells that were drawn before.
  public mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let index = y * size.width + x
        cells[index].style = change(cells[index].style)
      }
    }
  }

  /// Sets a cell. The other half of a wide cluster that it cuts becomes a blank.
  public mutating func set(_ cell: Cell, x: Int, y: Int) {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
    let isCut = cell.width == 2 && x + 1 >= size.width
    let shown = isCut ? Cell(" ", style: cell.style) : cell
    blankCutHalves(y, x..<x + max(1, Int(shown.width)))
    write(shown, at: y * size.width + x)
  }

  /// Sets a cell that is known to fit.
  private mutating func write(_ cell: Cell, at index: Int) {
    cells[index] = cell
    if cell.width == 2 { cells[index + 1] = Cell("", width: 0, style: cell.style) }
  }

  /// The text of each row without blanks at the end, for golden screens.
  public var lines: [String] {
    (0..<size.height).map { y in
      var line = row(y).map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Called before these columns are overwritten. A wide cluster that is half inside them loses its other half, which
  /// becomes a blank.
  private mutating func blankCutHalves(_ y: Int, _ columns: Range<Int>) {
    guard !columns.isEmpty else { return }
    let (first, last) = (y * size.width + columns.lowerBound, y * size.width + columns.upperBound - 1)
    if cells[first].width == 0, columns.lowerBound > 0 { cells[first - 1] = Cell(" ", style: cells[first - 1].style) }
    if cells[last].width == 2, columns.upperBound < size.width {
      cells[last + 1] = Cell(" ", style: cells[last + 1].style)
    }
  }
}
