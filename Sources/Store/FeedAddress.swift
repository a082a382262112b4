import Foundation

/// Compares addresses of feeds and of media the way people mean them.
enum FeedAddress {
  /// What two addresses of the same feed have in common: no scheme, no fragment, no default port, no trailing slash,
  /// the host in lower case. Paths and queries keep their case, as servers may tell them apart.
  static func key(_ url: String) -> String {
    let (scheme, rest) = split(url)
    guard scheme.isEmpty || ["http", "https", "feed"].contains(scheme) else { return "\(scheme):\(rest)" }
    return canonical(rest[...])
  }

  /// The address of a media file without its query: tokens and tracking change there, the file does not.
  static func mediaKey(_ url: String) -> String {
    let (_, rest) = split(url)
    let end = rest.utf8.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    return canonical(rest[..<end])
  }

  private static func split(_ url: String) -> (scheme: String, rest: String) {
    let trimmed = url.trimmed
    guard let colon = trimmed.utf8.firstIndex(of: UInt8(ascii: ":")) else { return ("", trimmed) }
    let scheme = trimmed[..<colon]
    var rest = trimmed[trimmed.utf8.index(after: colon)...]
    // "example.org:8080/feed" has a port there, not a scheme.
    guard rest.hasPrefix("//") || !scheme.utf8.contains(UInt8(ascii: ".")) else { return ("", trimmed) }
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    return (scheme.lowercased(), String(rest))
  }

  private static func canonical(_ text: Substring) -> String {
    var text = text
    if let hash = text.utf8.firstIndex(of: UInt8(ascii: "#")) { text = text[..<hash] }
    while text.utf8.last == UInt8(ascii: "/") { text = text.dropLast() }
    let hostEnd = text.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex
    var host = text[..<hostEnd].lowercased()
    for port in [":80", ":443"] where host.hasSuffix(port) { host.removeLast(port.count) }
    return host + text[hostEnd...]
  }
}

extension String {
  /// Without ASCII white space at both ends.
  var trimmed: String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = utf8.firstIndex(where: { !isSpace($0) }), let last = utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(self[first...last])
  }

  /// Without NUL: GRDB hands SQLite C strings, which end there. `memchr`, because every text of a feed passes here.
  var withoutNUL: String {
    var text = self
    let hasNUL = text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return false }
      return memchr(start, 0, bytes.count) != nil
    }
    return hasNUL ? String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self) : self
  }

  /// Lower case, without diacritics, half and full width alike: what "contains" and "same title" compare.
  var folded: String {
    // Titles are short; the foundation's folding is fifty times as slow as lowercasing ASCII.
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    return folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
