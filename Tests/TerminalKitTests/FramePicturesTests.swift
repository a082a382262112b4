import Testing

@testable import TerminalKit

/// Graphics over the cells of a frame, and what is drawn if something covers them.
@Suite struct FramePicturesTests {
  private static let graphic = Graphic(id: 7, size: Size(4, 2), bytes: [1, 2, 3])
  private static let replacement = Array(repeating: Cell("#"), count: 8)

  private func frame(_ draw: (inout Frame) -> Void) -> Frame {
    var frame = Frame(Size(10, 4))
    frame.place(Self.graphic, at: Point(3, 1), replacement: Self.replacement, style: .plain)
    draw(&frame)
    frame.resolvePictures()
    return frame
  }

  @Test func uncoveredPictureIsShown() {
    let frame = frame { $0.put("beside", x: 0, y: 0, style: .plain) }
    #expect(frame.pictures.map(\.graphic) == [Self.graphic])
    #expect(frame.pictures.map(\.rect) == [Rect(x: 3, y: 1, width: 4, height: 2)])
    #expect(!frame.lines.joined().contains("#"))
    // The cells are no blanks, because ncurses would clear the rest of the row, and the picture with it.
    #expect(frame[3, 1].text == "\u{A0}" && frame[6, 2].text == "\u{A0}")
  }

  @Test func coveredPictureIsDrawnAsCells() {
    let frame = frame { $0.put("流x", x: 2, y: 2, style: .plain) }
    #expect(frame.pictures.isEmpty)
    #expect(frame.lines == ["", "   ####", "  流x##", ""])
  }

  @Test func pictureThatDoesNotFitIsLeftOut() {
    var frame = Frame(Size(5, 4))
    frame.place(Self.graphic, at: Point(3, 1), replacement: Self.replacement, style: .plain)
    frame.place(Self.graphic, at: Point(0, 1), replacement: [], style: .plain)
    frame.place(Self.graphic, at: Point(-1, 0), replacement: Self.replacement, style: .plain)
    frame.resolvePictures()
    #expect(frame.pictures.isEmpty && frame.lines == ["", "", "", ""])
  }

  @Test func framesDifferByTheirPictures() {
    #expect(frame { _ in } == frame { _ in })
    #expect(frame { _ in } != frame { $0.put("x", x: 4, y: 1, style: .plain) })
  }
}
