import TerminalKit
import Testing

@testable import CoverArt

/// The areas of cells that pictures are drawn in.
@Suite struct PictureShapeTests {
  @Test(arguments: [
    // A cell is half as wide as it is high.
    (1000, 1000, Size(24, 12)), (2000, 1000, Size(24, 6)), (1000, 2000, Size(12, 12)), (3000, 1, Size(24, 1)),
    (1, 3000, Size(1, 12)), (1280, 720, Size(24, 7)),
  ]) func pictureKeepsItsProportions(width: Int, height: Int, expected: Size) {
    let picture = Picture(rgba: [], width: width, height: height)
    #expect(picture.fitted(in: Size(24, 12), cell: Size(10, 20)) == expected)
  }

  /// The cells of real fonts are seldom exactly half as wide as high. The picture gets margins of less than a cell.
  @Test(arguments: [Size(9, 20), Size(6, 15), Size(8, 17), Size(10, 20), Size(7, 13), Size(12, 12), Size(30, 61)])
  func squareIsSquareWithEveryCell(cell: Size) {
    for (width, height) in [(1000, 1000), (1280, 720), (720, 1280)] {
      let picture = Picture(
        rgba: [UInt8](repeating: 255, count: Picture.side * Picture.side * 4), width: width, height: height)
      for room in [Size(24, 12), Size(30, 15), Size(60, 30), Size(9, 40)] {
        let area = picture.fitted(in: room, cell: cell)
        #expect(area.width <= room.width && area.height <= room.height)
        let (rgba, padded) = picture.padded(to: Size(area.width * cell.width, area.height * cell.height))
        #expect(rgba.count == padded.width * padded.height * 4)
        #expect(rgba.count { $0 == 255 } == Picture.side * Picture.side * 4)
        // The size in pixels of the screen.
        let across = Double(area.width * cell.width * Picture.side) / Double(padded.width)
        let down = Double(area.height * cell.height * Picture.side) / Double(padded.height)
        #expect(abs(across / down / (Double(width) / Double(height)) - 1) < 0.01, "\(cell) \(room)")
        // It is as large as the room allows.
        #expect(
          across + Double(cell.width) > Double(room.width * cell.width)
            || down + Double(cell.height) > Double(room.height * cell.height))
      }
    }
  }
}
