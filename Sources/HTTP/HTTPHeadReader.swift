import Foundation
import Model

/// Assembles the header lines from libcurl into one head.
///
/// A 1xx response comes first, with a head of its own; only the last head counts. Lines after the body (trailers) are
/// ignored, but they count towards the limit: libcurl keeps them in memory.
struct HTTPHeadReader {
  private(set) var head = HTTPHead(status: 0)
  private var bytes = 0
  private(set) var isDone = false
  private let limit: Int

  /// - Parameter limit: the most bytes for all lines.
  init(limit: Int) { self.limit = limit }

  /// False: the limit is exceeded.
  mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    guard bytes <= limit, !isDone else { return bytes <= limit }
    // Header values are ISO-8859-1 or UTF-8 (RFC 9110 §5.5). Invalid bytes are replaced.
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty {
      isDone = head.status >= 200
    } else if text.hasPrefix("HTTP/") {
      let status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
      head = HTTPHead(status: status)
    } else if let colon = text.firstIndex(of: ":") {
      let name = String(text[..<colon])
      let isAddress = name.caseInsensitiveCompare("Location") == .orderedSame
      let value = isAddress ? Self.address(line) : String(text[text.index(after: colon)...])
      head.headers.append((name, value.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    return true
  }

  /// The value of a line with an address. Bytes that are not UTF-8 are percent-encoded, because the server wants them
  /// back unchanged.
  private static func address(_ line: UnsafeRawBufferPointer) -> String {
    let value = line.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    return String(validating: value, as: UTF8.self) ?? value.percentEncoded { $0 >= 0x80 }
  }
}
