/// A description as a document: what is left of a feed's HTML once it is fit to be read.
/// Text is clean: no markup, no entities, no control characters, no terminal escapes, white space squashed
/// (except in `.code`).
public struct Document: Sendable, Equatable, Codable {
  public var blocks: [Block]
  /// Addresses in order of first mention; a span's `link` is an index into this list and is shown as that number + 1.
  public var links: [String]

  public init(blocks: [Block] = [], links: [String] = []) {
    self.blocks = blocks
    self.links = links
  }

  public enum Block: Sendable, Equatable, Codable {
    /// 1 (largest) to 6.
    case heading(level: Int, [Span])
    case paragraph([Span])
    /// `ordinal` is nil for a bullet; `depth` starts at 0.
    case item(depth: Int, ordinal: Int?, [Span])
    case quote([Span])
    case code(String)
    /// A picture, as a reference: its alternative text and the index of its address in `links`.
    case image(alternative: String, link: Int?)
    case rule
  }

  /// A run of text in one style.
  public struct Span: Sendable, Equatable, Codable {
    public var text: String
    public var style: Style
    /// Index into `Document.links`.
    public var link: Int?
    /// The text is a time of the episode ("12:34"), in seconds: following it seeks.
    public var time: Double?
    public init(_ text: String, style: Style = [], link: Int? = nil, time: Double? = nil) {
      self.text = text
      self.style = style
      self.link = link
      self.time = time
    }
  }

  public struct Style: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bold = Style(rawValue: 1)
    public static let italic = Style(rawValue: 2)
    public static let code = Style(rawValue: 4)
    public static let underline = Style(rawValue: 8)
  }
}
