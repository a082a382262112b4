import TerminalKit

/// A line of flowed text: runs, each for a role of the theme.
public struct StyledLine: Equatable, Sendable {
  public struct Span: Equatable, Sendable {
    public var text: String
    public var role: Role
    public var attributes: Style.Attributes
    /// Where a click leads.
    public var target: LinkTarget?
    public init(
      _ text: String, _ role: Role = .text, _ attributes: Style.Attributes = [], target: LinkTarget? = nil
    ) {
      self.text = text
      self.role = role
      self.attributes = attributes
      self.target = target
    }
  }
  public var spans: [Span]
  public init(_ spans: [Span]) { self.spans = spans }
  public init(_ text: String, _ role: Role = .text) { spans = [Span(text, role)] }
  public static let empty = StyledLine([])
  public var text: String { spans.map(\.text).joined() }
}
