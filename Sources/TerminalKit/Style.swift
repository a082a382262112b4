/// A colour of a theme. It is converted to what the terminal can show when it is drawn.
public struct Color: Hashable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// The terminal's default foreground or background.
    case standard
    /// One of the terminal's 256 palette entries. 0–15 are the terminal's own sixteen.
    case palette(UInt8)
    case rgb(UInt8, UInt8, UInt8)
  }

  /// One integer, because thousands of cells are compared for each frame: 0xRRGGBB, 0x1000000 and a palette entry, or
  /// 0x2000000 for the default.
  private let value: UInt32

  public static let standard = Color(value: 0x200_0000)

  public static func palette(_ entry: UInt8) -> Color { Color(value: 0x100_0000 | UInt32(entry)) }

  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(value: UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  public var kind: Kind {
    switch value >> 24 {
    case 0: .rgb(UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    case 1: .palette(UInt8(value & 0xFF))
    default: .standard
    }
  }
}

/// The appearance of a cell.
public struct Style: Hashable, Sendable {
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let italic = Attributes(rawValue: 4)
    public static let underline = Attributes(rawValue: 8)
    public static let reverse = Attributes(rawValue: 16)
  }

  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  public init(_ foreground: Color = .standard, on background: Color = .standard, _ attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  public static let plain = Style()

  /// Whether blanks look the same in both styles: they have no ink, only a background and lines.
  func isSameOnBlanks(as other: Style) -> Bool {
    let visible: Attributes = [.underline, .reverse]
    return background == other.background && attributes.union(other.attributes).isDisjoint(with: visible)
  }

  public func with(_ more: Attributes) -> Style { Style(foreground, on: background, attributes.union(more)) }

  /// This style's foreground and attributes on the other's background, for text in a selected row.
  public func over(_ other: Style) -> Style {
    Style(
      foreground == .standard ? other.foreground : foreground,
      on: background == .standard ? other.background : background, attributes.union(other.attributes))
  }
}
