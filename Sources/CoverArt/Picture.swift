import TerminalKit

/// A decoded picture, its pixels scaled to a square whatever its shape; `fitted` says the shape that it is drawn in.
public struct Picture: Sendable, Equatable {
  /// Pixels of an edge.
  public static let side = 320
  /// Row by row, four bytes each.
  public let rgba: [UInt8]
  /// As it was.
  public let width: Int
  public let height: Int

  /// The cells that it fills of `room` in its own proportions; a cell is twice as high as it is wide. Never less than a
  /// cell.
  public func fitted(in room: Size) -> Size {
    guard width > 0, height > 0, room.width > 0, room.height > 0 else { return room }
    let columns = (Double(room.height) * 2 * Double(width) / Double(height)).rounded()
    if columns <= Double(room.width) { return Size(max(1, Int(columns)), room.height) }
    let rows = (Double(room.width) * Double(height) / Double(width) / 2).rounded()
    return Size(room.width, max(1, min(room.height, Int(rows))))
  }
}

/// What a picture is, told by its first bytes: what a server or a file name says of it is often wrong.
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
