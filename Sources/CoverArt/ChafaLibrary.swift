import CChafa
import Foundation
import TerminalKit

/// libchafa's functions, from the installed library. It is never closed.
struct ChafaLibrary: @unchecked Sendable {
  // `@unchecked`: it holds only function addresses, which are written once in `init`.
  let functions: earshot_chafa

  static let names = [
    "libchafa.so.0", "libchafa.0.dylib", "/opt/homebrew/lib/libchafa.0.dylib", "/usr/local/lib/libchafa.0.dylib",
  ]

  init() throws(CoverArtError) {
    guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      throw .libraryMissing(Self.names[0])
    }
    let table = UnsafeMutablePointer<earshot_chafa>.allocate(capacity: 1)
    defer { table.deallocate() }
    if let missing = earshot_chafa_fill(table, library) { throw .libraryMissing(String(cString: missing)) }
    functions = table.pointee
  }

  /// Creates a canvas of `size` cells, which covers `pixels` of the screen, configured by `configure`. Draws the
  /// picture in its middle and passes it to `body`.
  /// Throws if libchafa fails or `body` returns nil.
  func withCanvas<Drawn>(
    of picture: Picture, in size: Size, pixels: Size, configure: (OpaquePointer) -> Void,
    body: (OpaquePointer) -> Drawn?
  ) throws(CoverArtError) -> Drawn {
    guard (1...500).contains(size.width), (1...500).contains(size.height),
      let config = functions.canvas_config_new()
    else { throw .undecodable }
    defer { functions.canvas_config_unref(config) }
    functions.canvas_config_set_geometry(config, Int32(size.width), Int32(size.height))
    configure(config)
    guard let canvas = functions.canvas_new(config) else { throw .undecodable }
    defer { functions.canvas_unref(canvas) }
    let (rgba, padded) = picture.padded(to: pixels)
    functions.canvas_draw_all_pixels(
      canvas, Int32(EARSHOT_CHAFA_RGBA8_UNASSOCIATED), rgba, Int32(padded.width), Int32(padded.height),
      Int32(padded.width) * 4)
    guard let drawn = body(canvas) else { throw .undecodable }
    return drawn
  }
}
