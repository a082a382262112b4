import Foundation

/// The addresses a request goes through, from the one asked for to the one that answers.
///
/// We follow redirects ourselves, hop by hop: so we know whether every one was permanent, each hop gets only the
/// credentials of its own origin (`BasicAuthorization`), and no scheme but http and https is ever followed.
struct RedirectChain: Sendable {
  /// One redirect: who sent it, with which status, and whether the stored address may change for it.
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

  /// True when there was a redirect and each one is for good.
  var isPermanent: Bool { !hops.isEmpty && hops.allSatisfy(\.isPermanent) }

  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Goes to `location`, which may be relative. User info in it is not used: it is what a server says, not what the
  /// listener gave (RFC 9110 §4.2.4).
  mutating func follow(status: Int, location: String, limit: Int) throws(HTTPError) {
    guard hops.count < limit else { throw .tooManyRedirects(limit: limit) }
    let next = try WebAddress(location, relativeTo: current).withoutCredentials
    guard next.text != current.text, !hops.contains(where: { $0.from == next.text }) else {
      throw .redirectLoop(url: next.text)
    }
    // RFC 9110 §15.4: 301 and 308 are permanent. The same address on https is as good (AntennaPod does so too).
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
