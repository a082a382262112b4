import Foundation

/// An address that may be shown: on the screen, in JSON, on the bus, in logs and messages. It has no `user:password@`,
/// and values that look like keys (`?auth=…`) are `***`. Requests use `WebAddress`.
public struct ShownAddress: Sendable, Hashable, CustomStringConvertible, Encodable, ExpressibleByStringLiteral {
  public let description: String

  public init(_ address: String) {
    // "alice:pw@example.org/feed", without a scheme.
    let head = address.prefix { !"/?#".contains($0) }
    if !address.contains("://"), let at = head.lastIndex(of: "@"), head[..<at].contains(":"),
      !["mailto:", "xmpp:", "sip:", "acct:"].contains(where: address.lowercased().hasPrefix)
    {
      description = Redaction.text(String(address[address.index(after: at)...]))
    } else {
      description = Redaction.text(address)
    }
  }

  /// Nil for nil.
  public init?(_ address: String?) {
    guard let address else { return nil }
    self.init(address)
  }

  public init(stringLiteral value: String) { self.init(value) }

  /// The server, with its port. Nil if the address is empty.
  public var server: String? {
    let parts = description.split(separator: "/").dropFirst(description.contains("://") ? 1 : 0)
    return parts.first.map(String.init)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Finds secrets in texts with addresses. It knows the forms that servers of paid feeds use. It cannot recognize every
/// secret in a path.
public enum Redaction {
  /// A secret in a text.
  enum Piece: Equatable {
    /// The bytes of `user:password@`.
    case userInfo(Range<Int>)
    /// The bytes of a value that looks like a key.
    case key(Range<Int>)

    var range: Range<Int> {
      switch self {
      case .userInfo(let range), .key(let range): range
      }
    }
  }

  /// The text without secrets in its addresses.
  public static func text(_ text: String) -> String {
    var text = text
    guard let shown = text.withUTF8({ redacted($0) }) else { return text }
    return String(decoding: shown, as: UTF8.self)
  }

  /// UTF-8 bytes without secrets; nil if there are none.
  /// - Parameter keys: whether keys are secrets. Passwords always are.
  static func redacted(_ bytes: UnsafeBufferPointer<UInt8>, keys: Bool = true) -> [UInt8]? {
    let pieces = pieces(of: bytes).filter { if case .key = $0 { keys } else { true } }
    guard !pieces.isEmpty else { return nil }
    var result: [UInt8] = []
    var end = 0
    for piece in pieces {
      result += bytes[end..<piece.range.lowerBound]
      if case .key = piece { result += "***".utf8 }
      end = piece.range.upperBound
    }
    return result + bytes[end...]
  }

  /// The bytes with `*` instead of each secret byte, in the same length.
  public static func mask(_ bytes: [UInt8]) -> [UInt8] {
    var masked = bytes
    for piece in bytes.withUnsafeBufferPointer(pieces) {
      for index in piece.range { masked[index] = UInt8(ascii: "*") }
    }
    return masked
  }

  /// Whether an address contains a key that `text` would hide. A password before the host does not count.
  public static func hasKey(_ address: String) -> Bool {
    Array(address.utf8).withUnsafeBufferPointer(pieces).contains { if case .key = $0 { true } else { false } }
  }

  /// In order, without overlaps.
  static func pieces(of bytes: UnsafeBufferPointer<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    var index = 0
    while let found = firstMark(bytes, from: index, to: bytes.count) {
      let start = found + 3
      var end = bytes[start...].firstIndex(where: isDelimiter) ?? bytes.count
      // Punctuation of the sentence does not belong to the address.
      while end > start, ".,:;!)'".utf8.contains(bytes[end - 1]) { end -= 1 }
      var rest = bytes[start..<end].firstIndex(where: isAfterAuthority) ?? end
      if let at = userInfoEnd(bytes, start, rest, end) {
        pieces.append(.userInfo(start..<at + 1))
        if at >= rest { rest = bytes[at..<end].firstIndex(where: isAfterAuthority) ?? end }
      }
      // An address within an address.
      let next = firstMark(bytes, from: rest, to: end) ?? end
      pieces += keys(bytes, rest..<next)
      index = next
    }
    return pieces
  }

  /// The index of the `@` at the end of the user info. The password may contain a slash that was not encoded.
  private static func userInfoEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ rest: Int, _ end: Int) -> Int? {
    let sign = UInt8(ascii: "@")
    if let at = bytes[start..<rest].lastIndex(of: sign) { return at }
    guard let colon = bytes[start..<rest].lastIndex(of: UInt8(ascii: ":")), !bytes[start..<rest].contains(0x5D),
      bytes[(colon + 1)..<rest].contains(where: { !(0x30...0x39).contains($0) })
    else { return nil }
    return bytes[rest..<end].lastIndex(of: sign)
  }

  /// The index of the first "://" with something after it. Uses `memchr`, because all output of the program passes
  /// through this function.
  private static func firstMark(_ bytes: UnsafeBufferPointer<UInt8>, from: Int, to: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var index = from
    while to - index > 3, let found = memchr(base + index, 0x3A, to - 3 - index) {
      index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if bytes[index + 1] == 0x2F, bytes[index + 2] == 0x2F { return index }
      index += 1
    }
    return nil
  }

  /// Values of parameters whose name suggests a key, and parts of the path that look like a key or follow a folder of
  /// keys.
  private static func keys(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [Piece] {
    var pieces: [Piece] = []
    var start = range.lowerBound
    var isQuery = false
    var previous = range.lowerBound..<range.lowerBound
    while start < range.upperBound {
      let first = bytes[start]
      if first == UInt8(ascii: "?") || first == UInt8(ascii: "#") { isQuery = true }
      let begin = start + (isSeparator(first) ? 1 : 0)
      let end = bytes[begin..<range.upperBound].firstIndex(where: isSeparator) ?? range.upperBound
      var name = begin..<begin
      var value = begin..<end
      if let equals = bytes[value].firstIndex(of: UInt8(ascii: "=")) {
        name = begin..<equals
        value = (equals + 1)..<end
      }
      let isKey =
        isQuery || !name.isEmpty ? suggestsKey(bytes[name]) : value.count >= 12 && isKeyFolder(bytes[previous])
      if !value.isEmpty, isKey || looksLikeToken(bytes[value]) { pieces.append(.key(value)) }
      previous = begin..<end
      start = max(end, start + 1)
    }
    return pieces
  }

  /// Words in the name of a parameter that holds a key.
  private static let keyWords = [
    "auth", "authorization", "authentication", "token", "key", "secret", "password", "passwd", "passwort", "pwd",
    "pass",
    "passphrase", "sig", "signature", "hmac", "jwt", "session", "sid", "credential", "credentials", "otp", "policy",
  ].map { Array($0.utf8) }
  /// How the name of such a parameter may end.
  private static let keyEndings = [
    "token", "key", "secret", "password", "auth", "signature", "sessionid",
  ].map { Array($0.utf8) }
  private static let keyFolders: Set<String> = ["private", "secret", "auth", "token", "key", "keys"]

  private static func isKeyFolder(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    // All names have this length.
    (3...7).contains(bytes.count) && keyFolders.contains(String(decoding: bytes, as: UTF8.self).lowercased())
  }

  /// Whether a parameter with this name probably holds a key. Works on bytes and without copies, because an export
  /// calls it for every parameter of every address.
  private static func suggestsKey(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    // The shortest words have three letters.
    guard name.count >= 3 else { return false }
    if keyEndings.contains(where: { $0.count <= name.count && isEqual(name.suffix($0.count), $0) }) { return true }
    var start = name.startIndex
    while start < name.endIndex {
      let end = name[start...].firstIndex { !$0.isASCIILetterOrDigit } ?? name.endIndex
      let word = name[start..<end]
      if word.count >= 3, keyWords.contains(where: { isEqual(word, $0) }) { return true }
      start = end + 1
    }
    return false
  }

  /// - Parameter word: in lower case.
  private static func isEqual(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ word: [UInt8]) -> Bool {
    guard bytes.count == word.count else { return false }
    var index = bytes.startIndex
    for letter in word {
      // Setting the bit 0x20 turns an upper-case letter into a lower-case one.
      guard bytes[index] | 0x20 == letter else { return false }
      index += 1
    }
    return true
  }

  /// A JSON Web Token begins with `{"` in base64 (RFC 7519).
  private static func looksLikeToken(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    bytes.count >= 24 && bytes.starts(with: "eyJ".utf8)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): true
    default: false
    }
  }

  private static func isAfterAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"): true
    default: false
    }
  }

  /// Whether an address in a text ends here.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "^"):
      true
    default: false
    }
  }
}
