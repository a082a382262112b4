import Foundation
import HTTP
import Model

/// What a user pasted, understood: the addresses to try, or a podcast to look up.
public struct FeedAddress: Sendable, Equatable {
  public enum Target: Sendable, Equatable {
    /// http and https addresses, in the order in which to try them; never empty.
    case urls([String])
    /// A podcast of Apple's directory, which knows its feed.
    case lookup(appleID: String)
  }

  public var target: Target
  /// From `user:password@`; not in the addresses any more, and bound to the origin of the first.
  public var credentials: Credentials?

  /// Schemes that stand for http, or are put before a whole address: those that players have registered.
  private static let pasteSchemes: Set<String> = [
    "feed", "pcast", "itpc", "itms", "podcast", "rss", "antennapod-subscribe",
  ]

  /// Without the quotes or angle brackets around it, and without a scheme that stands for http or before a whole address.
  public static func unwrapped(_ text: String) -> String {
    var rest = text.trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "<>\"'")))
    // "podcast:feed:https://…" has been seen; more than a few layers are a joke.
    for _ in 0..<4 {
      guard let scheme = WebAddress.scheme(of: rest), pasteSchemes.contains(scheme) else { break }
      rest.removeFirst(scheme.count + 1)
      while rest.hasPrefix("/") { rest.removeFirst() }
      if WebAddress.scheme(of: rest) == nil || isHostAndPort(rest) || hasUserinfo(rest) { rest = "http://" + rest }
    }
    return rest
  }

  /// Reads what a user typed or pasted. Local files and other schemes are refused, whatever wraps them.
  public static func parse(_ text: String) throws(FeedError) -> FeedAddress {
    let rest = unwrapped(text)
    guard !rest.isEmpty else { throw .http(.badAddress(text)) }
    if WebAddress.scheme(of: rest) == nil || isHostAndPort(rest) || hasUserinfo(rest) {
      return try bare(rest)
    }
    return try reading(try WebAddress(ofFeed: rest))
  }

  /// A user name and password that were given beside the address: for the origin of the first one to try. Those of another
  /// origin are not tried then.
  public mutating func authorize(user: String, password: String) throws(FeedError) {
    guard case .urls(let urls) = target, let url = urls.first else {
      throw .invalidData(.malformed(reason: "a user name needs the address of the feed itself"))
    }
    let origin = try WebAddress(ofFeed: url).origin
    credentials = Credentials(user: user, password: password, origin: origin)
    target = .urls(urls.filter { (try? WebAddress($0).origin) == origin })
  }

  /// Whether a user typed `user:password@` into an address.
  public static func hasPassword(_ text: String) -> Bool { (try? parse(text))?.credentials != nil }

  /// `example.com/feed`: https first, then http. With a password https alone: who keeps us from port 443 must not get it
  /// over http.
  private static func bare(_ text: String) throws(FeedError) -> FeedAddress {
    let rest = text.hasPrefix("//") ? String(text.dropFirst(2)) : text
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let looksLikeHost =
      host.contains(".") && !host.hasPrefix(".") || host.hasPrefix("[") || host.lowercased().hasPrefix("localhost")
    guard looksLikeHost, !host.contains(where: \.isWhitespace) else { throw .http(.badAddress(text)) }
    let secure = try reading(try WebAddress(ofFeed: "https://" + rest))
    guard case .urls(let urls) = secure.target, urls.count == 1, secure.credentials == nil else { return secure }
    let plain = try WebAddress(ofFeed: "http://" + rest)
    return FeedAddress(target: .urls(urls + [plain.text]))
  }

  /// Unwraps the web pages that stand for a feed.
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
      if let match = afterHost.firstMatch(of: /\/id(\d{1,20})/) {
        return FeedAddress(target: .lookup(appleID: String(match.1)))
      }
    case "overcast.fm":
      if let match = afterHost.prefixMatch(of: /\/itunes(\d{1,20})/) {
        return FeedAddress(target: .lookup(appleID: String(match.1)))
      }
    default: break
    }
    return FeedAddress(target: .urls([address.text]), credentials: address.credentials)
  }

  /// "example.com:8080/feed" looks like a scheme to RFC 3986.
  private static func isHostAndPort(_ text: String) -> Bool {
    text.prefixMatch(of: /[^\/?#:@]+:\d{1,5}(?:[\/?#]|$)/) != nil
  }

  /// "user:password@example.com/feed", which to the letter could be "mailto:me@example.com" as well.
  private static func hasUserinfo(_ text: String) -> Bool {
    let lowercased = text.lowercased()
    guard !["mailto:", "xmpp:", "sip:", "acct:"].contains(where: { lowercased.hasPrefix($0) }) else { return false }
    return text.prefixMatch(of: /[^\/?#:@]+:[^\/?#@]*@[^\/?#@]+\.[^\/?#@]+/) != nil
  }
}
