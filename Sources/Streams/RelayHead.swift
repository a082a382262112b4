import HTTP

/// Response heads of the relay. Each connection serves one request, so closing it ends a response of unknown length.
enum RelayHead {
  /// The head for a cached file, like that of a server with byte ranges (RFC 9110 §15.3.7).
  static func file(_ request: RelayRequest, _ version: StreamCopy.Version) -> [UInt8] {
    let total = version.total
    var headers = [("Accept-Ranges", "bytes"), ("Content-Length", "\(max(0, total - request.start))")]
    if let first = request.first { headers.append(("Content-Range", "bytes \(first)-\(total - 1)/\(total)")) }
    if let type = version.contentType { headers.append(("Content-Type", type)) }
    return bytes(status: request.first == nil ? 200 : 206, headers)
  }

  /// The server's head, reduced to the fields that matter for playback. A content encoding is left out: FFmpeg would
  /// decode what some servers call compressed and is not, and try again for ever. `RelayResponse` refuses what is.
  /// - Parameter hasRanges: false: the server does not send parts, whatever its head says.
  static func forwarded(_ head: HTTPHead, hasRanges: Bool = true) -> [UInt8] {
    bytes(
      status: head.status,
      head.headers.filter { header in
        let name = header.name.lowercased()
        if name == "accept-ranges", !hasRanges { return false }
        return forwardedFields.contains(name) || name.hasPrefix("icy-")
      })
  }

  private static let forwardedFields: Set<String> = [
    "content-type", "content-length", "content-range", "accept-ranges", "retry-after",
  ]

  static func refusal(_ status: Int) -> [UInt8] { bytes(status: status, [("Content-Length", "0")]) }

  static func redirect(to address: String) -> [UInt8] {
    bytes(status: 302, [("Location", address), ("Content-Length", "0")])
  }

  private static func bytes(status: Int, _ headers: [(name: String, value: String)]) -> [UInt8] {
    // Control characters are removed, so a server's header cannot become two.
    let lines = (headers + [("Connection", "close")]).map { name, value in
      "\(name): \(String(value.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init)))"
    }
    return [UInt8]((["HTTP/1.1 \(status) \(status)"] + lines).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8)
  }
}
