/// How a terminal takes pictures of pixels.
public enum GraphicsProtocol: String, Sendable, CaseIterable {
  /// "Terminal graphics protocol" of kitty, which Ghostty and others speak too. Scaled by the terminal.
  case kitty
  /// DEC's (VT340 Graphics Programming, chapter 14): as large as its pixels, never scaled.
  case sixel
  /// iTerm2's "Inline images protocol" (OSC 1337), which WezTerm speaks too. Scaled by the terminal.
  case iterm2
}

/// What pictures are made for: the terminal's language, and the pixels of a cell.
public struct GraphicsTarget: Hashable, Sendable {
  public var language: GraphicsProtocol
  public var cell: Size
  public init(_ language: GraphicsProtocol, cell: Size) {
    self.language = language
    self.cell = cell
  }

  /// A VT340's cell, for terminals that do not say how large theirs is.
  public static let usualCell = Size(10, 20)
}

/// A picture as the bytes that draw it where the cursor stands. Told from others by its number alone, so that frames are
/// compared without looking at half a megabyte.
public struct Graphic: Hashable, Sendable {
  public let id: Int
  /// The cells that it covers.
  public let size: Size
  public let bytes: [UInt8]

  public init(id: Int, size: Size, bytes: [UInt8]) {
    self.id = id
    self.size = size
    self.bytes = bytes
  }

  public static func == (left: Graphic, right: Graphic) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
