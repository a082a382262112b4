/// Pictures over the cells of a frame.
extension Frame {
  /// A graphic, and the cell of its upper left corner.
  public struct Picture: Hashable, Sendable {
    public var graphic: Graphic
    public var at: Point
    /// The cells that it covers.
    public var rect: Rect {
      Rect(x: at.x, y: at.y, width: graphic.size.width, height: graphic.size.height)
    }
  }

  /// A placed picture, and the cells that replace it if something else is drawn over it.
  struct PlacedPicture: Equatable, Sendable {
    var picture: Picture
    var replacement: [Cell]
    /// The cell that fills the space of the picture. It is not an ordinary blank, because ncurses clears blanks at the
    /// end of a row, and the picture with them.
    var background: Cell
  }

  /// Reserves the space of a picture, which must be within the frame. `resolvePictures` decides later whether it is
  /// shown.
  /// - Parameter replacement: the replacement cells, row by row.
  public mutating func place(_ graphic: Graphic, at point: Point, replacement: [Cell], style: Style) {
    let picture = Picture(graphic: graphic, at: point)
    let rect = picture.rect
    guard !rect.isEmpty, rect.intersection(bounds) == rect, replacement.count == rect.width * rect.height else {
      return
    }
    let background = Cell("\u{A0}", style: style)
    fill(rect, with: background.text, style: style)
    placed.append(PlacedPicture(picture: picture, replacement: replacement, background: background))
  }

  /// Decides which pictures are shown. Called after everything was drawn. If something was drawn over a picture, the
  /// rest of its space gets the replacement cells.
  public mutating func resolvePictures() {
    for placed in placed {
      let rect = placed.picture.rect
      let isWhole = (rect.y..<rect.maxY).allSatisfy { y in
        (rect.x..<rect.maxX).allSatisfy { self[$0, y] == placed.background }
      }
      if isWhole {
        pictures.append(placed.picture)
      } else {
        show(placed.replacement, over: placed.background, in: rect)
      }
    }
    placed = []
  }

  private mutating func show(_ cells: [Cell], over background: Cell, in rect: Rect) {
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX where self[x, y] == background {
        set(cells[(y - rect.y) * rect.width + x - rect.x], x: x, y: y)
      }
    }
  }
}
