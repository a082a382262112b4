/// A picture, and the size in cells at which it is drawn.
public struct CoverRequest: Hashable, Sendable {
  public var address: String
  public var size: Size
  public init(address: String, size: Size) {
    self.address = address
    self.size = size
  }
}

/// A picture as cells, row by row. A picture that is not square is smaller than the requested size.
public struct CoverImage: Equatable, Sendable {
  public let size: Size
  public let cells: [Cell]
  /// The picture in pixels, for terminals that show them.
  public let graphic: Graphic?
  public init?(size: Size, cells: [Cell], graphic: Graphic? = nil) {
    guard size.width > 0, size.height > 0, cells.count == size.width * size.height else { return nil }
    self.size = size
    self.cells = cells
    self.graphic = graphic
  }
  public subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }

  /// The area of the picture, centred in `room`. Nil if it is too large.
  public func rect(in room: Rect) -> Rect? {
    guard size.width <= room.width, size.height <= room.height else { return nil }
    return Rect(
      x: room.x + (room.width - size.width) / 2, y: room.y + (room.height - size.height) / 2, width: size.width,
      height: size.height)
  }
}

/// The answer to a `CoverRequest`.
public enum CoverAnswer: Equatable, Sendable {
  case image(CoverImage)
  /// The picture cannot be loaded.
  case missing
  /// The request was dropped from the queue because later ones came. It may be made again.
  case dropped
}
