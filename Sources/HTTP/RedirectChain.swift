import Foundation

/// The addresses of a request, from the first one to the one that answers.
///
/// Redirects are followed here, one by one, and not by libcurl. That tells whether all of them are permanent, sends
/// credentials only to their own origin (`BasicAuthorization`), and allows only http and https.
struct RedirectChain: Sendable {
  /// One redirect: its status, the address that sent it, and whether the stored address may be changed.
  struct Hop: Sendable, Equatable {
    var status: Int
    var from: String
    var isPermanent: Bool
  }

  let first: WebAddress
  private(set) var current: WebAddress
  private(set) var hops: [Hop] = []

  init(_ first: WebAddress) {
    self.first = first
    current = first
  }

  /// True if there were redirects and all of them are permanent.
  var isPermanent: Bool { !hops.isEmpty && hops.allSatisfy(\.isPermanent) }

  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Follows a redirect to `location`, which may be relative. User info in it is ignored, because it comes from the
  /// server, not from the listener (RFC 9110 §4.2.4).
  mutating func follow(status: Int, location: String, limit: Int) throws(HTTPError) {
    guard hops.count < limit else { throw .tooManyRedirects(limit: limit) }
    let next = try WebAddress(location, relativeTo: current).withoutCredentials
    guard next.text != current.text, !hops.contains(where: { $0.from == next.text }) else {
      throw .redirectLoop(url: next.text)
    }
    // RFC 9110 §15.4: 301 and 308 are permanent. A redirect to the same address with https also counts, as in
    // AntennaPod.
    let isUpgrade = current.scheme == "http" && next.scheme == "https" && current.pathFromHost == next.pathFromHost
    hops.append(Hop(status: status, from: current.text, isPermanent: status == 301 || status == 308 || isUpgrade))
    current = next
  }
}

extension WebAddress {
  /// Host, path and query, without scheme and port.
  fileprivate var pathFromHost: String {
    let afterHost = text.dropFirst(scheme.count + 3).drop { $0 != "/" && $0 != "?" }
    return host + afterHost
  }
}
