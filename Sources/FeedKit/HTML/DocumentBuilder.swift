import Model

/// Builds a document from the tokens of a description. It keeps counts and short stacks, never a tree, so that a
/// page that is nested a million deep costs no more than a flat one.
struct DocumentBuilder {
  private(set) var blocks: [Document.Block] = []
  private var scanner = LineScanner()
  private let resolver: LinkResolver
  /// A line end in the source is one on the screen.
  private let keepsLines: Bool

  private var lines = TextLines()
  /// Bytes of the text that has not been cleaned yet: libxml2 cuts texts at references.
  private var pending: [UInt8] = []
  private var textBytes = 0

  private var bold = 0
  private var italic = 0
  private var underlined = 0
  private var code = 0
  private var quotes = 0
  private var preformatted = 0
  private var preformattedText = ""
  private var dropped = 0
  private var heading: Int?
  private var anchors: [String?] = []
  private var lists: [(ordered: Bool, next: Int)] = []
  private var item: (depth: Int, ordinal: Int?)?
  /// Cells begun in the current row of each open table.
  private var cells: [Int] = []
  private var isCellEmpty = false

  private static let mostBlocks = 20_000
  private static let mostText = 4_000_000
  private static let deepestItem = 8

  init(baseURL: String?, keepsLines: Bool) {
    resolver = LinkResolver(baseURL: baseURL)
    self.keepsLines = keepsLines
  }

  /// Nobody reads on; the reader may stop.
  var isFull: Bool { blocks.count >= Self.mostBlocks || textBytes > Self.mostText }

  mutating func finish() -> Document {
    flush()
    return Document(blocks: trimmed(blocks), links: scanner.links.addresses)
  }

  /// Ends every open element.
  mutating func leaveAll() {
    flush()
    (bold, italic, underlined, code, quotes, preformatted, dropped) = (0, 0, 0, 0, 0, 0, 0)
    (heading, item) = (nil, nil)
    (anchors, lists, cells) = ([], [], [])
  }

  mutating func text(_ bytes: some Sequence<UInt8>) {
    if dropped == 0 { pending.append(contentsOf: bytes) }
  }

  mutating func start(_ name: String, _ attributes: HTMLAttributes?) {
    guard let element = HTMLElement.named[name] else { return }
    takeText()
    if case .dropped = element { dropped += 1 }
    guard dropped == 0 else { return }
    switch element {
    case .bold: bold += 1
    case .italic: italic += 1
    case .underlined: underlined += 1
    case .code: code += 1
    case .quotation: append("“")
    case .anchor: anchors.append(attributes?["href"].flatMap(resolver.resolve))
    case .lineBreak: preformatted > 0 ? preformattedText.append("\n") : lines.breakLine()
    case .image: image(attributes)
    case .rule:
      flush()
      if blocks.last != .rule { blocks.append(.rule) }
    case .heading(let level): startHeading(level)
    case .list(let ordered):
      flush()
      let first = attributes?["start"].flatMap { Int($0) } ?? 1
      lists.append((ordered, (0...1_000_000).contains(first) ? first : 1))
    case .item: startItem(attributes)
    case .quote:
      flush()
      quotes += 1
    case .preformatted:
      flush()
      preformatted += 1
    case .term:
      flush()
      bold += 1
    case .table:
      flush()
      cells.append(0)
    case .row: if !cells.isEmpty { cells[cells.count - 1] = 0 }
    case .cell(let header): startCell(header: header)
    case .block: separate()
    case .dropped, .transparent: break
    }
  }

  mutating func end(_ name: String) {
    guard let element = HTMLElement.named[name] else { return }
    takeText()
    if case .dropped = element {
      dropped = max(0, dropped - 1)
      return
    }
    guard dropped == 0 else { return }
    switch element {
    case .bold: bold = max(0, bold - 1)
    case .italic: italic = max(0, italic - 1)
    case .underlined: underlined = max(0, underlined - 1)
    case .code: code = max(0, code - 1)
    case .quotation: append("”")
    case .anchor: _ = anchors.popLast()
    case .heading: endHeading()
    case .list:
      flush()
      _ = lists.popLast()
      item = nil
    case .item:
      flush()
      item = nil
    case .quote:
      flush()
      quotes = max(0, quotes - 1)
    case .preformatted: endPreformatted()
    case .term:
      flush()
      bold = max(0, bold - 1)
    case .table:
      flush()
      _ = cells.popLast()
    case .row: if !lines.isAtLineStart { lines.breakLine() }
    case .cell(let header): if header { bold = max(0, bold - 1) }
    case .block: separate()
    case .lineBreak, .image, .rule, .dropped, .transparent: break
    }
  }
}

extension DocumentBuilder {
  private var style: Document.Style {
    var style: Document.Style = []
    if bold > 0, heading == nil { style.insert(.bold) }
    if italic > 0 { style.insert(.italic) }
    if underlined > 0 { style.insert(.underline) }
    if code > 0 { style.insert(.code) }
    return style
  }

  private mutating func takeText() {
    guard !pending.isEmpty else { return }
    let text = String(decoding: pending, as: UTF8.self)
    pending.removeAll(keepingCapacity: true)
    append(text)
  }

