/// The meaning of an HTML element for displaying text. Elements that are not listed are ignored, but their content is
/// kept.
enum HTMLElement {
  /// Starts and ends a paragraph.
  case block
  case heading(Int)
  case list(ordered: Bool)
  case item
  case quote
  case preformatted
  case rule
  case lineBreak
  case image
  case anchor
  case bold, italic, underlined, code
  /// The `<q>` of a short quotation.
  case quotation
  case term
  case table, row
  case cell(header: Bool)
  /// Dropped with its content.
  case dropped
  /// Known, but without meaning here.
  case transparent

  /// Whether it ends the line, so that surrounding white space is meaningless.
  var breaksLine: Bool {
    switch self {
    case .block, .heading, .list, .item, .quote, .preformatted, .rule, .lineBreak, .image, .term, .table, .row: true
    default: false
    }
  }

  /// Whether its tags separate words: it ends the line, or a mark stands before it.
  var separatesWords: Bool { if case .cell = self { true } else { breaksLine } }

  var isDropped: Bool { if case .dropped = self { true } else { false } }

  /// Dropped elements in whose content a `<` begins nothing but the end tag.
  static let rawText: Set<String> = ["script", "style"]

  static let named: [String: HTMLElement] = {
    var table: [String: HTMLElement] = [
      "h1": .heading(1), "h2": .heading(2), "h3": .heading(3), "h4": .heading(4), "h5": .heading(5), "h6": .heading(6),
      "ul": .list(ordered: false), "menu": .list(ordered: false), "dir": .list(ordered: false),
      "ol": .list(ordered: true), "li": .item, "blockquote": .quote, "pre": .preformatted, "xmp": .preformatted,
      "listing": .preformatted, "hr": .rule, "br": .lineBreak, "img": .image, "a": .anchor, "q": .quotation,
      "dt": .term, "table": .table, "tr": .row, "td": .cell(header: false), "th": .cell(header: true),
    ]
    let rows: [(HTMLElement, [String])] = [
      (.bold, ["b", "strong"]),
      (.italic, ["i", "em", "cite", "dfn", "var", "address"]),
      (.underlined, ["u", "ins"]),
      (.code, ["code", "tt", "kbd", "samp"]),
      (
        .block,
        [
          "p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "center", "figure",
          "figcaption", "fieldset", "form", "details", "summary", "dl", "dd", "hgroup", "caption", "legend",
        ]
      ),
      (
        .dropped,
        [
          "script", "style", "iframe", "object", "noscript", "noembed", "noframes", "title", "template", "svg", "math",
          "video", "audio", "canvas", "select", "textarea", "map", "applet", "frameset",
        ]
      ),
      (
        .transparent,
        [
          "html", "head", "body", "span", "font", "sup", "sub", "small", "big", "s", "strike", "del", "mark", "abbr",
          "acronym", "time", "label", "input", "button", "wbr", "nobr", "tbody", "thead", "tfoot", "col", "colgroup",
          "meta", "link", "base", "bdo", "bdi", "ruby", "rt", "rp", "picture", "source", "param", "area", "embed",
        ]
      ),
    ]
    for (element, names) in rows { for name in names { table[name] = element } }
    return table
  }()

  /// The element with this tag name, in upper or lower case. Nil if unknown.
  static func named(bytes: some Collection<UInt8>) -> HTMLElement? {
    named[String(decoding: bytes.map(ByteScan.lower), as: UTF8.self)]
  }
}
