import Model

/// A piece of a line with its style, before addresses and times are searched.
struct TextRun {
  var text: String
  var style: Document.Style
  /// The address of the surrounding link.
  var address: String?
}

/// Collects the text of one block as lines of runs, and reduces white space.
struct TextLines {
  /// Finished lines and the current one. An empty one stands for a blank line.
  private(set) var lines: [[TextRun]] = [[]]
  private var collapser = CleanText.WhitespaceCollapser()

  var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }
  var isAtLineStart: Bool { lines.last?.isEmpty ?? true }

  /// Adds cleaned text. With `keepsLines`, a "\n" ends the line; otherwise it is a blank.
  mutating func append(_ text: String, style: Document.Style, address: String?, keepsLines: Bool) {
    guard keepsLines else { return append(text.unicodeScalars[...], style: style, address: address) }
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      if number > 0 { breakLine() }
      append(part, style: style, address: address)
    }
  }

  mutating func breakLine() {
    lines.append([])
    collapser = CleanText.WhitespaceCollapser()
  }

  private mutating func append(_ text: Substring.UnicodeScalarView, style: Document.Style, address: String?) {
    var bytes: [UInt8] = []
    for scalar in text { collapser.append(scalar, to: &bytes) }
    guard !bytes.isEmpty else { return }
    let end = lines.count - 1
    // The blank before a link or a bold word is added without style, so that it is not underlined.
    if bytes.first == 0x20, let last = lines[end].last, address != nil || !style.isEmpty,
      last.style != style || last.address != address
    {
      bytes.removeFirst()
      if last.address == nil {
        lines[end][lines[end].count - 1].text += " "
      } else {
        lines[end].append(TextRun(text: " ", style: []))
      }
    }
    let collapsed = String(decoding: bytes, as: UTF8.self)
    if let last = lines[end].last, last.style == style, last.address == address {
      lines[end][lines[end].count - 1].text += collapsed
    } else {
      lines[end].append(TextRun(text: collapsed, style: style, address: address))
    }
  }
}
