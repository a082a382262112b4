import Foundation

/// The attributes of an `<outline>`, whose spelling differs between clients.
struct OutlineAttributes {
  enum Kind {
    case feed(url: String)
    /// An episode in Overcast's export: `type="podcast-episode"`, inside its podcast.
    case episode
    case folder
    /// A subscription whose address cannot be fetched.
    case refused(address: String)
    /// A playlist, a link, or a podcast that is no subscription any more.
    case other
  }

  private var values: [String: String] = [:]

  init(_ attributes: XMLAttributes) {
    for index in 0..<min(attributes.count, 64) {
      let name = attributes.name(index).lowercased()
      // Ignores rssguard:icon and similar attributes, which contain kilobytes of image data.
      guard Self.names.contains(name), values[name] == nil else { continue }
      values[name] = attributes.value(index)
    }
  }

  private static let names: Set<String> = [
    "xmlurl", "url", "feedurl", "type", "title", "text", "htmlurl", "category", "enclosureurl", "played", "progress",
    "userdeleted", "subscribed",
  ]

  var hasAddress: Bool { values["xmlurl"] != nil }

  var kind: Kind {
    let type = values["type"]?.lowercased() ?? ""
    if type == "podcast-episode" { return .episode }
    if type == "podcast-playlist" { return .other }
    let isFeedType = ["rss", "atom", "link", "podcast", "feed", "pie", "rdf"].contains(type)
    let address = nonEmpty("xmlurl") ?? nonEmpty("feedurl") ?? (isFeedType ? nonEmpty("url") : nil)
    guard let address else { return nonEmpty("url") == nil && nonEmpty("htmlurl") == nil ? .folder : .other }
    // Overcast also exports podcasts that the listener has left.
    if values["subscribed"] == "0" { return .other }
    return Self.feedAddress(address).map { .feed(url: $0) } ?? .refused(address: address)
  }

  /// `title`, or else `text` (which is the description in gPodder's files).
  var title: String? { nonEmpty("title") ?? nonEmpty("text") }
  var htmlURL: String? { nonEmpty("htmlurl").flatMap { LinkResolver(baseURL: nil).resolve($0) } }

  /// The folder's name. Nil for the outermost container in files of Overcast, Pocket Casts and castero.
  var folderName: String? {
    let name = nonEmpty("text") ?? nonEmpty("title")
    return name.flatMap { Self.isContainer($0) ? nil : $0 }
  }

  /// The outermost container of other programs has this name.
  static func isContainer(_ name: String) -> Bool { name.lowercased() == "feeds" }

  /// OPML 2.0: comma-separated, slash-delimited categories. newsboat writes its tags here.
  var categories: [String] {
    (values["category"] ?? "").split(separator: ",").prefix(16).map { CleanText.line(String($0)) }
      .map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }.filter { !$0.isEmpty }
  }

  var progress: OPMLProgress? {
    guard let media = nonEmpty("enclosureurl").flatMap({ LinkResolver(baseURL: nil).resolve($0) }) else { return nil }
    let position = values["progress"].flatMap { NormalPlayTime.parse($0) }
    return OPMLProgress(
      mediaURL: media, title: nonEmpty("title"), isPlayed: isSet("played"), isDeleted: isSet("userdeleted"),
      position: position == 0 ? nil : position)
  }

  private func isSet(_ name: String) -> Bool { ["1", "true", "yes"].contains(values[name]?.lowercased() ?? "") }

  private func nonEmpty(_ name: String) -> String? {
    guard let value = values[name].map(CleanText.line), !value.isEmpty else { return nil }
    return value
  }

  private static let pasteSchemes: Set<String> = ["feed", "pcast", "itpc", "itms", "podcast", "rss"]

  /// An address that can be fetched. Nil for files, newsboat's commands (`|…`, `exec:…`) and other schemes.
  private static func feedAddress(_ text: String) -> String? {
    var rest = text[...]
    for _ in 0..<3 {
      guard let colon = rest.firstIndex(of: ":"), pasteSchemes.contains(rest[..<colon].lowercased()) else { break }
      rest = rest[rest.index(after: colon)...].drop { $0 == "/" }
      if !rest.prefix(8).contains(":") { return resolved("http://" + rest) }
    }
    if let colon = rest.prefix(8).firstIndex(of: ":") {
      return ["http", "https"].contains(rest[..<colon].lowercased()) ? resolved(String(rest)) : nil
    }
    // A host without a scheme, but not a file path.
    let host = rest.prefix { $0 != "/" && $0 != "?" }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, host.count < rest.count, labels.allSatisfy({ !$0.isEmpty }),
      host.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: "~") })
    else { return nil }
    return resolved("https://" + rest)
  }

  private static func resolved(_ address: String) -> String? {
    let resolver = LinkResolver(baseURL: nil)
    // "http://user@" has no host, which shows without the user.
    guard let url = resolver.resolve(address), resolver.resolve(url.withoutUserInfo) != nil else { return nil }
    return url
  }
}
