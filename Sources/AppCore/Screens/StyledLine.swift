import Foundation
import Model
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

/// An address that a text names, and the words it stands for there.
struct NamedLink: Equatable, Sendable {
  var address: String
  /// Nil where the text says no more than the address.
  var name: String?

  /// - Parameter name: as a feed has it.
  init(_ address: String, _ name: String?) {
    self.address = address
    let clean = name.map { Sanitize.line($0).trimmingCharacters(in: .whitespaces) } ?? ""
    // Text that repeats the address, whole or without its scheme, is no name.
    self.name = clean.isEmpty || Self.core(address).hasPrefix(Self.core(clean)) ? nil : clean
  }

  private static func core(_ text: String) -> Substring {
    var text = text.lowercased()[...]
    for prefix in ["https://", "http://", "www."] where text.hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
    if text.hasSuffix("/") { text = text.dropLast() }
    return text
  }

  /// Those of a document, by their numbers; the words of the first mention.
  static func all(in document: Document) -> [NamedLink] {
    var names: [Int: String] = [:]
    func note(_ spans: [Document.Span]) {
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
      case .heading(_, let spans), .paragraph(let spans), .item(_, _, let spans), .quote(let spans): note(spans)
      case .image(let alternative, let link?) where names[link] == nil:
        names[link] = alternative.isEmpty ? "picture" : "picture: \(alternative)"
      case .image, .code, .rule: continue
      }
    }
    return document.links.enumerated().map { NamedLink($0.element, names[$0.offset]) }
  }
}
