import Foundation

/// An address with an authority, cut into its pieces and not interpreted (RFC 3986 §3). For showing and comparing; what is
/// requested is read by `WebAddress`.
struct AddressParts {
  /// In lower case.
  var scheme: String
  /// Before the last `@` of the authority, still encoded; nil where there is none.
  var userInfo: String?
  /// With the port.
  var host: String
  /// Path, query and fragment.
  var rest: String

  /// nil for a text without `scheme://`.
  init?(_ address: String) {
    guard let mark = address.firstRange(of: "://") else { return nil }
    let scheme = address[..<mark.lowerBound]
    guard let first = scheme.utf8.first, Self.isLetter(first),
      scheme.utf8.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
    else { return nil }
    let afterMark = address[mark.upperBound...]
    var end = afterMark.firstIndex { "/?#\\".contains($0) } ?? afterMark.endIndex
    // A password with a slash that nobody encoded: what looks like a host with a port is the begin of the user info.
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

  /// "user" and "password", decoded where they are encoded.
  var userAndPassword: (user: String, password: String)? {
    guard let userInfo else { return nil }
    let pieces = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    func decoded(_ text: String) -> String { text.removingPercentEncoding ?? text }
    return (decoded(pieces[0]), pieces.count > 1 ? decoded(pieces[1]) : "")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}

extension String {
  /// The address without `user:password@`; every other text as it is.
  public var withoutUserInfo: String {
    // Most have none, and are many.
    guard utf8.contains(UInt8(ascii: "@")), let parts = AddressParts(self), parts.userInfo != nil,
      let mark = firstRange(of: "://")
    else { return self }
    return self[..<mark.upperBound] + parts.host + parts.rest
  }
}
