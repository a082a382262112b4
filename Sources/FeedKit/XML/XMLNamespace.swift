/// The XML vocabularies of feeds and subscription lists.
///
/// Names are matched by namespace address, not by prefix. Addresses are compared without scheme, `www.`, case and
/// trailing `/` or `#`, because feeds vary in these. If a prefix is not declared, or its address is unknown, the
/// prefix's usual vocabulary is assumed. `podcast` is too common a word for that: an unknown address is something else.
enum XMLNamespace: UInt8, Sendable, CaseIterable {
  /// No namespace, or a namespace of RSS itself (`http://purl.org/rss/1.0/`, Netscape's, Userland's).
  case none
  case atom, atom03, rdf, cdf, xhtml, xml
  case itunes, googlePlay, podcast, content, media, dc, dcterms, psc, history, rawvoice, admin, feedburner, fullItem,
    syndication
  /// Declared, but not a supported vocabulary.
  case other

  /// It extends feeds, and has no root element.
  var isModule: Bool {
    switch self {
    case .none, .atom, .atom03, .rdf, .cdf, .xhtml, .xml, .other: false
    default: true
    }
  }

  /// The namespace for this address and prefix.
  static func resolve(address: String?, prefix: String?) -> XMLNamespace {
    if let address, !address.isEmpty {
      let key = normalised(address)
      if let known = byAddress[key] { return known }
      if key.hasSuffix("podcast-1.0.dtd") { return .itunes }
      if isPodcasting(key) { return .podcast }
      if key.hasSuffix("play-podcasts/1.0") { return .googlePlay }
      if let prefix, let usual = byPrefix[prefix.lowercased()], unambiguous.contains(usual) { return usual }
      return .other
    }
    guard let prefix, !prefix.isEmpty else { return .none }
    return byPrefix[prefix.lowercased()] ?? .other
  }

  private static func normalised(_ address: String) -> String {
    var key = Substring(address.lowercased())
    while let first = key.first, first.isWhitespace { key.removeFirst() }
    for prefix in ["http://", "https://", "www."] where key.hasPrefix(prefix) { key.removeFirst(prefix.count) }
    while let last = key.last, last == "/" || last == "#" || last.isWhitespace { key.removeLast() }
    return String(key)
  }

  /// Vocabularies whose prefix is unambiguous, whatever its declaration says.
  private static let unambiguous: Set<XMLNamespace> = [
    .itunes, .googlePlay, .psc, .rawvoice, .content, .media, .dc, .dcterms,
  ]

  /// Whether an address is one of Podcasting 2.0: its repository, under any owner, or a page of podcastindex.org.
  private static func isPodcasting(_ key: String) -> Bool {
    key.contains("podcast-namespace") || key.prefix { $0 != "/" } == "podcastindex.org"
  }

  private static let byAddress: [String: XMLNamespace] = [
    // RSS under its historical addresses.
    "purl.org/rss/1.0": .none, "purl.org/rss/1.0/rss": .none, "purl.org/rss/0.9": .none, "purl.org/net/rss1.1": .none,
    "my.netscape.com/rdf/simple/0.9": .none, "channel.netscape.com/rdf/simple/0.9": .none,
    "my.netscape.com/publish/formats/rss-0.91.dtd": .none, "backend.userland.com/rss": .none,
    "backend.userland.com/rss2": .none, "blogs.law.harvard.edu/tech/rss": .none, "cyber.law.harvard.edu/rss": .none,
    "cyber.law.harvard.edu/rss/rss.html": .none, "backend.userland.com/rss091": .none,
    "backend.userland.com/rss092": .none, "backend.userland.com/rss2.0": .none, "backend.userland.com/rss-0.91": .none,
    "rssboard.org/rss-specification": .none, "purl.org/rss/1.0/modules/rss091": .none,
    // mod_enclosure: RSS 2.0's enclosure for RSS 1.0.
    "purl.oclc.org/net/rss_2.0/enc": .none, "opml.org/spec2": .none,
    "w3.org/2005/atom": .atom, "w3.org/2005/atom-feed": .atom,
    "purl.org/atom/ns": .atom03, "purl.org/atom/1.0": .atom, "example.com/newformat": .atom03, "necho": .atom03,
    "purl.org/echo": .atom03, "uri/of/echo/namespace": .atom03, "purl.org/pie": .atom03,
    "w3.org/1999/02/22-rdf-syntax-ns": .rdf,
    "microsoft.com/standards/channels.dtd": .cdf,
    "w3.org/1999/xhtml": .xhtml, "w3.org/tr/rec-html40": .xhtml,
    "w3.org/xml/1998/namespace": .xml,
    "itunes.com/dtds/podcast-1.0.dtd": .itunes, "itunes.com/dtds/podcast-1.0": .itunes,
    "itunes.apple.com/dtds/podcast-1.0.dtd": .itunes, "itunes.com/dtds/podcast": .itunes,
    "google.com/schemas/play-podcasts/1.0": .googlePlay,
    "purl.org/rss/1.0/modules/content": .content,
    "search.yahoo.com/mrss": .media, "search.yahoo.com/rss": .media, "rssboard.org/media-rss": .media,
    "tools.search.yahoo.com/mrss": .media, "video.search.yahoo.com/mrss": .media,
    "video.search.yahoo.co.jp/mrss": .media,
    "purl.org/dc/elements/1.1": .dc, "purl.org/dc/elements/1.0": .dc, "purl.org/metadata/dublin_core": .dc,
    "purl.org/dc/terms": .dcterms,
    "podlove.org/simple-chapters": .psc,
    "purl.org/syndication/history/1.0": .history,
    "purl.org/rss/1.0/modules/syndication": .syndication,
    "rawvoice.com/rawvoicerssmodule": .rawvoice, "blubrry.com/developer/rawvoice-rss": .rawvoice,
    "webns.net/mvcb": .admin,
    "rssnamespace.org/feedburner/ext/1.0": .feedburner,
    "schemas.pocketsoap.com/rss/mydescmodule": .fullItem,
  ]

  private static let byPrefix: [String: XMLNamespace] = [
    "itunes": .itunes, "googleplay": .googlePlay, "podcast": .podcast, "content": .content, "media": .media,
    "dc": .dc, "dcterms": .dcterms, "psc": .psc, "atom": .atom, "atom10": .atom, "a10": .atom, "rdf": .rdf,
    "fh": .history, "rawvoice": .rawvoice, "xhtml": .xhtml, "xml": .xml, "rss": .none, "admin": .admin,
    "feedburner": .feedburner, "sy": .syndication,
  ]
}
