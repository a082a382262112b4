import Model
import TerminalKit

/// A line of the table at the end of a page. It is left out if it has neither a text nor a link.
struct FactLine {
  var text: String?
  /// An address, which gets a number.
  var link: String?
  /// What the text leads to if that is not an address.
  var target: LinkTarget?
  /// Nil: the label of its row.
  var label: String?

  init(_ text: String?, link: String? = nil, target: LinkTarget? = nil, label: String? = nil) {
    self.text = text
    self.link = link
    self.target = target
    self.label = label
  }
}

/// The table at the end of a page: a label on the left, a text beside it. Addresses get a number and are added to the
/// links of the page.
extension DetailText {
  static let labelWidth = 12

  /// How far the further lines of a text are indented: to the text of the first line where there is room for it.
  static func restIndent(in width: Int) -> Int { width >= 2 * labelWidth ? labelWidth : min(2, width / 3) }

  func table<Detail>(
    _ title: String, _ facts: [Fact<Detail>], of detail: Detail, _ width: Int, _ page: inout Page
  ) -> [StyledLine] {
    let rows = facts.flatMap { fact in fact.lines(detail, self).map { ($0.label ?? fact.label, $0) } }
    return table(title, rows, width, &page)
  }

  /// - Parameter rows: the lines with their labels.
  func table(_ title: String, _ rows: [(String, FactLine)], _ width: Int, _ page: inout Page) -> [StyledLine] {
    let lines = rows.flatMap { label, line in row(label, line, width, &page) }
    return lines.isEmpty ? [] : [StyledLine(title, .heading)] + lines
  }

  private func row(_ label: String, _ line: FactLine, _ width: Int, _ page: inout Page) -> [StyledLine] {
    let text = line.text.map { Sanitize.line($0) } ?? ""
    guard !text.isEmpty || line.link != nil else { return [] }
    let padded = label + String(repeating: " ", count: max(1, Self.labelWidth - Clusters.width(label)))
    var spans: [StyledLine.Span] = [.init(padded, .dim)]
    let target = line.target ?? line.link.map { .address($0) }
    if !text.isEmpty { spans.append(.init(text, target == nil ? .text : .link, target: target)) }
    if let link = line.link {
      let known = page.links.firstIndex { $0.address == link }
      if known == nil { page.links.append(NamedLink(link, text.isEmpty ? label : "\(label): \(text)")) }
      spans.append(.init((text.isEmpty ? "" : " ") + "[\((known ?? page.links.count - 1) + 1)]", .key, target: target))
      // An address of the text is in its list of links.
      if known == nil {
        spans.append(.init(" " + Sanitize.line(ShownAddress(link).description), .link, target: target))
      }
    }
    if let target = line.target { page.actions.append(.init(target: target, words: "\(label): \(text)")) }
    // In a narrow pane an address needs the whole width.
    let isWideAddress = line.link != nil && width < 48
    return wrap(spans, width, restIndent: isWideAddress ? 2 : Self.restIndent(in: width))
  }
}