  private mutating func append(_ text: String) {
    textBytes += text.utf8.count
    if isCellEmpty, !text.unicodeScalars.allSatisfy(CleanText.isSpace) { isCellEmpty = false }
    if preformatted > 0 {
      preformattedText += CleanText.scrubbed(text)
      return
    }
    // A reference that is still there was escaped twice ("&amp;nbsp;"); in code it may be meant.
    let decoded = code > 0 ? text : HTMLEntities.decoded(text)
    lines.append(CleanText.scrubbed(decoded), style: style, address: anchors.last ?? nil, keepsLines: keepsLines)
  }

  /// Ends a paragraph; inside an item or a table's cell, only the line.
  private mutating func separate() {
    guard preformatted == 0 else { return }
    if item != nil || heading != nil || (cells.last ?? 0) > 1 {
      if !lines.isAtLineStart, !(isCellEmpty && !cells.isEmpty) { lines.breakLine() }
    } else {
      flush()
    }
  }

  private mutating func startHeading(_ level: Int) {
    if item != nil {
      separate()
      bold += 1
    } else {
      flush()
      heading = level
    }
  }

  private mutating func endHeading() {
    if heading != nil {
      flush()
      heading = nil
    } else {
      bold = max(0, bold - 1)
      separate()
    }
  }

  private mutating func startItem(_ attributes: HTMLAttributes?) {
    flush()
    let depth = min(max(lists.count - 1, 0), Self.deepestItem)
    guard let list = lists.last, list.ordered else {
      item = (depth, nil)
      return
    }
    let own = attributes?["value"].flatMap { Int($0) }.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
    let ordinal = own ?? list.next
    lists[lists.count - 1].next = ordinal + 1
    item = (depth, ordinal)
  }

  private mutating func startCell(header: Bool) {
    guard !cells.isEmpty else { return separate() }
    cells[cells.count - 1] += 1
    if !lines.isAtLineStart, cells[cells.count - 1] > 1 { append(" | ") }
    isCellEmpty = true
    if header { bold += 1 }
  }

  private mutating func endPreformatted() {
    preformatted = max(0, preformatted - 1)
    guard preformatted == 0 else { return }
    let text = preformattedText.replacing("\t", with: "    ")
    preformattedText = ""
    let kept = text.split(separator: "\n", omittingEmptySubsequences: false)
    let body = kept.drop { $0.allSatisfy { $0 == " " } }
    let end = body.lastIndex { !$0.allSatisfy { $0 == " " } }
    guard let end else { return }
    blocks.append(.code(body[...end].joined(separator: "\n")))
  }

  private mutating func image(_ attributes: HTMLAttributes?) {
    guard let attributes else { return }
    let image = ImageReference(attributes)
    guard !image.isInvisible else { return }
    if image.isSymbol {
      append(image.alternative)
      return
    }
    // A picture that is a link stands for where the link leads.
    let address = (anchors.last ?? nil) ?? resolver.resolve(image.source)
    guard address != nil || !image.alternative.isEmpty else { return }
    let keptItem = item
    flush()
    item = keptItem
    blocks.append(.image(alternative: image.alternative, link: address.flatMap { scanner.links.index(of: $0) }))
  }

  /// Puts what has been collected into blocks.
  private mutating func flush() {
    takeText()
    if preformatted > 0, !preformattedText.isEmpty {
      let depth = preformatted
      preformatted = 1
      endPreformatted()
      preformatted = depth
    }
    guard !lines.isEmpty else {
      lines = TextLines()
      return
    }
    let collected = lines.lines
    lines = TextLines()
    if let heading {
      blocks.append(.heading(level: heading, spans(collected.filter { !$0.isEmpty }, separator: " ")))
    } else if let item {
      blocks.append(.item(depth: item.depth, ordinal: item.ordinal, spans(collected.filter { !$0.isEmpty })))
      self.item = nil
    } else {
      for part in TextLayout.parts(of: collected, wrapped: keepsLines) where !isFull { append(part) }
    }
  }

  private mutating func append(_ part: TextLayout.Part) {
    switch part {
    case .rule: if blocks.last != .rule { blocks.append(.rule) }
    case .item(let ordinal, let line):
      blocks.append(.item(depth: min(lists.count, Self.deepestItem), ordinal: ordinal, spans([line])))
    case .paragraph(let lines):
      blocks.append(quotes > 0 ? .quote(spans(lines)) : .paragraph(spans(lines)))
    }
  }

  private mutating func spans(_ lines: [[TextRun]], separator: String = "\n") -> [Document.Span] {
    var result: [Document.Span] = []
    for (number, line) in lines.enumerated() {
      if number > 0 {
        if let last = result.last, last.link == nil, last.time == nil {
          result[result.count - 1].text += separator
        } else {
          result.append(Document.Span(separator))
        }
      }
      for span in scanner.spans(of: line) {
        if let last = result.last, last.link == span.link, last.time == span.time, last.style == span.style {
          result[result.count - 1].text += span.text
        } else {
          result.append(span)
        }
      }
    }
    return result
  }

  private func trimmed(_ blocks: [Document.Block]) -> [Document.Block] {
    let body = blocks.drop { $0 == .rule }
    return Array(body[..<(body.lastIndex { $0 != .rule }.map { $0 + 1 } ?? body.startIndex)])
  }
}
