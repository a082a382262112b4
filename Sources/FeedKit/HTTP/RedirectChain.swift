import Foundation

/// The addresses a request goes through, from the one asked for to the one that answers.
///
/// We follow redirects ourselves, hop by hop: so we know whether every one was permanent, no password reaches
/// another host, and no scheme but http and https is ever followed.
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

  /// Goes to `location`, which may be relative.
  mutating func follow(status: Int, location: String, limit: Int) throws(FeedError) {
    guard hops.count < limit else { throw .tooManyRedirects(limit: limit) }
    let next = try WebAddress(location, relativeTo: current)
    guard next.text != current.text, !hops.contains(where: { $0.from == next.text }) else {
      throw .redirectLoop(url: next.text)
    }
    // RFC 9110 §15.4: 301 and 308 are permanent. The same address on https is as good (AntennaPod does so too).
    let isUpgrade = current.scheme == "http" && next.scheme == "https" && current.pathFromHost == next.pathFromHost
    hops.append(Hop(status: status, from: current.text, isPermanent: status == 301 || status == 308 || isUpgrade))
    current = next
  }

  /// What to send to the current address: the request's own credentials stay with the server they were meant for.
  func credentials(_ given: Credentials?) -> Credentials? {
    if current.mayKnowSecrets(of: first), let own = given ?? first.credentials { return own }
    return current.credentials
  }
}

extension WebAddress {
  /// A password for `other` may be sent here: the same host and port, or the same host's https in place of its http,
  /// never the other way. Another port may be another person's server.
  func mayKnowSecrets(of other: WebAddress) -> Bool {
    guard host == other.host else { return false }
    let isUpgrade = other.scheme == "http" && other.port == 80 && scheme == "https" && port == 443
    return scheme == other.scheme && port == other.port || isUpgrade
  }

  /// Host, path and query, without scheme and port.
  fileprivate var pathFromHost: String {
    let afterHost = text.dropFirst(scheme.count + 3).drop { $0 != "/" && $0 != "?" }
    return host + afterHost
  }
}
