import Model
import TerminalKit

/// A table at the end of a page: a label on the left, a text beside it. Addresses get a number and are added to the
/// links of the page.
struct FactTable {
  let layout: DetailText
  let width: Int
  private(set) var lines: [StyledLine] = []
  /// The page with the links so far.
  private(set) var page: DetailText.Page

  init(_ title: String, layout: DetailText, width: Int, page: DetailText.Page) {
    self.layout = layout
    self.width = width
    self.page = page
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
      let known = page.links.firstIndex { $0.address == link }
      if known == nil { page.links.append(NamedLink(link, text.isEmpty ? label : "\(label): \(text)")) }
      spans.append(.init((text.isEmpty ? "" : " ") + "[\((known ?? page.links.count - 1) + 1)]", .key, target: target))
    }
    lines += layout.wrap(spans, width, restIndent: min(Self.labelWidth, width / 3))
  }

  /// Adds a row with a target that is not an address.
  mutating func row(_ label: String, _ text: String, target: LinkTarget) {
    let text = Sanitize.line(text)
    guard !text.isEmpty else { return }
    if lines.isEmpty { lines.append(StyledLine(title, .heading)) }
    let padded = label + String(repeating: " ", count: max(1, Self.labelWidth - Clusters.width(label)))
    lines += layout.wrap(
      [.init(padded, .dim), .init(text, .link, target: target)], width, restIndent: min(Self.labelWidth, width / 3))
    page.actions.append(DetailText.PageAction(target: target, words: "\(label): \(text)"))
  }

  mutating func places(_ location: PlaceMention?, _ license: License?, _ chats: [ChatRoom]) {
    if let location { row("Place", location.name, link: location.mapURL) }
    for chat in chats.prefix(3) {
      row("Chat", [chat.kind, chat.space ?? chat.account ?? chat.server].joined(separator: " "), link: chat.address)
    }
    if let license { row("Licence", license.name, link: license.address) }
  }
}
