/// A decoded picture, scaled to a square: covers are squares, and those that are not are shown whole, pressed a little.
public struct Picture: Sendable, Equatable {
  /// Pixels of an edge.
  public static let side = 256
  /// Row by row, four bytes each.
  public let rgba: [UInt8]
  /// As it was.
  public let width: Int
  public let height: Int
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
