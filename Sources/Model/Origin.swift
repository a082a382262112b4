/// Scheme, host and port of an http or https address, which identify the server (RFC 6454 §4).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// "http" or "https".
  public let scheme: String
  /// In lower case and ASCII. An IPv6 address is in brackets.
  public let host: String
  public let port: Int

  /// An origin from the parts of a parsed address, in the form of `WebAddress`.
  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// The origin of an address. Nil if two parsers of addresses could see different hosts, because then neither can be
  /// trusted.
  public init?(_ address: String) {
    guard let parts = AddressParts(address), ["http", "https"].contains(parts.scheme) else { return nil }
    var name = parts.host[...]
    var port = parts.scheme == "https" ? 443 : 80
    if let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")), !name[colon...].contains("]") {
      let digits = name[name.index(after: colon)...]
      guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(digits), (1...65_535).contains(number)
      else { return nil }
      port = number
      name = name[..<colon]
    }
    let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
    let inner = isBracketed ? name.dropFirst().dropLast() : name
    let allowed = Set((isBracketed ? "0123456789abcdefABCDEF:." : Self.nameCharacters).utf8)
    guard !inner.isEmpty, inner.utf8.allSatisfy(allowed.contains) else { return nil }
    self.init(scheme: parts.scheme, host: name.lowercased(), port: port)
  }

  private static let nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

  /// "https://example.org:443", always with the port. `init` parses it.
  public var description: String { "\(scheme)://\(host):\(port)" }

  /// For the listener: "example.org:8443", or "http://example.org" for a server without encryption.
  public var name: String {
    let isUsual = port == (scheme == "https" ? 443 : 80)
    return (scheme == "https" ? "" : "\(scheme)://") + host + (isUsual ? "" : ":\(port)")
  }

  /// Whether credentials for this origin may be sent to `other`.
  ///
  /// They may be sent to the same origin. Credentials for http at port 80 may also be sent over https to port 443 of
  /// the same host: servers redirect from http to https, the password was already sent without encryption, and only the
  /// same host has the certificate. Credentials for https are never sent over http, and never to another port, because
  /// another port may belong to someone else.
  public func trusts(_ other: Origin) -> Bool {
    let isUpgrade = scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443
    return self == other || host == other.host && isUpgrade
  }
}
