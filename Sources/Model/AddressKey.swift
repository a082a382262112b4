/// Compares addresses of feeds and of media. Keys are only for comparing, not for requests.
public enum AddressKey {
  /// The key of a feed's address. It is the address without scheme, userinfo, fragment, default port and trailing
  /// slash, and with the host in lower case. Paths and queries keep their case, because servers may be case-sensitive.
  public static func feed(_ url: String) -> String {
    let (scheme, rest) = split(url)
    guard scheme.isEmpty || ["http", "https", "feed"].contains(scheme) else { return "\(scheme):\(rest)" }
    return canonical(rest[...])
  }

  /// The key of a media address, without its query. Tokens and tracking in the query change, while the file stays the
  /// same.
  public static func media(_ url: String) -> String {
    let (_, rest) = split(url)
    let end = rest.utf8.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    return canonical(rest[..<end])
  }

  /// The file name of this address in a cache: 32 hexadecimal digits. FNV-1a with two seeds makes 128 bits, so that two
  /// addresses of a library never collide by chance.
  public static func fileName(_ url: String) -> String {
    [0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f].map { (seed: UInt64) in
      let hash = url.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func split(_ url: String) -> (scheme: String, rest: String) {
    let trimmed = trimmed(url)
    guard let colon = trimmed.utf8.firstIndex(of: UInt8(ascii: ":")) else { return ("", trimmed) }
    let scheme = trimmed[..<colon]
    var rest = trimmed[trimmed.utf8.index(after: colon)...]
    // In "example.org:8080/feed" the colon separates a port, not a scheme.
    guard rest.hasPrefix("//") || !scheme.utf8.contains(UInt8(ascii: ".")) else { return ("", trimmed) }
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    return (scheme.lowercased(), String(rest))
  }

  private static func canonical(_ text: Substring) -> String {
    var text = text
    if let hash = text.utf8.firstIndex(of: UInt8(ascii: "#")) { text = text[..<hash] }
    while text.utf8.last == UInt8(ascii: "/") { text = text.dropLast() }
    let hostEnd = text.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex
    var host = text[..<hostEnd]
    if let at = host.utf8.lastIndex(of: UInt8(ascii: "@")) { host = host[host.utf8.index(after: at)...] }
    var name = host.lowercased()
    for port in [":80", ":443"] where name.hasSuffix(port) { name.removeLast(port.utf8.count) }
    return name + text[hostEnd...]
  }

  /// Without ASCII white space at both ends.
  private static func trimmed(_ text: String) -> String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = text.utf8.firstIndex(where: { !isSpace($0) }),
      let last = text.utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(text[first...last])
  }
}
