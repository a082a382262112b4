import Seeded
import Testing

@testable import TerminalKit

@Suite struct FrameTests {
  /// Whether every row is consistent: each wide cell is followed by its empty half, and no half is alone.
  private func isExact(_ frame: Frame) -> Bool {
    (0..<frame.size.height).allSatisfy { y in
      let row = Array(frame.row(y))
      var x = 0
      while x < row.count {
        switch row[x].width {
        case 1 where !row[x].text.isEmpty: x += 1
        case 2 where x + 1 < row.count && row[x + 1].width == 0 && row[x + 1].text.isEmpty: x += 2
        default: return false
        }
      }
      return x == frame.size.width
    }
  }

  @Test func frameRowsKeepTheirWidthAfterAnyText() {
    var random = SplitMix64(seed: 3)
    for size in [Size(1, 1), Size(2, 3), Size(7, 2), Size(40, 12)] {
      var frame = Frame(size)
      for text in HostileText(seed: UInt64(size.width), count: 400) {
        let x = Int.random(in: -3..<size.width + 3, using: &random)
        let y = Int.random(in: -1...size.height, using: &random)
        let width = Int.random(in: -1...size.width + 2, using: &random)
        let used = frame.put(
          text, x: x, y: y, width: width, style: .plain, ellipsis: width.isMultiple(of: 2) ? "…" : "")
        #expect(used <= max(0, width))
        #expect(isExact(frame), "after \(text.debugDescription) at \(x), \(y) in \(width)")
      }
    }
  }

  @Test func cutHalvesOfWideClustersBecomeBlank() {
    var frame = Frame(Size(6, 1))
    frame.put("流動資", x: 0, y: 0, style: .plain)
    frame.put("x", x: 1, y: 0, style: .plain)
    #expect(frame.lines == [" x動資"])
    frame.put("流", x: 3, y: 0, style: .plain)
    #expect(frame.lines == [" x 流"])
    frame.put("流", x: 5, y: 0, style: .plain)
    #expect(frame.lines == [" x 流…"])
  }

  @Test func negativeSizesAreEmpty() { #expect(Frame(Size(-1, 5)).cells.isEmpty) }

  /// A terminal may report any size.
  @Test(arguments: [Size(65_535, 65_535), Size(10_000, 10_000), Size(.max, .max), Size(-1, .min), Size(65_535, 1)])
  func frameSizeIsLimited(size: Size) {
    let frame = Frame(size)
    #expect(frame.size == size.withinScreen)
    #expect((0...1000).contains(frame.size.width) && (0...500).contains(frame.size.height))
    #expect(frame.cells.count == frame.size.width * frame.size.height)
  }
}
