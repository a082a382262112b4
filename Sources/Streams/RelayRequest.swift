import Foundation

/// What mpv asks of the relay: a GET, perhaps of a part.
struct RelayRequest: Equatable {
  var method: String
  /// `/TOKEN/NAME`.
  var path: String
  /// nil: the whole was asked for, without a range.
  var first: Int64?
  /// Only a part up to here, inclusive; nil: to the end.
  var last: Int64?
  /// The names of songs in a live stream.
  var wantsIcyMetadata = false

  var start: Int64 { first ?? 0 }

  /// Reads the lines before the blank one (RFC 9112 §3). nil when they are no request, or ask for several ranges.
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

  /// Which stream it is about.
  var token: String { path.split(separator: "/").first.map(String.init) ?? "" }
}
