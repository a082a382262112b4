import TerminalKit

/// What the foot of a page lists: a word at the left, what it says beside it. Addresses get a number and join the
/// page's links.
struct FactTable {
  let layout: DetailText
  let width: Int
  private(set) var lines: [StyledLine] = []
  private(set) var links: [NamedLink]

  init(_ title: String, layout: DetailText, width: Int, links: [NamedLink]) {
    self.layout = layout
    self.width = width
    self.links = links
    self.title = title
  }

  private let title: String
  private static let labelWidth = 12

  mutating func row(_ label: String, _ text: String?, link: String? = nil) {
    let text = text.map { Sanitize.line($0) } ?? ""
    guard !text.isEmpty || link != nil else { return }
    if lines.isEmpty { lines.append(StyledLine(title, .heading)) }
    let padded = label + String(repeating: " ", count: max(1, Self.labelWidth - Clusters.width(label)))
    var spans: [StyledLine.Span] = [.init(padded, .dim)]
    let target = link.map { LinkTarget.address($0) }
    if !text.isEmpty { spans.append(.init(text, link == nil ? .text : .link, target: target)) }
    if let link {
      let known = links.firstIndex { $0.address == link }
      if known == nil { links.append(NamedLink(link, text.isEmpty ? label : "\(label): \(text)")) }
      spans.append(.init((text.isEmpty ? "" : " ") + "[\((known ?? links.count - 1) + 1)]", .key, target: target))
    }
    lines += layout.wrap(spans, width, restIndent: min(Self.labelWidth, width / 3))
  }
}
