import FeedKit
import Foundation
import Model

/// What a page of another player contains about a podcast or episode: links to feeds, links to Apple's directory, and
/// Open Graph titles (ogp.me).
struct SharedPage: Equatable {
  /// Feeds that the page declares (`<link rel="alternate">`), then feeds that it links to.
  var feedURLs: [String] { declaredFeeds + linkedFeeds }
  private var declaredFeeds: [String] = []
  private var linkedFeeds: [String] = []
  var appleID: String?
  var title: String?
  /// The address of the episode's audio.
  var mediaURL: String?

  /// Parses at most 4 MB.
  init(_ html: Data) {
    let bytes = [UInt8](html.prefix(4_000_000))
    var page = self
    let title = HTMLHead.elements(in: bytes) { page.read($0, $1) }
    self = page
    self.title = self.title ?? title.flatMap(JSONValue.line)
    if feedURLs.isEmpty, let id = Self.channel(in: html) { linkedFeeds = [SharedLink.youTubeFeed(channel: id)] }
  }

  private mutating func read(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "link": readLink(attributes)
    case "meta": readMeta(attributes)
    case "a": readAnchor(attributes["href"])
    case "audio", "source": mediaURL = mediaURL ?? attributes["src"].flatMap(Self.address).map(Self.withoutFragment)
    default: break
    }
  }

  private mutating func readLink(_ attributes: [String: String]) {
    let type = attributes["type"]?.lowercased() ?? ""
    guard attributes["rel"]?.lowercased() == "alternate",
      type.hasPrefix("application/rss") || type.hasPrefix("application/atom"),
      let url = attributes["href"].flatMap(Self.address)
    else { return }
    declaredFeeds.append(url)
  }

  private mutating func readMeta(_ attributes: [String: String]) {
    guard let content = attributes["content"] else { return }
    switch (attributes["property"] ?? attributes["name"])?.lowercased() {
    case "og:title": title = JSONValue.line(content)
    case "og:audio", "og:audio:url", "twitter:player:stream": mediaURL = mediaURL ?? Self.address(content)
    default: break
    }
  }

  private mutating func readAnchor(_ href: String?) {
    guard let href else { return }
    if appleID == nil,
      case .apple(let id, _, _)? = SharedLink(href.hasPrefix("/itunes") ? "https://overcast.fm" + href : href)
    {
      appleID = id
    } else if href.firstMatch(of: /(\.rss|\.xml|\/feed\/?|\/rss\/?)$/.ignoresCase()) != nil,
      let url = Self.address(href)
    {
      linkedFeeds.append(url)
    }
  }

  /// The parts of a title such as "Episode — Podcast", without the name of the site.
  func titles(of site: SharedLink.PageSite) -> [String] {
    guard let title else { return [] }
    let parts = title.split(separator: #/ (?:—|–|\||·|-) /#).map(String.init)
    let own = parts.filter { !MatchText.normal($0).contains(MatchText.normal(site.rawValue)) }
    return own.isEmpty ? parts : own
  }

  /// The YouTube channel id from the scripts of the page, if the page has no link to its feed.
  private static func channel(in html: Data) -> String? {
    for key in [#""externalId":""#, #""channelId":""#] {
      guard let found = html.range(of: Data(key.utf8)) else { continue }
      let id = html[found.upperBound...].prefix(40).prefix { $0 != UInt8(ascii: "\"") }
      let text = String(decoding: id, as: UTF8.self)
      if text.wholeMatch(of: /UC[0-9A-Za-z_-]{10,37}/) != nil { return text }
    }
    return nil
  }

  private static func address(_ text: String) -> String? {
    let lowercased = text.lowercased()
    return lowercased.hasPrefix("https://") || lowercased.hasPrefix("http://") ? text : nil
  }

  private static func withoutFragment(_ text: String) -> String {
    text.split(separator: "#", maxSplits: 1).first.map(String.init) ?? text
  }
}
