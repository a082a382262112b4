import Foundation
import TerminalKit

/// What the page of another player says of the podcast or episode that it shows. The markup is read for a few tags
/// only: links to feeds, links to Apple's directory, and the titles of the Open Graph protocol (ogp.me).
struct SharedPage: Equatable {
  /// Feeds that the page names itself.
  var feedURLs: [String] = []
  var appleID: String?
  var title: String?
  /// The sound of an episode.
  var mediaURL: String?

  /// At most 2 MB are looked at.
  init(_ html: Data) {
    let text = String(decoding: html.prefix(2_000_000), as: UTF8.self)
    for match in text.matches(of: /<(link|meta|a|audio|source)\s([^<>]{1,4000})>/.ignoresCase()) {
      let attributes = Self.attributes(match.2)
      switch match.1.lowercased() {
      case "link": readLink(attributes)
      case "meta": readMeta(attributes)
      case "a": readAnchor(attributes["href"])
      default: mediaURL = mediaURL ?? attributes["src"].flatMap(Self.address).map(Self.withoutFragment)
      }
    }
    if title == nil, let match = text.firstMatch(of: /<title[^<>]*>([^<]{1,1000})/.ignoresCase()) {
      title = Self.line(match.1)
    }
  }

  private mutating func readLink(_ attributes: [String: String]) {
    let type = attributes["type"]?.lowercased() ?? ""
    guard attributes["rel"]?.lowercased() == "alternate",
      type.hasPrefix("application/rss") || type.hasPrefix("application/atom"),
      let url = attributes["href"].flatMap(Self.address)
    else { return }
    feedURLs.append(url)
  }

  private mutating func readMeta(_ attributes: [String: String]) {
    guard let content = attributes["content"] else { return }
    switch (attributes["property"] ?? attributes["name"])?.lowercased() {
    case "og:title": title = Self.line(content[...])
    case "og:audio", "twitter:player:stream": mediaURL = mediaURL ?? Self.address(content)
    default: break
    }
  }

  private mutating func readAnchor(_ href: String?) {
    guard let href else { return }
    if appleID == nil,
      case .apple(let id, _)? = SharedLink(href.hasPrefix("/itunes") ? "https://overcast.fm" + href : href)
    {
      appleID = id
    } else if href.firstMatch(of: /(\.rss|\.xml|\/feed\/?|\/rss\/?)$/.ignoresCase()) != nil,
      let url = Self.address(href)
    {
      feedURLs.append(url)
    }
  }

  private static func attributes(_ text: Substring) -> [String: String] {
    var found: [String: String] = [:]
    for match in text.matches(of: /([A-Za-z:_-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/) {
      let value = match.2 ?? match.3 ?? match.4 ?? ""
      found[match.1.lowercased(), default: ""] = found[match.1.lowercased()] ?? unescaped(value)
    }
    return found
  }

  /// The entities that addresses and titles hold.
  private static func unescaped(_ text: Substring) -> String {
    [("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
      .reduce(String(text)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  private static func line(_ text: Substring) -> String? {
    let line = Sanitize.line(unescaped(text)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : line
  }

  private static func address(_ text: String) -> String? {
    let lowercased = text.lowercased()
    return lowercased.hasPrefix("https://") || lowercased.hasPrefix("http://") ? text : nil
  }

  private static func withoutFragment(_ text: String) -> String {
    text.split(separator: "#", maxSplits: 1).first.map(String.init) ?? text
  }
}
