/// A protocol for pictures in a terminal.
public enum GraphicsProtocol: String, Sendable, CaseIterable {
  /// The "Terminal graphics protocol" of kitty, also supported by Ghostty and others. The terminal scales the picture.
  case kitty
  /// DEC's sixel graphics (VT340 Graphics Programming, chapter 14). Never scaled.
  case sixel
  /// iTerm2's "Inline images protocol" (OSC 1337), also supported by WezTerm. The terminal scales the picture.
  case iterm2
}

/// What pictures are made for.
public struct GraphicsTarget: Hashable, Sendable {
  /// The terminal's protocol. Nil: the terminal shows only characters.
  public var language: GraphicsProtocol?
  /// The size of a cell in pixels. It decides which area of cells is square.
  public var cell: Size
  public init(_ language: GraphicsProtocol?, cell: Size = usualCell) {
    self.language = language
    self.cell = cell
  }

  /// The cell of a VT340, for terminals that do not tell the size of theirs.
  public static let usualCell = Size(10, 20)
}

/// A picture as bytes that draw it at the cursor. Pictures are compared by id only, because the bytes may be half a
/// megabyte.
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
