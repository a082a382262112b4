import TerminalKit

/// A decoded picture. Its pixels are scaled to a square; `fitted` gives the shape to draw it in.
public struct Picture: Sendable, Equatable {
  /// Pixels per edge.
  public static let side = 320
  /// The longest edge with margins, in edges of the picture.
  private static let maxPadding = 20.0
  /// Row by row, four bytes per pixel.
  public let rgba: [UInt8]
  /// The original size in pixels.
  public let width: Int
  public let height: Int

  /// The smallest area of cells that contains the picture as large as `room` allows.
  /// - Parameter cell: the size of a cell in pixels.
  public func fitted(in room: Size, cell: Size) -> Size {
    guard width > 0, height > 0, room.width > 0, room.height > 0 else { return room }
    let (across, down) = (Double(width) / Double(cell.width), Double(height) / Double(cell.height))
    let scale = min(Double(room.width) / across, Double(room.height) / down)
    func cells(_ length: Double, limit: Int) -> Int { max(1, min(limit, Int((length * scale - 0.01).rounded(.up)))) }
    return Size(cells(across, limit: room.width), cells(down, limit: room.height))
  }

  /// The pixels with transparent margins, so that the picture keeps its proportions when they are scaled to an area of
  /// `pixels`.
  func padded(to pixels: Size) -> (rgba: [UInt8], size: Size) {
    let whole = (rgba, Size(Self.side, Self.side))
    guard width > 0, height > 0 else { return whole }
    let across = Double(pixels.width) / Double(width)
    let down = Double(pixels.height) / Double(height)
    let scale = min(across, down)
    // The margins of a picture that is a thin line are limited.
    func edge(_ factor: Double) -> Int { Int((Double(Self.side) * min(factor, Self.maxPadding)).rounded()) }
    let size = Size(edge(across / scale), edge(down / scale))
    guard size != whole.1 else { return whole }
    var padded = [UInt8](repeating: 0, count: size.width * size.height * 4)
    let (left, top) = ((size.width - Self.side) / 2, (size.height - Self.side) / 2)
    for row in 0..<Self.side {
      let start = ((top + row) * size.width + left) * 4
      padded.replaceSubrange(start..<start + Self.side * 4, with: rgba[row * Self.side * 4..<(row + 1) * Self.side * 4])
    }
    return (padded, size)
  }
}
