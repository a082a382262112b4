import Model

/// Creates the blocks of a document: text, headings, list items, table cells and images.
extension DocumentBuilder {
  var style: Document.Style {
    var style: Document.Style = []
    if bold > 0, heading == nil { style.insert(.bold) }
    if italic > 0 { style.insert(.italic) }
    if underlined > 0 { style.insert(.underline) }
    if code > 0 { style.insert(.code) }
    return style
  }

  mutating func takeText() {
    guard !pending.isEmpty else { return }
    let text = String(decoding: pending, as: UTF8.self)
    pending.removeAll(keepingCapacity: true)
    append(text)
  }

  mutating func append(_ text: String) {
    textBytes += text.utf8.count
    if isCellEmpty, !text.unicodeScalars.allSatisfy(CleanText.isSpace) { isCellEmpty = false }
    if preformatted > 0 {
      preformattedText += CleanText.scrubbed(text)
      return
    }
    // A remaining reference was escaped twice ("&amp;nbsp;"). In code it may be intended.
    let decoded = code > 0 ? text : HTMLEntities.decoded(text)
    lines.append(CleanText.scrubbed(decoded), style: style, address: anchors.last ?? nil, keepsLines: keepsLines)
  }

  /// Ends a paragraph, or inside a list item or table cell only the line.
  mutating func separate() {
    guard preformatted == 0 else { return }
    if item != nil || heading != nil || (cells.last ?? 0) > 1 {
      if !lines.isAtLineStart, !(isCellEmpty && !cells.isEmpty) { lines.breakLine() }
    } else {
      flush()
    }
  }

  mutating func startHeading(_ level: Int) {
    if item != nil {
      separate()
      bold += 1
    } else {
      flush()
      heading = level
    }
  }

  mutating func endHeading() {
    if heading != nil {
      flush()
      heading = nil
    } else {
      bold = max(0, bold - 1)
      separate()
    }
  }

  mutating func startItem(_ attributes: HTMLAttributes?) {
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

  mutating func startCell(header: Bool) {
    guard !cells.isEmpty else { return separate() }
    cells[cells.count - 1] += 1
    if !lines.isAtLineStart, cells[cells.count - 1] > 1 { append(" | ") }
    isCellEmpty = true
    if header { bold += 1 }
  }

  mutating func endPreformatted() {
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

  mutating func image(_ attributes: HTMLAttributes?) {
    guard let attributes else { return }
    let image = ImageReference(attributes)
    guard !image.isInvisible else { return }
    if image.isSymbol {
      append(image.alternative)
      return
    }
    // An image inside a link stands for the link.
    let address = (anchors.last ?? nil) ?? resolver.resolve(image.source)
    guard address != nil || !image.alternative.isEmpty else { return }
    let keptItem = item
    flush()
    item = keptItem
    blocks.append(.image(alternative: image.alternative, link: address.flatMap { scanner.links.index(of: $0) }))
  }

  /// Turns the collected text into blocks.
  mutating func flush() {
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

  mutating func append(_ part: TextLayout.Part) {
    switch part {
    case .rule: if blocks.last != .rule { blocks.append(.rule) }
    case .item(let ordinal, let line):
      blocks.append(.item(depth: min(lists.count, Self.deepestItem), ordinal: ordinal, spans([line])))
    case .paragraph(let lines):
      blocks.append(quotes > 0 ? .quote(spans(lines)) : .paragraph(spans(lines)))
    }
  }

  mutating func spans(_ lines: [[TextRun]], separator: String = "\n") -> [Document.Span] {
    var result: [Document.Span] = []
    for (number, line) in lines.enumerated() {
      if number > 0 {
        if let last = result.last, last.link == nil, last.time == nil {
          result[result.count - 1].text += separator
        } else {
          result.append(Document.Span(separator))
        }
      }
      scanner.append(line, to: &result)
    }
    return result
  }

  func trimmed(_ blocks: [Document.Block]) -> [Document.Block] {
    let body = blocks.drop { $0 == .rule }
    return Array(body[..<(body.lastIndex { $0 != .rule }.map { $0 + 1 } ?? body.startIndex)])
  }
}
