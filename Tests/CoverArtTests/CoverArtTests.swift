import Foundation
import Seeded
import TerminalKit
import Testing

@testable import CoverArt

/// Pictures of each format, built here byte by byte or taken from the fixtures, drawn as cells.
@Suite struct CoverArtTests {
  static let hasLibraries = (try? ChafaLibrary()) != nil && (try? PictureDecoder()) != nil

  /// Two by two pixels: red, green, blue, white.
  static let gif = Data(
    base64Encoded: "R0lGODlhAgACAPEAAP8AAAD/AAAA/////yH5BAAAAAAALAAAAAACAAIAAAIDRDQFADs=")!

  static let cover = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/TUIApp/Resources/welcome/cover.png")

  @Test(.enabled(if: hasLibraries, "libchafa or libavcodec is not installed"))
  func pictureBecomesColouredCells() throws {
    let painter = CoverPainter(depth: .trueColor, ascii: false)
    let picture = try painter.decode(try Data(contentsOf: Self.cover))
    #expect(picture.width > 0 && picture.height > 0)
    #expect(picture.rgba.count == Picture.side * Picture.side * 4)
    let cells = try painter.draw(picture, in: Size(20, 10))
    #expect(cells.count == 200)
    #expect(cells.allSatisfy { $0.width == 1 && !$0.text.isEmpty })
    #expect(Set(cells.map(\.style)).count > 1)
  }

  @Test(
    .enabled(if: hasLibraries, "libchafa or libavcodec is not installed"),
    arguments: [
      ColorDepth.monochrome, .ansi8, .ansi16, .palette256, .trueColor,
    ]) func pictureHasTheColoursOfTheTerminal(depth: ColorDepth) throws
  {
    let painter = CoverPainter(depth: depth, ascii: false)
    let cells = try painter.draw(try painter.decode(try Data(contentsOf: Self.cover)), in: Size(12, 6))
    for color in cells.flatMap({ [$0.style.foreground, $0.style.background] }) {
      switch (color.kind, depth) {
      case (.standard, _): continue
      case (.rgb, .trueColor): continue
      case (.palette(let entry), .palette256): #expect(entry >= 16)
      case (.palette(let entry), .ansi16): #expect(entry < 16)
      case (.palette(let entry), .ansi8): #expect(entry < 8)
      default: Issue.record("\(color.kind) at \(depth)")
      }
    }
  }

  @Test(.enabled(if: hasLibraries, "libchafa or libavcodec is not installed")) func pictureInASCIIHasOnlyASCII() throws
  {
    let painter = CoverPainter(depth: .palette256, ascii: true)
    let cells = try painter.draw(try painter.decode(try Data(contentsOf: Self.cover)), in: Size(30, 15))
    #expect(cells.allSatisfy { $0.text.utf8.count == 1 && $0.text.utf8.first! >= 0x20 && $0.text.utf8.first! < 0x7F })
  }

  /// A package that was built with one release of FFmpeg uses the one that it finds.
  @Test func anotherReleaseOfFFmpegIsNotUsed() throws {
    #expect(throws: CoverArtError.libraryMissing("libavcodec 144 to 145")) { try PictureDecoder(releases: 90...91) }
    guard let decoder = try? PictureDecoder() else { return }
    #expect(try PictureDecoder(releases: decoder.release...91).release == decoder.release)
  }

  @Test(.enabled(if: hasLibraries, "libchafa or libavcodec is not installed")) func gifShowsItsFirstFrame() throws {
    let picture = try CoverPainter(depth: .trueColor, ascii: false).decode(Self.gif)
    #expect((picture.width, picture.height) == (2, 2))
    #expect(Array(picture.rgba.prefix(4)) == [255, 0, 0, 255])
    #expect(Array(picture.rgba.suffix(4)) == [255, 255, 255, 255])
  }

  /// Data that is not a picture, is truncated, or claims to be larger than any cover.
  @Test(.enabled(if: hasLibraries, "libchafa or libavcodec is not installed")) func invalidPicturesAreErrors() throws {
    let painter = CoverPainter(depth: .trueColor, ascii: false)
    #expect(throws: CoverArtError.unknownFormat) { try painter.decode(Data()) }
    #expect(throws: CoverArtError.unknownFormat) { try painter.decode(Data("<html>no</html>".utf8)) }
    #expect(throws: CoverArtError.unknownFormat) { try painter.decode(Data("<svg xmlns='x'/>".utf8)) }
    #expect(throws: CoverArtError.tooLarge(bytes: 12_000_001)) { try painter.decode(Data(count: 12_000_001)) }
    var huge = try Data(contentsOf: Self.cover)
    // The width and height in the IHDR chunk.
    huge.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    #expect(throws: CoverArtError.undecodable) { try painter.decode(huge) }
    #expect(throws: CoverArtError.undecodable) { try painter.decode(Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 2])) }
    #expect(throws: CoverArtError.undecodable) { try painter.decode(Data("RIFF\u{4}\0\0\0WEBPVP8 ".utf8)) }
  }

  /// Thousands of damaged pictures: decoding returns a picture or throws, and never traps.
  @Test(.enabled(if: hasLibraries, "libchafa or libavcodec is not installed")) func damagedPicturesDoNotCrash() throws {
    let painter = CoverPainter(depth: .palette256, ascii: false)
    let whole = [try Data(contentsOf: Self.cover), Self.gif]
    var random = SplitMix64(seed: 7)
    for round in 0..<400 {
      var data = whole[round % whole.count]
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        data[Int.random(in: 8..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 5 == 0 { data = data.prefix(Int.random(in: 0...data.count, using: &random)) }
      guard let picture = try? painter.decode(data) else { continue }
      #expect(try painter.draw(picture, in: Size(8, 4)).count == 32)
    }
  }
}
