import Foundation
import Model
import TerminalKit

/// A line of wrapped text. Each part of it has a role of the theme.
public struct StyledLine: Equatable, Sendable {
  public struct Span: Equatable, Sendable {
    public var text: String
    public var role: Role
    public var attributes: Style.Attributes
    /// The link of this part.
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

/// An address in a text, and the words of its link.
struct NamedLink: Equatable, Sendable {
  var address: String
  /// Nil if the text is just the address.
  var name: String?

  /// - Parameter name: the text of the link in the feed.
  init(_ address: String, _ name: String?) {
    self.address = address
    let clean = name.map { Sanitize.line($0).trimmingCharacters(in: .whitespaces) } ?? ""
    // A text that repeats the address, with or without its scheme, is not a name.
    self.name = clean.isEmpty || Self.core(address).hasPrefix(Self.core(clean)) ? nil : clean
  }

  private static func core(_ text: String) -> Substring {
    var text = text.lowercased()[...]
    for prefix in ["https://", "http://", "www."] where text.hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
    if text.hasSuffix("/") { text = text.dropLast() }
    return text
  }

  /// The links of a document in order of their numbers. The name is the text of the first link to the address.
  static func all(in document: Document) -> [NamedLink] {
    var names: [Int: String] = [:]
    func addNames(_ spans: [Document.Span]) {
      var last: Int?
      var isNew = false
      for span in spans {
        guard let link = span.link else {
          last = nil
          continue
        }
        if link != last { isNew = names[link] == nil }
        if isNew { names[link, default: ""] += span.text }
        last = link
      }
    }
    for block in document.blocks {
      switch block {
      case .heading(_, let spans), .paragraph(let spans), .item(_, _, let spans), .quote(let spans): addNames(spans)
      case .image(let alternative, let link?) where names[link] == nil:
        names[link] = alternative.isEmpty ? "picture" : "picture: \(alternative)"
      case .image, .code, .rule: continue
      }
    }
    return document.links.enumerated().map { NamedLink($0.element, names[$0.offset]) }
  }
}
