/// An `<img>` and its purpose.
struct ImageReference {
  var source: String
  var alternative: String
  private var width: Int?
  private var height: Int?
  private var style: String
  private var kind: String

  init(_ attributes: HTMLAttributes) {
    source = attributes["src"] ?? ""
    alternative = CleanText.line(HTMLEntities.decoded(attributes["alt"] ?? ""))
    width = attributes["width"].flatMap(Self.pixels)
    height = attributes["height"].flatMap(Self.pixels)
    style = attributes["style"]?.lowercased().replacing(" ", with: "") ?? ""
    kind = attributes["class"]?.lowercased() ?? ""
    if let dataSource = attributes["data-src"], source.isEmpty || source.hasPrefix("data:") { source = dataSource }
  }

  /// A tracking pixel or a spacer, which is not shown.
  var isInvisible: Bool {
    if let width, width <= 1 { return true }
    if let height, height <= 1 { return true }
    if ["display:none", "visibility:hidden", "width:1px", "height:1px"].contains(where: style.contains) { return true }
    return Self.counters.contains(where: source.contains)
  }

  /// An emoji as an image, with its character as the alternative text.
  var isSymbol: Bool {
    !alternative.isEmpty && alternative.count <= 4
      && (["emoji", "smiley"].contains(where: kind.contains) || ["emoji", "smilies"].contains(where: source.contains))
  }

  private static let counters = [
    "feeds.feedburner.com/~r/", "feeds.wordpress.com/1.0/", "pixel.wp.com", "stats.wordpress.com", "/b.gif?",
    "doubleclick.net", "feedsportal.com", "google-analytics.com", "pixel.quantserve.com",
  ]

  private static func pixels(_ text: String) -> Int? {
    Int(text.prefix { $0.isASCII && $0.isNumber })
  }
}
