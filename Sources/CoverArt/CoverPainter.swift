import Foundation
import Synchronization
import TerminalKit

/// Makes cells of pictures, and graphics for terminals that show pixels. The libraries are opened when the first picture
/// comes; where one is missing every picture fails with `CoverArtError.libraryMissing`. Any thread may call; drawing takes
/// milliseconds, decoding up to a tenth of a second.
public final class CoverPainter: Sendable {
  private let depth: ColorDepth
  private let ascii: Bool
  private let parts = Mutex<Result<Parts, CoverArtError>?>(nil)

  private struct Parts: Sendable {
    var decoder: PictureDecoder
    var symbols: SymbolPainter
    var graphics: GraphicPainter
  }

  public init(depth: ColorDepth, ascii: Bool) {
    self.depth = depth
    self.ascii = ascii
  }

  /// JPEG, PNG, GIF (its first picture) or WebP, whatever the server called it.
  public func decode(_ data: Data) throws(CoverArtError) -> Picture { try opened().decoder.decode(data) }

  /// Row by row, `size.width * size.height` cells of one column each.
  public func draw(_ picture: Picture, in size: Size) throws(CoverArtError) -> [Cell] {
    try opened().symbols.draw(picture, in: size, depth: depth, ascii: ascii)
  }

  /// For a terminal of this kind. No two graphics may have the same number, which is the caller's to see to.
  public func graphic(
    of picture: Picture, in size: Size, for target: GraphicsTarget, id: Int
  ) throws(CoverArtError) -> Graphic {
    Graphic(id: id, size: size, bytes: try opened().graphics.draw(picture, in: size, for: target))
  }

  private func opened() throws(CoverArtError) -> Parts {
    let result = parts.withLock { parts in
      if let parts { return parts }
      let result: Result<Parts, CoverArtError>
      do throws(CoverArtError) {
        let library = try ChafaLibrary()
        result = .success(
          Parts(
            decoder: try PictureDecoder(), symbols: SymbolPainter(library: library),
            graphics: GraphicPainter(library: library)))
      } catch {
        result = .failure(error)
      }
      parts = result
      return result
    }
    return try result.get()
  }
}
