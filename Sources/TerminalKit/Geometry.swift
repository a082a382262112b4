/// A size in columns and rows.
public struct Size: Hashable, Sendable {
  public var width: Int
  public var height: Int
  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  /// The largest screen that is drawn. It is more than an 8K display has with cells of 8 by 9 pixels. A terminal may
  /// claim 65,535 by 65,535, which would be a frame of 200 GB.
  public static let maxScreen = Size(1000, 500)

  /// The part that is drawn. Negative sizes become 0.
  public var withinScreen: Size {
    Size(min(max(0, width), Self.maxScreen.width), min(max(0, height), Self.maxScreen.height))
  }
}

/// The position of a cell from the top left corner, starting with 0.
public struct Point: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public init(_ x: Int, _ y: Int) {
    self.x = x
    self.y = y
  }
}

/// A rectangle of cells. Its size is never negative.
public struct Rect: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  public init(_ size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  public var size: Size { Size(width, height) }
  public var maxX: Int { x + width }
  public var maxY: Int { y + height }
  public var isEmpty: Bool { width == 0 || height == 0 }

  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// The rectangle without some cells at its edges.
  public func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Rect {
    Rect(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
  }

  /// One row of the rectangle, counted from its top.
  public func row(_ row: Int) -> Rect { Rect(x: x, y: y + row, width: width, height: row < height ? 1 : 0) }

  /// Splits the rectangle after the first `rows`.
  public func splitTop(_ rows: Int) -> (top: Rect, rest: Rect) {
    let cut = min(max(0, rows), height)
    return (Rect(x: x, y: y, width: width, height: cut), inset(top: cut))
  }

  /// Splits the rectangle after the first `columns`.
  public func splitLeft(_ columns: Int) -> (left: Rect, rest: Rect) {
    let cut = min(max(0, columns), width)
    return (Rect(x: x, y: y, width: cut, height: height), inset(left: cut))
  }

  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }
}
