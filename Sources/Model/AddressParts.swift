import Foundation

/// The parts of an address with an authority, without interpretation (RFC 3986 §3). For showing and comparing. Requests
/// use `WebAddress`.
struct AddressParts {
  /// In lower case.
  var scheme: String
  /// The part before the last `@` of the authority, not decoded. Nil if there is none.
  var userInfo: String?
  /// With the port.
  var host: String
  /// Path, query and fragment.
  var rest: String

  /// Nil for a text without `scheme://`.
  init?(_ address: String) {
    guard let scheme = address[...].addressScheme, address[scheme.endIndex...].hasPrefix("://") else { return nil }
    let afterMark = address[scheme.endIndex...].dropFirst(3)
    var end = afterMark.firstIndex { "/?#\\".contains($0) } ?? afterMark.endIndex
    // A password may contain a slash that was not encoded. Then the text up to the slash looks like host and port, but
    // is the beginning of the user info.
    if !afterMark[..<end].contains("@"), let at = afterMark[end...].lastIndex(of: "@"),
      let colon = afterMark[..<end].lastIndex(of: ":"), !afterMark[..<end].hasSuffix("]"),
      afterMark[afterMark.index(after: colon)..<end].contains(where: { !("0"..."9").contains($0) })
    {
      end = afterMark[at...].firstIndex { "/?#\\".contains($0) } ?? afterMark.endIndex
    }
    let authority = afterMark[..<end]
    self.scheme = scheme.lowercased()
    rest = String(afterMark[end...])
    if let at = authority.lastIndex(of: "@") {
      userInfo = String(authority[..<at])
      host = String(authority[authority.index(after: at)...])
    } else {
      host = String(authority)
    }
  }

  /// User and password, percent-decoded.
  var userAndPassword: (user: String, password: String)? {
    guard let userInfo else { return nil }
    let pieces = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    func decoded(_ text: String) -> String { text.removingPercentEncoding ?? text }
    return (decoded(pieces[0]), pieces.count > 1 ? decoded(pieces[1]) : "")
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }

  var isASCIILetterOrDigit: Bool { isASCIILetter || (0x30...0x39).contains(self) }

  /// An unreserved character of RFC 3986 §2.3.
  var isUnreserved: Bool { isASCIILetterOrDigit || "-._~".utf8.contains(self) }

  /// The value of a hexadecimal digit; nil for another character.
  var hexValue: UInt8? { Character(UnicodeScalar(self)).hexDigitValue.map { UInt8($0) } }
}

extension Substring {
  /// The scheme of an absolute address (RFC 3986 §3.1). Nil for a relative one.
  public var addressScheme: Substring? {
    guard utf8.first?.isASCIILetter == true, let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = self[..<colon]
    return scheme.utf8.allSatisfy { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) } ? scheme : nil
  }
}

extension Sequence<UInt8> {
  /// The text of these bytes, with some of them percent-encoded. The others must be ASCII.
  public func percentEncoded(where mustBeEncoded: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in self {
      if mustBeEncoded(byte) {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The address without `user:password@`. Other texts are unchanged.
  public var withoutUserInfo: String {
    // Fast path: most addresses have no user info.
    guard utf8.contains(UInt8(ascii: "@")), let parts = AddressParts(self), parts.userInfo != nil,
      let mark = firstRange(of: "://")
    else { return self }
    return "\(self[..<mark.upperBound])\(parts.host)\(parts.rest)"
  }

  /// The file extension of an address, in lower case: 1 to 7 ASCII letters and digits. Empty if there is none.
  public var addressExtension: String {
    let path = utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let dot = path.suffix(8).lastIndex(of: UInt8(ascii: ".")) else { return "" }
    let name = String(decoding: path[path.index(after: dot)...], as: UTF8.self)
    return name.utf8.allSatisfy { $0.isASCIILetterOrDigit } ? name.lowercased() : ""
  }

  /// The text percent-encoded, except for unreserved characters.
  public var percentEncoded: String { utf8.percentEncoded { !$0.isUnreserved } }
}
