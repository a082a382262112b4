import Model

/// Builds a document from the tokens of a description. It keeps counters and short stacks instead of a tree, so that
/// deep nesting costs nothing.
struct DocumentBuilder {
  var blocks: [Document.Block] = []
  var scanner = LineScanner()
  let resolver: LinkResolver
  /// Line breaks in the source are kept.
  let keepsLines: Bool

  var lines = TextLines()
  /// Bytes of text that are not cleaned yet, because libxml2 splits texts at references.
  var pending: [UInt8] = []
  var textBytes = 0

  var bold = 0
  var italic = 0
  var underlined = 0
  var code = 0
  var quotes = 0
  var preformatted = 0
  var preformattedText = ""
  var dropped = 0
  var heading: Int?
  var anchors: [String?] = []
  var lists: [(ordered: Bool, next: Int)] = []
  var item: (depth: Int, ordinal: Int?)?
  /// The number of cells started in the current row of each open table.
  var cells: [Int] = []
  var isCellEmpty = false

  static let blockLimit = 20_000
  static let textLimit = 4_000_000
  static let deepestItem = 8

  init(baseURL: String?, keepsLines: Bool) {
    resolver = LinkResolver(baseURL: baseURL)
    self.keepsLines = keepsLines
  }

  /// The limit is reached, and parsing may stop.
  var isFull: Bool { blocks.count >= Self.blockLimit || textBytes > Self.textLimit }

  mutating func finish() -> Document {
    flush()
    return Document(blocks: trimmed(blocks), links: scanner.links.addresses)
  }

  /// Ends all open elements.
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
