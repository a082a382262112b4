/// A text of a feed as a document, converted from HTML. Its texts are clean: no markup, no entities, no control
/// characters, no escape sequences, and collapsed white space (except in `.code`).
public struct Document: Sendable, Equatable, Codable {
  public var blocks: [Block]
  /// Addresses in order of first mention. A span's `link` is an index into this list. The screen shows the index + 1.
  public var links: [String]

  public init(blocks: [Block] = [], links: [String] = []) {
    self.blocks = blocks
    self.links = links
  }

  /// A paragraph or another part that begins on a new line.
  public enum Block: Sendable, Equatable, Codable {
    /// Levels are 1 (largest) to 6.
    case heading(level: Int, [Span])
    case paragraph([Span])
    /// `ordinal` is nil for a bullet. `depth` begins with 0.
    case item(depth: Int, ordinal: Int?, [Span])
    case quote([Span])
    case code(String)
    /// A picture: its alternative text, and the index of its address in `links`.
    case image(alternative: String, link: Int?)
    case rule
  }

  /// A text in one style.
  public struct Span: Sendable, Equatable, Codable {
    public var text: String
    public var style: Style
    /// The index in `Document.links`.
    public var link: Int?
    /// If the text is a time of the episode ("12:34"): the time in seconds, for seeking.
    public var time: Double?
    public init(_ text: String, style: Style = [], link: Int? = nil, time: Double? = nil) {
      self.text = text
      self.style = style
      self.link = link
      self.time = time
    }
  }

  /// How a span of text is displayed.
  public struct Style: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bold = Style(rawValue: 1)
    public static let italic = Style(rawValue: 2)
    public static let code = Style(rawValue: 4)
    public static let underline = Style(rawValue: 8)
  }
}
