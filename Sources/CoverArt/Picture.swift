import TerminalKit

/// A decoded picture. Its pixels are scaled to a square; `fitted` gives the shape to draw it in.
public struct Picture: Sendable, Equatable {
  /// Pixels per edge.
  public static let side = 320
  /// Row by row, four bytes per pixel.
  public let rgba: [UInt8]
  /// The original size in pixels.
  public let width: Int
  public let height: Int

  /// The size in cells within `room` that keeps the picture's proportions, at least one cell. A cell is twice as high
  /// as wide.
  public func fitted(in room: Size) -> Size {
    guard width > 0, height > 0, room.width > 0, room.height > 0 else { return room }
    let columns = (Double(room.height) * 2 * Double(width) / Double(height)).rounded()
    if columns <= Double(room.width) { return Size(max(1, Int(columns)), room.height) }
    let rows = (Double(room.width) * Double(height) / Double(width) / 2).rounded()
    return Size(room.width, max(1, min(room.height, Int(rows))))
  }
}

/// The format of a picture, recognised from its first bytes. Content types and file names are often wrong.
enum PictureFormat: CaseIterable {
  case jpeg, png, gif, webP

  init?(_ bytes: [UInt8]) {
    guard let format = Self.allCases.first(where: { $0.matches(bytes) }) else { return nil }
    self = format
  }

  private func matches(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .gif: bytes.starts(with: Array("GIF8".utf8))
    case .webP: bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
    }
  }
}
