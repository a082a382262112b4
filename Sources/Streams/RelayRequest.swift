import Foundation

/// A request from mpv to the relay: a GET, possibly of a byte range.
struct RelayRequest: Equatable {
  var method: String
  /// `/TOKEN/NAME`.
  var path: String
  /// The first byte of the requested range. Nil: no range was requested.
  var first: Int64?
  /// The last byte, inclusive. Nil: to the end.
  var last: Int64?
  /// mpv asks for song titles in a live stream.
  var wantsIcyMetadata = false

  var start: Int64 { first ?? 0 }

  /// Parses the lines before the blank line (RFC 9112 §3). Nil if this is not a request, or asks for several ranges.
  init?(_ head: String) {
    var lines = head.components(separatedBy: "\r\n")
    let words = lines.removeFirst().split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    (method, path) = (String(words[0]), String(words[1]))
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch line[..<colon].lowercased() {
      case "range":
        guard let match = value.wholeMatch(of: /bytes=(\d{1,18})-(\d{1,18})?/), let start = Int64(match.1) else {
          return nil
        }
        first = start
        last = match.2.flatMap { Int64($0) }
      case "icy-metadata": wantsIcyMetadata = value == "1"
      default: break
      }
    }
  }

  /// The token of the requested stream.
  var token: String { path.split(separator: "/").first.map(String.init) ?? "" }
}
