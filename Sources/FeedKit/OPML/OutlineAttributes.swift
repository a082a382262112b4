import Foundation
import HTTP

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

  /// An address that can be fetched, by the same rule as one that a listener types. Nil for files, newsboat's commands
  /// (`|…`, `exec:…`) and other schemes. A word without a scheme, a path and a query is more likely a file than a host.
  private static func feedAddress(_ text: String) -> String? {
    guard !text.hasPrefix("|"), text.contains(where: { "/?".contains($0) }) || WebAddress.scheme(of: text) != nil,
      let address = try? FeedAddress.parse(text), let url = address.urls.first
    else { return nil }
    guard let credentials = address.credentials else { return url }
    return (try? WebAddress(url))?.text(with: credentials)
  }
}
