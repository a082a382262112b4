/// A colour of a theme. It is converted to what the terminal can show when it is drawn.
public enum Color: Hashable, Sendable {
  /// The terminal's default foreground or background.
  case standard
  /// One of the terminal's 256 palette entries. 0–15 are the terminal's own sixteen.
  case palette(UInt8)
  case rgb(UInt8, UInt8, UInt8)
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
    public static let strikethrough = Attributes(rawValue: 32)
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

  public func with(_ more: Attributes) -> Style { Style(foreground, on: background, attributes.union(more)) }

  /// This style's foreground and attributes on the other's background, for text in a selected row.
  public func over(_ other: Style) -> Style {
    Style(
      foreground == .standard ? other.foreground : foreground,
      on: background == .standard ? other.background : background, attributes.union(other.attributes))
  }
}
