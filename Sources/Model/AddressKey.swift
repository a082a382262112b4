/// Compares addresses of feeds and of media. Keys are only for comparing, not for requests.
public enum AddressKey {
  // Works on UTF-8, because a refresh makes a key for each episode, and `String` takes five times as long. All
  // characters that separate parts are ASCII.
  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// The key of a feed's address. It is the address without scheme, userinfo, fragment, default port and trailing
  /// slash, and with the host in lower case. Paths and queries keep their case, because servers may be case-sensitive.
  public static func feed(_ url: String) -> String {
    var url = url
    return url.withUTF8 { bytes in
      let (scheme, rest) = split(bytes[...])
      let name = text(scheme).lowercased()
      guard scheme.isEmpty || ["http", "https", "feed"].contains(name) else { return "\(name):\(text(rest))" }
      return canonical(rest)
    }
  }

  /// The key of a media address, without its query. Tokens and tracking in the query change, while the file stays the
  /// same.
  public static func media(_ url: String) -> String {
    var url = url
    return url.withUTF8 { bytes in
      let (_, rest) = split(bytes[...])
      return canonical(rest.prefix { $0 != UInt8(ascii: "?") })
    }
  }

  /// The key of an address without its percent-encoding, however often it was encoded. Sync servers encode addresses
  /// once more than they got them, or once less.
  /// - Parameter withQuery: false: like `media`.
  public static func decoded(_ url: String, withQuery: Bool = true) -> String {
    let key = withQuery ? feed(url) : media(url)
    guard key.utf8.contains(UInt8(ascii: "%")) else { return key }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(key.utf8.count)
    for byte in key.utf8 {
      bytes.append(byte)
      // A decoded "%" may begin the next level, so the end is looked at again.
      while bytes.count >= 3, bytes[bytes.count - 3] == UInt8(ascii: "%"),
        let high = bytes[bytes.count - 2].hexValue, let low = bytes[bytes.count - 1].hexValue
      {
        bytes.removeLast(3)
        bytes.append(high << 4 | low)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The file name of this address in a cache.
  public static func fileName(_ url: String) -> String { hash(url.utf8) }

  /// 32 hexadecimal digits. FNV-1a with two seeds makes 128 bits, so that two addresses or files of a library never
  /// collide by chance.
  public static func hash(_ bytes: some Sequence<UInt8>) -> String {
    [0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f].map { (seed: UInt64) in hash(bytes, seed, 0x100_0000_01b3) }.joined()
  }

  /// FNV-1a as hexadecimal digits: a number that is the same in every run, unlike that of Swift's `Hasher`.
  public static func hash<Number: FixedWidthInteger>(
    _ bytes: some Sequence<UInt8>, _ seed: Number, _ prime: Number
  ) -> String {
    let digits = String(bytes.reduce(seed) { ($0 ^ Number($1)) &* prime }, radix: 16)
    return String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
  }

  private static func split(_ url: Bytes) -> (scheme: Bytes, rest: Bytes) {
    let url = trimmed(url)
    let none = url[url.startIndex..<url.startIndex]
    guard let colon = url.firstIndex(of: UInt8(ascii: ":")) else { return (none, url) }
    let scheme = url[..<colon]
    let rest = url[(colon + 1)...]
    if rest.starts(with: "//".utf8) { return (scheme, rest.dropFirst(2)) }
    // In "example.org:8080/feed" the colon separates a port, not a scheme.
    return scheme.contains(UInt8(ascii: ".")) ? (none, url) : (scheme, rest)
  }

  private static func canonical(_ bytes: Bytes) -> String {
    var bytes = bytes.prefix { $0 != UInt8(ascii: "#") }
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    var host = bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let path = bytes[host.endIndex...]
    if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
    for port in [":80", ":443"] where host.reversed().starts(with: port.utf8.reversed()) {
      host.removeLast(port.utf8.count)
    }
    return text(host).lowercased() + text(path)
  }

  /// Without ASCII white space at both ends.
  private static func trimmed(_ bytes: Bytes) -> Bytes {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    var bytes = bytes.drop(while: isSpace)
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes
  }

  private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
}
