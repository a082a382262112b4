import CChafa
import TerminalKit

/// Draws pictures as characters in two colours each, which every terminal can display.
extension ChafaLibrary {
  /// The picture as `size.width * size.height` cells of one column each, row by row.
  func cells(
    of picture: Picture, in size: Size, cell: Size, depth: ColorDepth, ascii: Bool
  ) throws(CoverArtError)
    -> [Cell]
  {
    guard let symbols = functions.symbol_map_new() else { throw .undecodable }
    defer { functions.symbol_map_unref(symbols) }
    functions.symbol_map_add_by_tags(symbols, Self.tags(depth, ascii))
    return try withCanvas(
      of: picture, in: size, pixels: Size(size.width * cell.width, size.height * cell.height),
      configure: { config in
        functions.canvas_config_set_symbol_map(config, symbols)
        functions.canvas_config_set_canvas_mode(config, Self.mode(depth))
        functions.canvas_config_set_color_space(config, Int32(EARSHOT_CHAFA_DIN99D))
        // With 256 colours, dithering only adds noise to plain areas. With 16 it makes the picture recognisable.
        let dithers = depth < .palette256
        functions.canvas_config_set_dither_mode(
          config, Int32(dithers ? EARSHOT_CHAFA_DITHER_ORDERED : EARSHOT_CHAFA_DITHER_NONE))
        functions.canvas_config_set_work_factor(config, 0.5)
      },
      body: { canvas in
        (0..<size.height).flatMap { y in (0..<size.width).map { x in self.cell(of: canvas, x, y, depth) } }
      })
  }

  private func cell(of canvas: OpaquePointer, _ x: Int, _ y: Int, _ depth: ColorDepth) -> Cell {
    var (foreground, background): (Int32, Int32) = (-1, -1)
    functions.canvas_get_raw_colors_at(canvas, Int32(x), Int32(y), &foreground, &background)
    let scalar = Unicode.Scalar(functions.canvas_get_char_at(canvas, Int32(x), Int32(y))) ?? " "
    return Cell(
      scalar.value < 0x20 ? " " : String(scalar),
      style: Style(Self.color(foreground, depth), on: Self.color(background, depth)))
  }

  private static func color(_ raw: Int32, _ depth: ColorDepth) -> Color {
    guard raw >= 0 else { return .standard }
    switch depth {
    case .monochrome: return .standard
    case .trueColor: return .rgb(UInt8(raw >> 16 & 0xFF), UInt8(raw >> 8 & 0xFF), UInt8(raw & 0xFF))
    // 256 and 257 are chafa's values for the terminal's default colours.
    default: return raw < 256 ? .palette(UInt8(raw)) : .standard
    }
  }

  private static func mode(_ depth: ColorDepth) -> Int32 {
    switch depth {
    case .monochrome: Int32(EARSHOT_CHAFA_FGBG)
    case .ansi8: Int32(EARSHOT_CHAFA_INDEXED_8)
    case .ansi16: Int32(EARSHOT_CHAFA_INDEXED_16)
    case .palette256: Int32(EARSHOT_CHAFA_INDEXED_240)
    case .trueColor: Int32(EARSHOT_CHAFA_TRUECOLOR)
    }
  }

  /// Every font has half and quarter blocks. Braille is used where there are no colours.
  private static func tags(_ depth: ColorDepth, _ ascii: Bool) -> Int32 {
    if ascii { return Int32(EARSHOT_CHAFA_SPACE | EARSHOT_CHAFA_ASCII) }
    let blocks = EARSHOT_CHAFA_SPACE | EARSHOT_CHAFA_BLOCK | EARSHOT_CHAFA_HALF | EARSHOT_CHAFA_QUAD
    return Int32(depth == .monochrome ? blocks | EARSHOT_CHAFA_BRAILLE : blocks)
  }
}
