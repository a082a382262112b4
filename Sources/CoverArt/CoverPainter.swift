import Foundation
import Synchronization
import TerminalKit

/// Turns pictures into cells, or into graphics for terminals that display pixels. The libraries are opened for the
/// first picture; if one is missing, every picture fails with `CoverArtError.libraryMissing`. All methods may be
/// called from any thread. Drawing takes milliseconds, decoding up to 0.1 s.
public final class CoverPainter: Sendable {
  private let depth: ColorDepth
  private let ascii: Bool
  private let releases: ClosedRange<Int32>
  private let parts = Mutex<Result<Parts, CoverArtError>?>(nil)

  private struct Parts: Sendable {
    var decoder: PictureDecoder
    var chafa: ChafaLibrary
  }

  public convenience init(depth: ColorDepth, ascii: Bool) {
    self.init(depth: depth, ascii: ascii, releases: PictureDecoder.releases)
  }

  /// - Parameter releases: of FFmpeg.
  init(depth: ColorDepth, ascii: Bool, releases: ClosedRange<Int32>) {
    (self.depth, self.ascii, self.releases) = (depth, ascii, releases)
  }

  /// Decodes a JPEG, PNG, GIF (first frame) or WebP picture. The format is recognised from the bytes, not from the
  /// content type.
  public func decode(_ data: Data) throws(CoverArtError) -> Picture { try opened().decoder.decode(data) }

  /// The picture as `size.width * size.height` cells of one column each, row by row.
  /// - Parameter cell: the size of a cell in pixels.
  public func draw(
    _ picture: Picture, in size: Size, cell: Size = GraphicsTarget.usualCell
  ) throws(CoverArtError) -> [Cell] {
    try opened().chafa.cells(of: picture, in: size, cell: cell, depth: depth, ascii: ascii)
  }

  /// The picture as a graphic for this kind of terminal. Nil if the terminal shows only characters. The caller must
  /// give each graphic a different `id`.
  public func graphic(
    of picture: Picture, in size: Size, for target: GraphicsTarget, id: Int
  ) throws(CoverArtError) -> Graphic? {
    guard let language = target.language else { return nil }
    let bytes = try opened().chafa.graphic(of: picture, in: size, for: language, cell: target.cell)
    return Graphic(id: id, size: size, bytes: bytes)
  }

  private func opened() throws(CoverArtError) -> Parts {
    let result = parts.withLock { parts in
      if let parts { return parts }
      let result: Result<Parts, CoverArtError>
      do throws(CoverArtError) {
        let library = try ChafaLibrary()
        result = .success(Parts(decoder: try PictureDecoder(releases: releases), chafa: library))
      } catch {
        result = .failure(error)
      }
      parts = result
      return result
    }
    return try result.get()
  }
}
