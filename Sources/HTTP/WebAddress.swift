import CCurl
import Foundation
import Model

/// An absolute http or https address, parsed by libcurl, so that what is checked is what is requested.
///
/// User info is removed and kept separately, the fragment is dropped, and spaces and non-ASCII bytes are
/// percent-encoded.
public struct WebAddress: Sendable, Hashable {
  /// The address without user info and fragment, safe for logs and for storing.
  public let text: String
  /// "http" or "https".
  public let scheme: String
  /// In lower case. An IPv6 address is in brackets.
  public let host: String
  public let port: Int
  /// From `user:password@`. They belong only to this address's origin.
  public private(set) var credentials: Credentials?

  /// Bytes. Longer addresses are errors or attacks.
  private static let maxBytes = 16 * 1024

  /// Parses an address, relative to `base` if given (RFC 3986 §5).
  public init(_ text: String, relativeTo base: WebAddress? = nil) throws(HTTPError) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty, trimmed.utf8.count <= Self.maxBytes,
      !trimmed.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw .badAddress(Self.shortened(trimmed))
    }
    if let scheme = Self.scheme(of: trimmed), scheme != "http", scheme != "https" { throw .unsupportedScheme(scheme) }
    if Self.hasUnencodedLogin(trimmed) { throw .unencodedLogin }
    guard let url = curl_url() else { throw .badAddress(Self.shortened(trimmed)) }
    defer { curl_url_cleanup(url) }
    if let base, curl_url_set(url, CURLUPART_URL, base.text, 0) != CURLUE_OK {
      throw .badAddress(Self.shortened(base.text))
    }
    guard curl_url_set(url, CURLUPART_URL, Self.encoded(trimmed), UInt32(CURLU_URLENCODE)) == CURLUE_OK else {
      throw .badAddress(Self.shortened(trimmed))
    }
    let user = Self.part(CURLUPART_USER, of: url, flags: CURLU_URLDECODE)
    let password = Self.part(CURLUPART_PASSWORD, of: url, flags: CURLU_URLDECODE)
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT] { _ = curl_url_set(url, part, nil, 0) }
    guard let scheme = Self.part(CURLUPART_SCHEME, of: url)?.lowercased(), scheme == "http" || scheme == "https",
      let host = Self.part(CURLUPART_HOST, of: url), !host.isEmpty,
      let port = Self.part(CURLUPART_PORT, of: url, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) })
    else { throw .badAddress(Self.shortened(trimmed)) }
    let asciiHost = Self.asciiHost(host)
    if asciiHost != host { _ = curl_url_set(url, CURLUPART_HOST, asciiHost, 0) }
    guard let whole = Self.part(CURLUPART_URL, of: url) else { throw .badAddress(Self.shortened(trimmed)) }
    self.text = whole
    self.scheme = scheme
    self.host = asciiHost
    self.port = port
    let origin = Origin(scheme: scheme, host: asciiHost, port: port)
    self.credentials =
      user == nil && password == nil
      ? nil : Credentials(user: user ?? "", password: password ?? "", origin: origin)
  }

  /// The server that gets a request for this address.
  public var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

  /// The same address without credentials.
  var withoutCredentials: WebAddress {
    var plain = self
    plain.credentials = nil
    return plain
  }

  /// The address with user name and password, for an export that must include them.
  public func text(with credentials: Credentials) -> String {
    let parts = [credentials.user, credentials.password].map(\.percentEncoded)
    return "\(scheme)://\(parts.joined(separator: ":"))@\(text.dropFirst(scheme.count + 3))"
  }

  /// Host and port, the key for limits and pauses.
  public var hostAndPort: String { "\(host):\(port)" }

  /// The scheme of an absolute address in lower case. Nil for a relative one.
  public static func scheme(of text: String) -> String? { text[...].addressScheme?.lowercased() }

  /// Percent-encodes spaces and non-ASCII bytes after the host. libcurl would write the digits in lower case, unlike
  /// browsers (RFC 3986 §2.1), and the spaces of a query as `+`.
  private static func encoded(_ text: String) -> String {
    let mustBeEncoded = { (byte: UInt8) in byte == 0x20 || byte >= 0x80 }
    guard text.utf8.contains(where: mustBeEncoded) else { return text }
    var path = Substring(text).utf8
    let scheme = scheme(of: text)
    if let scheme { path = path.dropFirst(scheme.utf8.count + 1) }
    if scheme != nil || path.starts(with: "//".utf8) {
      path = path.drop { $0 == UInt8(ascii: "/") }.drop { !"/?#".utf8.contains($0) }
    }
    return text[..<path.startIndex] + path.percentEncoded(where: mustBeEncoded)
  }

  /// Lower case, and Punycode if it has non-ASCII characters. libcurl 7.88 would convert them from the locale's
  /// encoding, which is not UTF-8 for a program that never called `setlocale`.
  private static func asciiHost(_ host: String) -> String {
    if host.utf8.allSatisfy({ $0 < 0x80 }) { return host.lowercased() }
    return URLComponents(string: "http://\(host)/")?.encodedHost?.lowercased() ?? host.lowercased()
  }

  private static func part(_ part: CURLUPart, of url: OpaquePointer, flags: Int32 = 0) -> String? {
    var bytes: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, part, &bytes, UInt32(flags)) == CURLUE_OK, let bytes else { return nil }
    defer { curl_free(bytes) }
    return String(cString: bytes)
  }

  /// Whether a user name or password ends the host early: `https://me:a/b@example.org/`. Then the host has a colon
  /// without a port, and an `@` comes later. libcurl also refuses a second `@` (`me@mail.example:a@example.org`).
  public static func hasUnencodedLogin(_ text: String) -> Bool {
    guard let slashes = text.range(of: "//") else { return false }
    let rest = text[slashes.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if authority.count(where: { $0 == "@" }) > 1 { return true }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    guard let colon = host.lastIndex(of: ":"), !host.contains("["), rest[authority.endIndex...].contains("@") else {
      return false
    }
    return !host[host.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Removes the user info from an invalid address, because it may contain a password.
  private static func shortened(_ text: String) -> String {
    var shown = text
    if let at = shown.lastIndex(of: "@"), let slashes = shown.range(of: "//"), slashes.upperBound <= at {
      shown.removeSubrange(slashes.upperBound...at)
    }
    return shown.count > 200 ? shown.prefix(200) + "…" : shown
  }
}
