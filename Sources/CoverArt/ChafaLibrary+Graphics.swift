import CChafa
import TerminalKit

/// Renders pictures in a terminal's graphics protocol.
extension ChafaLibrary {
  /// Pixels per edge for terminals that scale pictures themselves. 320 by 320 pixels are 550 kB of base64, which a
  /// terminal reads within one frame. A cover of a few lines needs no more.
  private static let maxEdge = 320
  /// Without scaling, the picture gets one pixel per pixel of its cells. Larger cell sizes than this are not
  /// plausible.
  private static let maxCell = Size(64, 128)

  /// The bytes that draw the picture in `size` cells.
  func graphic(
    of picture: Picture, in size: Size, for language: GraphicsProtocol, cell: Size
  ) throws(CoverArtError)
    -> [UInt8]
  {
    let drawn = Self.drawnCell(size, language, cell)
    var pixels = Size(size.width * cell.width, size.height * cell.height)
    if language == .sixel {
      // The terminal does not scale it. libchafa draws whole bands of six pixels, so that no sixel is below the cells.
      pixels = Size(size.width * drawn.width, size.height * drawn.height / 6 * 6)
    }
    let bytes = try withCanvas(
      of: picture, in: size, pixels: pixels,
      configure: { config in
        functions.canvas_config_set_pixel_mode(config, Self.mode(language))
        functions.canvas_config_set_cell_geometry(config, Int32(drawn.width), Int32(drawn.height))
      },
      body: { canvas in
        functions.term_db_get_default().flatMap { functions.term_db_get_fallback_info($0) }
          .flatMap { text(of: canvas, $0) }
      })
    guard !bytes.isEmpty else { throw .undecodable }
    return bytes
  }

  private func text(of canvas: OpaquePointer, _ terminal: OpaquePointer) -> [UInt8]? {
    guard let string = functions.canvas_print(canvas, terminal) else { return nil }
    defer { _ = functions.string_free(string, 1) }
    guard let start = string.pointee.str else { return nil }
    return start.withMemoryRebound(to: UInt8.self, capacity: string.pointee.len) {
      Array(UnsafeBufferPointer(start: $0, count: string.pointee.len))
    }
  }

  /// The cell size in pixels that libchafa draws for.
  private static func drawnCell(_ size: Size, _ language: GraphicsProtocol, _ cell: Size) -> Size {
    let cell = Size(max(1, min(cell.width, maxCell.width)), max(1, min(cell.height, maxCell.height)))
    guard language != .sixel else { return cell }
    return Size(
      max(1, min(cell.width, maxEdge / size.width)), max(1, min(cell.height, maxEdge / size.height)))
  }

  private static func mode(_ language: GraphicsProtocol) -> Int32 {
    switch language {
    case .kitty: Int32(EARSHOT_CHAFA_KITTY)
    case .sixel: Int32(EARSHOT_CHAFA_SIXELS)
    case .iterm2: Int32(EARSHOT_CHAFA_ITERM2)
    }
  }
}
