import Foundation
import HTTP
import Model

/// A pasted address after parsing: addresses to try, or a podcast's page in a directory.
public struct FeedAddress: Sendable, Equatable {
  /// http and https addresses in the order to try them. Empty if there is a `directoryPage`.
  public var urls: [String] = []
  /// The page of a podcast at Apple Podcasts, or one at Overcast with Apple's id. `SharedLink` finds its feed.
  public var directoryPage: String?
  /// From `user:password@`, which is removed from the addresses. Bound to the origin of the first address, unless they
  /// were given for another server.
  public var credentials: Credentials?

  /// Schemes registered by players, which replace http or are put before a whole address.
  private static let pasteSchemes: Set<String> = [
    "feed", "pcast", "itpc", "itms", "podcast", "rss", "antennapod-subscribe",
  ]

  /// Whether a text that may also name a file is an address: it begins with http or https, or with such a scheme.
  public static func hasScheme(_ text: String) -> Bool {
    WebAddress.scheme(of: text).map { pasteSchemes.contains($0) || ["http", "https"].contains($0) } ?? false
  }

  /// The text without surrounding quotes or angle brackets, and without such a scheme. A quote at the end belongs to
  /// the address, unless the text begins with one.
  /// - Parameter scheme: the scheme of an address that then has none.
  public static func unwrapped(_ text: String, scheme bare: String = "http") -> String {
    let outside = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "<>"))
    var rest = text.trimmingCharacters(in: outside)
    while let quote = rest.first, quote == "\"" || quote == "'" {
      rest.removeFirst()
      if rest.last == quote { rest.removeLast() }
      rest = rest.trimmingCharacters(in: outside)
    }
    // "podcast:feed:https://…" exists, so several layers are removed, up to four.
    for _ in 0..<4 {
      guard let scheme = WebAddress.scheme(of: rest), pasteSchemes.contains(scheme) else { break }
      rest.removeFirst(scheme.count + 1)
      while rest.hasPrefix("/") { rest.removeFirst() }
      if WebAddress.scheme(of: rest) == nil || isHostAndPort(rest) || hasUserinfo(rest) { rest = "\(bare)://\(rest)" }
    }
    return rest
  }

  /// Parses what a user typed or pasted. Local files and other schemes are refused, however they are wrapped.
  public static func parse(_ text: String) throws(FeedError) -> FeedAddress {
    var rest = unwrapped(text)
    // Browsers read "http:host" and "http:/host" as "http://host".
    if let scheme = WebAddress.scheme(of: rest), scheme == "http" || scheme == "https" {
      rest = scheme + "://" + rest.dropFirst(scheme.count + 1).drop { $0 == "/" || $0 == "\\" }
    }
    guard !rest.isEmpty else { throw .http(.badAddress(text)) }
    // In "me:pa?ss@example.com/feed" the user name looks like a scheme.
    if !rest.contains("//"), WebAddress.hasUnencodedLogin("//\(rest)") { throw .http(.unencodedLogin) }
    if WebAddress.scheme(of: rest) == nil || isHostAndPort(rest) || hasUserinfo(rest) {
      return try bare(rest)
    }
    return try reading(try WebAddress(ofFeed: rest))
  }

  /// Adds a user name and password that were given separately. They are bound to their server. If it is that of an
  /// address, addresses of other origins are then not tried.
  public mutating func authorize(_ login: FeedLogin) throws(FeedError) {
    let origins = origins
    guard let first = origins.first else {
      throw .invalidData(.malformed(reason: "a user name needs the address of the feed itself"))
    }
    let server = login.server ?? first
    credentials = Credentials(user: login.user, password: login.password, origin: server)
    if origins.contains(server) { urls.removeAll { (try? WebAddress($0).origin) != server } }
  }

  /// The servers of the addresses, in their order. A password is for the first.
  public var origins: [Origin] { urls.compactMap { try? WebAddress($0).origin } }

  /// Whether a user typed `user:password@` into an address.
  public static func hasPassword(_ text: String) -> Bool { (try? parse(text))?.credentials != nil }

  /// `example.com/feed`: https first, then http. With a password only https, because an attacker who blocks port 443
  /// must not get it over http.
  private static func bare(_ text: String) throws(FeedError) -> FeedAddress {
    let rest = text.hasPrefix("//") ? String(text.dropFirst(2)) : text
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let looksLikeHost =
      host.contains(".") && !host.hasPrefix(".") || host.hasPrefix("[") || host.lowercased().hasPrefix("localhost")
    guard looksLikeHost, !host.contains(where: \.isWhitespace) else { throw .http(.badAddress(text)) }
    let secure = try reading(try WebAddress(ofFeed: "https://" + rest))
    guard secure.urls.count == 1, secure.credentials == nil else { return secure }
    let plain = try WebAddress(ofFeed: "http://" + rest)
    return FeedAddress(urls: secure.urls + [plain.text])
  }

  /// Handles web pages that stand for a feed.
  private static func reading(_ address: WebAddress) throws(FeedError) -> FeedAddress {
    let host = address.host.hasPrefix("www.") ? String(address.host.dropFirst(4)) : address.host
    let afterHost = address.text.dropFirst(address.scheme.count + 3).drop { $0 != "/" }
    switch host {
    case "antennapod.org" where afterHost.hasPrefix("/deeplink/subscribe"):
      let query = URLComponents(string: address.text)?.queryItems
      guard let inner = query?.first(where: { $0.name == "url" })?.value else { throw .http(.badAddress(address.text)) }
      return try parse(inner)
    case "subscribeonandroid.com" where afterHost.count > 1: return try parse(String(afterHost.dropFirst()))
    case "podcasts.apple.com", "itunes.apple.com":
      if afterHost.prefix(while: { $0 != "?" }).contains(/\/id\d/) { return FeedAddress(directoryPage: address.text) }
    case "overcast.fm":
      if afterHost.starts(with: /\/itunes\d/) { return FeedAddress(directoryPage: address.text) }
    default: break
    }
    return FeedAddress(urls: [address.text], credentials: address.credentials)
  }

  /// By RFC 3986, "example.com:8080/feed" looks like a scheme.
  private static func isHostAndPort(_ text: String) -> Bool {
    text.prefixMatch(of: /[^\/?#:@]+:\d{1,5}(?:[\/?#]|$)/) != nil
  }

  /// "user:password@example.com/feed", which has the same form as "mailto:me@example.com".
  private static func hasUserinfo(_ text: String) -> Bool {
    let lowercased = text.lowercased()
    guard !["mailto:", "xmpp:", "sip:", "acct:"].contains(where: { lowercased.hasPrefix($0) }) else { return false }
    return text.prefixMatch(of: /[^\/?#:@]+:[^\/?#@]*@[^\/?#@]+\.[^\/?#@]+/) != nil
  }
}
