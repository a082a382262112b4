import Testing

@testable import TerminalKit

@Suite struct ColorMapTests {
  @Test(arguments: [
    (Color.standard, ColorDepth.palette256, -1), (.rgb(255, 0, 0), .monochrome, -1), (.palette(9), .monochrome, -1),
    (.palette(9), .palette256, 9), (.palette(9), .ansi16, 9), (.palette(9), .ansi8, 1),
    (.palette(200), .palette256, 200),
    (.palette(231), .ansi16, 15), (.palette(231), .ansi8, 7), (.palette(16), .ansi8, 0), (.palette(3), .trueColor, 3),
    (.palette(231), .trueColor, 0xFFFFFF), (.palette(232), .trueColor, 0x080808),
    (.rgb(18, 52, 86), .trueColor, 0x123456),
    (.rgb(0, 0, 3), .trueColor, 8), (.rgb(255, 255, 255), .palette256, 231), (.rgb(0, 0, 0), .palette256, 16),
    (.rgb(95, 135, 175), .palette256, 67), (.rgb(96, 134, 176), .palette256, 67),
    (.rgb(128, 128, 128), .palette256, 244),
    (.rgb(250, 10, 10), .ansi16, 9), (.rgb(200, 10, 10), .ansi8, 1), (.rgb(20, 20, 20), .ansi8, 0),
  ])
  func colorIsMappedToTheDepth(_ color: Color, _ depth: ColorDepth, _ expected: Int) {
    #expect(ColorMap.index(of: color, depth: depth) == expected)
  }

  @Test(arguments: [ColorDepth.ansi8, .ansi16, .palette256]) func colorStaysInThePalette(_ depth: ColorDepth) {
    for entry in UInt8.min...UInt8.max {
      let index = ColorMap.index(of: .palette(entry), depth: depth)
      #expect((0..<depth.rawValue).contains(index))
    }
  }

  @Test(
    arguments: [
      (-1, [:], ColorDepth.monochrome), (0, [:], .monochrome), (8, [:], .ansi8), (16, [:], .ansi16), (88, [:], .ansi16),
      (256, [:], .palette256), (0x100_0000, [:], .trueColor), (256, ["NO_COLOR": "1"], .monochrome),
      (256, ["NO_COLOR": ""], .palette256), (256, ["COLORTERM": "truecolor"], .palette256),
    ] as [(Int, [String: String], ColorDepth)])
  func colorDepthIsDetected(_ colors: Int, _ environment: [String: String], _ depth: ColorDepth) {
    #expect(ColorDepth.detect(terminalColors: colors, environment: environment) == depth)
  }

  @Test(
    arguments: [
      (Style(.palette(12)), ColorDepth.ansi8, 4, -1, Style.Attributes.bold), (Style(.palette(8)), .ansi8, 7, -1, .dim),
      (Style(.palette(12)), .ansi16, 12, -1, []), (Style(.palette(12), on: .palette(4)), .ansi8, 7, 4, .bold),
      (Style(.palette(8), on: .palette(7)), .ansi8, 0, 7, .dim),
      (Style(.rgb(0, 0, 30), on: .rgb(0, 0, 0)), .ansi8, 7, 0, []),
      (Style(.palette(0), on: .palette(0)), .ansi8, 0, 0, []),
      (Style(.rgb(1, 2, 3), on: .rgb(200, 0, 0), .underline), .monochrome, -1, -1, .underline),
    ] as [(Style, ColorDepth, Int, Int, Style.Attributes)])
  func colorPairIsReadable(
    _ style: Style, _ depth: ColorDepth, _ foreground: Int, _ background: Int, _ attributes: Style.Attributes
  ) {
    let pair = ColorMap.pair(of: style, depth: depth)
    #expect(pair.foreground == foreground)
    #expect(pair.background == background)
    #expect(pair.attributes == attributes)
  }
}
