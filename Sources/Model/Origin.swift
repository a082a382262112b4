/// Scheme, host and port of an http or https address: who receives what is sent there (RFC 6454 §4).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// "http" or "https".
  public let scheme: String
  /// Lower case and ASCII; an IPv6 address in brackets.
  public let host: String
  public let port: Int

  /// From the parts of an address that was read already, as `WebAddress` reads it.
  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Reads the origin of an address in its plain spelling. nil where two readers of addresses could see different hosts:
  /// then nobody may count on either.
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

  /// "https://example.org:443", always with the port. `init` reads it back.
  public var description: String { "\(scheme)://\(host):\(port)" }

  /// Whether what was given for this origin may be sent to `other`.
  ///
  /// The same origin may have it. So may the https at port 443 of the host whose http at port 80 it was given for: servers
  /// that turn http off send everybody there, a password that went over http has no more to lose, and only the same host
  /// has the certificate. Never the other way, and never another port, which may be another person's server.
  public func trusts(_ other: Origin) -> Bool {
    let isUpgrade = scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443
    return self == other || host == other.host && isUpgrade
  }
}
