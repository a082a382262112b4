import Foundation

/// The addresses of a request, from the first one to the one that answers.
///
/// Redirects are followed here, one by one, and not by libcurl. That tells whether all of them are permanent, sends
/// credentials only to their own origin (`BasicAuthorization`), and allows only http and https.
struct RedirectChain: Sendable {
  /// One redirect: the address that sent it, whether the stored address may be changed, and the cookies that were known
  /// when it was asked.
  private struct Hop {
    var from: String
    var isPermanent: Bool
    var cookies: [String: [String]]
  }

  let first: WebAddress
  private(set) var current: WebAddress
  private var hops: [Hop] = []
  /// The cookies that the servers of this chain have set. They are forgotten with the chain. libcurl decides which host
  /// gets which cookie. It ignores the port, as RFC 6265 does, but another port of a host is another server: each port
  /// that is not the standard one of its scheme has its own cookies.
  private var jars: [String: [String]] = [:]
  /// The cookies that were known when `current` was asked.
  private var jarsBefore: [String: [String]] = [:]

  /// The cookies for the current address (`CurlEasy.cookies`).
  var cookies: [String] {
    get { jars[current.cookieJar] ?? [] }
    set { jars[current.cookieJar] = newValue.isEmpty ? nil : newValue }
  }

  init(_ first: WebAddress) {
    self.first = first
    current = first
  }

  /// True if there were redirects to another address and all of them are permanent.
  var isPermanent: Bool { current.text != first.text && !hops.isEmpty && hops.allSatisfy(\.isPermanent) }

  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Follows a redirect to `location`, which may be relative. User info in it is ignored, because it comes from the
  /// server, not from the listener (RFC 9110 §4.2.4).
  mutating func follow(status: Int, location: String, limit: Int) throws(HTTPError) {
    guard hops.count < limit else { throw .tooManyRedirects(limit: limit) }
    // `feed://…` and `feed:https://…` are for players. Without the scheme, the first one has that of this address.
    let isForPlayers = WebAddress.scheme(of: location) == "feed"
    let next = try WebAddress(isForPlayers ? String(location.dropFirst(5)) : location, relativeTo: current)
      .withoutCredentials
    // RFC 9110 §15.4: 301 and 308 are permanent. A redirect to the same address with https also counts, as in
    // AntennaPod.
    let isPermanent = status == 301 || status == 308 || next.isUpgrade(of: current)
    hops.append(Hop(from: current.text, isPermanent: isPermanent, cookies: jarsBefore))
    guard mayAsk(next) else { throw .redirectLoop(url: next.text) }
    (current, jarsBefore) = (next, jars)
  }

  /// An address that redirected may be asked once more if a cookie was set since. Pages that ask for consent do this.
  private func mayAsk(_ next: WebAddress) -> Bool {
    let earlier = hops.filter { $0.from == next.text }
    return earlier.isEmpty || earlier.count == 1 && earlier[0].cookies != jars
  }
}

extension WebAddress {
  /// Whether it is the same address with https instead of http.
  package func isUpgrade(of other: WebAddress) -> Bool {
    scheme == "https" && other.scheme == "http" && pathFromHost == other.pathFromHost
  }

  /// Which cookies it may get.
  fileprivate var cookieJar: String { port == (scheme == "https" ? 443 : 80) ? "" : hostAndPort }

  /// Host, path and query, without scheme and port.
  fileprivate var pathFromHost: String {
    let afterHost = text.dropFirst(scheme.count + 3).drop { $0 != "/" && $0 != "?" }
    return host + afterHost
  }
}
