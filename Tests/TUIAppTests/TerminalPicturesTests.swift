import TerminalKit
import Testing

@testable import TUIApp

/// Pictures that are drawn without ncurses: drawn once, moved, erased, drawn again.
@Suite(InTurn()) struct TerminalPicturesTests {
  private func frame(_ graphics: [(id: Int, at: Point)]) -> Frame {
    var frame = Frame(Size(40, 12))
    for (id, at) in graphics {
      let graphic = Graphic(id: id, size: Size(4, 2), bytes: Array("<\(id)>".utf8))
      frame.place(graphic, at: at, replacement: Array(repeating: Cell("#"), count: 8), style: .plain)
    }
    frame.resolvePictures()
    return frame
  }

  private func text(_ pictures: inout TerminalPictures, _ frame: Frame) -> String {
    String(decoding: pictures.bytes(for: frame), as: UTF8.self)
  }

  @Test(arguments: GraphicsProtocol.allCases) func pictureIsDrawnOnce(language: GraphicsProtocol) {
    var pictures = TerminalPictures(language: language)
    let frame = frame([(1, Point(5, 3))])
    #expect(pictures.removal(for: frame).isEmpty)
    #expect(text(&pictures, frame) == "\u{1B}7\u{1B}[4;6H<1>\u{1B}8")
    #expect(pictures.removal(for: frame).isEmpty)
    #expect(text(&pictures, frame) == "")
  }

  @Test func pixelPictureIsRemovedByWritingItsRows() {
    var pictures = TerminalPictures(language: .sixel)
    _ = text(&pictures, frame([(1, Point(5, 3)), (2, Point(20, 4)), (3, Point(20, 8))]))
    let next = frame([(1, Point(6, 3)), (2, Point(20, 4)), (3, Point(20, 8))])
    #expect(pictures.removal(for: next) == TerminalPictures.Removal(text: "", rows: [3, 4]))
    // The second picture is in one of these rows, the third one is not.
    #expect(text(&pictures, next).contains("<1>") && pictures.removal(for: next).isEmpty)
    var again = TerminalPictures(language: .sixel)
    _ = text(&again, frame([(1, Point(5, 3)), (2, Point(20, 4)), (3, Point(20, 8))]))
    _ = again.removal(for: next)
    #expect(text(&again, next) == "\u{1B}7\u{1B}[4;7H<1>\u{1B}[5;21H<2>\u{1B}8")
  }

  @Test func kittyPictureIsRemovedByACommand() {
    var pictures = TerminalPictures(language: .kitty)
    _ = text(&pictures, frame([(1, Point(5, 3)), (2, Point(20, 4))]))
    let next = frame([(2, Point(20, 4))])
    #expect(pictures.removal(for: next) == TerminalPictures.Removal(text: "\u{1B}_Ga=d,d=A,q=2\u{1B}\\", rows: []))
    #expect(text(&pictures, next).contains("<2>"), "it went with the other")
    #expect(pictures.removeAll() == "\u{1B}_Ga=d,d=A,q=2\u{1B}\\")
    #expect(pictures.removeAll() == "")
  }

  @Test func writtenCellsEraseThePixelsBelow() {
    let frame = frame([(1, Point(5, 3))])
    for (changed, isHurt) in [([3: 0..<5], false), ([4: 0..<6], true), ([3: 9..<40], false), ([2: 0..<40], false)] {
      var pictures = TerminalPictures(language: .sixel)
      _ = text(&pictures, frame)
      pictures.write(over: changed)
      #expect(text(&pictures, frame).isEmpty != isHurt, "\(changed)")
      var layered = TerminalPictures(language: .kitty)
      _ = text(&layered, frame)
      layered.write(over: changed)
      #expect(text(&layered, frame).isEmpty)
    }
  }

  /// The picture was overwritten while keys were waiting, so it was not drawn again. Then it was removed.
  @Test func damagedPictureIsRemovedToo() {
    var pictures = TerminalPictures(language: .sixel)
    _ = text(&pictures, frame([(1, Point(5, 3))]))
    pictures.write(over: [3: 0..<40])
    #expect(pictures.removal(for: frame([])) == TerminalPictures.Removal(text: "", rows: [3, 4]))
    #expect(pictures.removal(for: frame([])).isEmpty)
  }
}
