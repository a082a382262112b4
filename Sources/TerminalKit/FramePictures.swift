/// Pictures of pixels that lie over a frame's cells.
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

  /// A picture that was placed, and the cells that are shown in its stead when something else is drawn over it.
  struct PlacedPicture: Equatable, Sendable {
    var picture: Picture
    var standIn: [Cell]
    /// What its room was filled with. A blank that ncurses does not take for one: where it ends a row, the row would be
    /// cleared to its end and the picture with it.
    var ground: Cell
  }

  /// Reserves the room of a picture, which must lie within the frame. `standIn` has a cell for each that it covers, row by
  /// row. Whether it is shown is known only when all is drawn: `resolvePictures`.
  public mutating func place(_ graphic: Graphic, at point: Point, standIn: [Cell], style: Style) {
    let picture = Picture(graphic: graphic, at: point)
    let rect = picture.rect
    guard !rect.isEmpty, rect.intersection(bounds) == rect, standIn.count == rect.width * rect.height else { return }
    let ground = Cell("\u{A0}", style: style)
    fill(rect, with: ground.text, style: style)
    placed.append(PlacedPicture(picture: picture, standIn: standIn, ground: ground))
  }

  /// After all was drawn: a picture that something was drawn over would hide it, or be cut in pieces, so that what is left
  /// of its room gets the cells that stand in for it.
  public mutating func resolvePictures() {
    for placed in placed {
      let rect = placed.picture.rect
      let isWhole = (rect.y..<rect.maxY).allSatisfy { y in
        (rect.x..<rect.maxX).allSatisfy { self[$0, y] == placed.ground }
      }
      if isWhole {
        pictures.append(placed.picture)
      } else {
        show(placed.standIn, over: placed.ground, in: rect)
      }
    }
    placed = []
  }

  private mutating func show(_ cells: [Cell], over ground: Cell, in rect: Rect) {
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX where self[x, y] == ground {
        set(cells[(y - rect.y) * rect.width + x - rect.x], x: x, y: y)
      }
    }
  }
}
