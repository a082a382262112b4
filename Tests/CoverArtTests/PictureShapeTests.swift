import TerminalKit
import Testing

@testable import CoverArt

/// Pictures that are not square.
@Suite struct PictureShapeTests {
  @Test(arguments: [
    // A cell is half as wide as it is high.
    (1000, 1000, Size(24, 12)), (2000, 1000, Size(24, 6)), (1000, 2000, Size(12, 12)), (3000, 1, Size(24, 1)),
    (1, 3000, Size(1, 12)), (1280, 720, Size(24, 7)),
  ]) func pictureKeepsItsProportions(width: Int, height: Int, expected: Size) {
    let picture = Picture(rgba: [], width: width, height: height)
    #expect(picture.fitted(in: Size(24, 12)) == expected)
  }
}
