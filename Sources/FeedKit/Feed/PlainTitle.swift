/// Converts a title (or another line of text) with HTML to plain text on one line.
///
/// RSS does not say whether titles are HTML. Many hosts escape twice (`Tom &amp;amp; Jerry`) or send tags. If the XML
/// text still contains a character reference or an inline HTML tag, it is read as HTML, as AntennaPod does. Other
/// texts stay unchanged: `a < b`, `AT&T` and `<3` are not HTML. Other HTML tags are removed only if they have
/// attributes, together with their end tags: `How <video> works` is about the tag, `<embed src="…">` is one. A tag of
/// the others is text, too, if it stands like a word, has no attributes and no partner: `Why <b> is not <strong>`.
enum PlainTitle {
  static func text(_ title: String) -> String {
    var title = line(title)
    guard title.holds(UInt8(ascii: "<")) || title.holds(UInt8(ascii: "&")) else { return title }
    var result = ByteBuffer(capacity: title.utf8.count)
    let words = title.holds(UInt8(ascii: "<")) ? TagWords(title) : TagWords()
    let entities = XMLEntities(limits: .standard)
    title.withUTF8 { bytes in
      guard var at = bytes.baseAddress else { return }
      let (start, end) = (at, at + bytes.count)
      var known = Tags(before: end)
      while at < end {
        if at.pointee == UInt8(ascii: "<"), !words.contains(at - start), let tag = tag(at, end, &known) {
          at = tag.end
          if breaking.contains(tag.name) {
            if !result.isEmpty, result.last() != 0x20 { result.append(0x20) }
            at = ByteScan.blanks(at, end)
          }
        } else if at.pointee == UInt8(ascii: "&"), let next = reference(at, end, entities, &result) {
          at = next
        } else {
          result.append(at.pointee)
          at += 1
        }
      }
    }
    return String(decoding: result.bytes, as: UTF8.self).trimmed
  }

  /// Feeds break and indent titles. Other white space stays as the publisher wrote it.
  static func line(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else { return text }
    var bytes: [UInt8] = []
    var collapser = CleanText.WhitespaceCollapser()
    for scalar in text.unicodeScalars { collapser.append(scalar == "\r" ? "\n" : scalar, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func reference(
    _ at: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ entities: XMLEntities, _ result: inout ByteBuffer
  ) -> UnsafePointer<UInt8>? {
    let window = min(end, at + 34)
    guard let close = ByteScan.find(UInt8(ascii: ";"), at, window), close > at + 1 else { return nil }
    let name = UnsafeBufferPointer(start: at + 1, count: close - at - 1)
    guard case .scalar(let scalar) = entities.resolve(name)?.text else { return nil }
    result.append(scalar: scalar)
    return close + 1
  }

  /// What is known from tag to tag.
  private struct Tags {
    /// The names of the tags that were removed.
    var dropped: Set<String> = []
    var closing: ByteScan.Next
    var equals: ByteScan.Next

    init(before end: UnsafePointer<UInt8>) {
      closing = ByteScan.Next(UInt8(ascii: ">"), before: end)
      equals = ByteScan.Next(UInt8(ascii: "="), before: end)
    }
  }

  /// The name and end of `<tag …>` or `</tag>`, if it is a tag that is used in titles.
  private static func tag(
    _ at: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ known: inout Tags
  ) -> (name: String, end: UnsafePointer<UInt8>)? {
    var start = at + 1
    if start < end, start.pointee == UInt8(ascii: "/") { start += 1 }
    guard let nameEnd = ByteScan.name(start, end), nameEnd > start, ByteScan.endsName(nameEnd.pointee) else {
      return nil
    }
    let name = String(decoding: UnsafeBufferPointer(start: start, count: nameEnd - start), as: UTF8.self).lowercased()
    if start == at + 1, hidden.contains(name) {
      // The text of a script or style element is removed.
      var scan = nameEnd
      while let open = ByteScan.find(UInt8(ascii: "<"), scan, end) {
        if ByteScan.has("</", open, end) {
          return (name, ByteScan.find(UInt8(ascii: ">"), open, end).map { $0 + 1 } ?? end)
        }
        scan = open + 1
      }
      return (name, end)
    }
    guard let close = known.closing.find(from: nameEnd) else { return nil }
    if tags.contains(name) || breaking.contains(name) { return (name, close + 1) }
    guard start == at + 1 else { return known.dropped.contains(name) ? (name, close + 1) : nil }
    guard embedding.contains(name), let equals = known.equals.find(from: nameEnd), equals < close else { return nil }
    known.dropped.insert(name)
    return (name, close + 1)
  }

  /// Elements whose text is not shown.
  static let hidden: Set<String> = ["script", "style"]
  private static let embedding: Set<String> = [
    "applet", "audio", "base", "button", "embed", "form", "frame", "frameset", "iframe", "input", "link", "meta",
    "object", "param", "picture", "source", "svg", "table", "td", "tr", "video",
  ]
  /// Elements that start a line, so they separate words.
  static let breaking: Set<String> = ["br", "div", "h1", "h2", "h3", "h4", "p"]
  private static let tags: Set<String> = [
    "a", "abbr", "b", "big", "blink", "cite", "code", "em", "font", "i", "img", "q", "s", "small", "span", "strike",
    "strong", "sub", "sup", "tt", "u", "wbr",
  ]
}
