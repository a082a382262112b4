import Foundation

extension LoopbackServer {
  /// A request as received.
  public struct Request: Sendable {
    public var method: String
    /// Path and query, as sent.
    public var target: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// The number of its connection, from 1.
    public var connection: Int

    public var path: String { String(target.prefix { $0 != "?" }) }
    public var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }

    /// The first header of that name, in any case.
    public func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The bytes `user:password` of a Basic `Authorization` header.
    public var basicCredentials: [UInt8]? {
      guard let value = header("Authorization"), value.lowercased().hasPrefix("basic ") else { return nil }
      return Data(base64Encoded: String(value.dropFirst(6))).map { [UInt8]($0) }
    }

    /// First and last byte of a `Range: bytes=…` header with one range. `last` is nil for an open range.
    public var byteRange: (first: Int, last: Int?)? {
      guard let value = header("Range"), value.hasPrefix("bytes=") else { return nil }
      let parts = value.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let first = Int(parts[0]) else { return nil }
      return (first, Int(parts[1]))
    }

    var wantsClose: Bool { header("Connection")?.lowercased() == "close" }

    /// Parses the head of a request (without the blank line); nil when it is not HTTP.
    static func parse(head: String, connection: Int) -> Request? {
      var lines = head.components(separatedBy: "\r\n")
      let words = lines.removeFirst().split(separator: " ")
      guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
      let headers = lines.compactMap { line -> (name: String, value: String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return (String(line[..<colon]), value)
      }
      return Request(
        method: String(words[0]), target: String(words[1]), headers: headers, body: [], connection: connection)
    }
  }
}
