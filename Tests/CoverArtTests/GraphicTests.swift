import Foundation
import TerminalKit
import Testing

@testable import CoverArt

/// Pictures in the graphics protocols of terminals that show pixels.
@Suite(.enabled(if: CoverArtTests.hasLibraries, "libchafa or libavcodec is not installed")) struct GraphicTests {
  private func text(_ language: GraphicsProtocol, size: Size = Size(12, 6), cell: Size = Size(9, 18)) throws -> String {
    let painter = CoverPainter(depth: .trueColor, ascii: false)
    let picture = try painter.decode(try Data(contentsOf: CoverArtTests.cover))
    let graphic = try #require(
      try painter.graphic(of: picture, in: size, for: GraphicsTarget(language, cell: cell), id: 3))
    #expect(graphic.id == 3 && graphic.size == size)
    return String(decoding: graphic.bytes, as: UTF8.self)
  }

  @Test func kittyPictureIsScaledToItsCells() throws {
    let text = try text(.kitty)
    // libchafa 1.18 adds that the terminal answers nothing (q=2).
    let head = text.prefix { $0 != "\\" }
    #expect(["", ",q=2"].contains { head == "\u{1B}_Ga=T,f=32,s=108,v=108,c=12,r=6,m=1\($0)\u{1B}" }, "\(head)")
    #expect(text.hasSuffix("\u{1B}_Gm=0\u{1B}\\"))
    // The pixel size is limited by the number of cells, however fine the screen is.
    #expect(try self.text(.kitty, size: Size(40, 20), cell: Size(30, 60)).contains("s=320,v=320,c=40,r=20"))
  }

  @Test func sixelPictureHasTheSizeOfItsCells() throws {
    let text = try text(.sixel)
    #expect(text.hasPrefix("\u{1B}P") && text.hasSuffix("\u{1B}\\"))
    // A sixel is six rows high. The last band may stay empty, since a further one would be drawn below the picture's
    // cells.
    #expect(text.prefix(30).contains("\"1;1;108;108"))
    #expect(!text.contains("\n"))
  }

  @Test func iTermPictureNamesItsCells() throws {
    let text = try text(.iterm2)
    #expect(text.hasPrefix("\u{1B}]1337;File=inline=1;width=12;height=6;preserveAspectRatio=0:"))
    #expect(text.hasSuffix("\u{7}"))
  }

  @Test func impossibleSizeIsRefused() {
    #expect(throws: CoverArtError.undecodable) { try text(.sixel, size: Size(0, 6)) }
    #expect(throws: CoverArtError.undecodable) { try text(.kitty, size: Size(501, 6)) }
  }
}
