import Foundation
import Seeded
import Testing

@testable import FeedKit
@testable import HTTP

/// Fuzzes the heads of HTTP answers (see `Fuzz`).
@Suite struct HeadFuzzTests {
  private static let heads = [
    "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 1234\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 206 Partial\r\nContent-Range: bytes 5-9/10\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
    "HTTP/2 301\r\nlocation: //e.org:8080/../a?b=c&d=%zz#f\r\nretry-after: 120\r\nlink: <https://e.org/2>; rel=\"next\"\r\n\r\n",
    "HTTP/1.0 401 No\r\nWWW-Authenticate: Basic realm=\"a \\\"b\\\"\", charset=\"UTF-8\"\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
  ].map { Data($0.utf8) }

  @Test func heads() async throws {
    var fuzz = Fuzz(defaultRounds: 400)
    while await fuzz.begins() {
      let head = try fuzz.mutate(Self.heads)
      var reader = HTTPHeadReader(limit: 65_536)
      // Line by line, as libcurl passes them, and stopping where libcurl would.
      for line in head.split(separator: 0x0A, omittingEmptySubsequences: false) {
        let isWithinLimit = (Array(line) + [0x0A]).withUnsafeBytes { reader.add($0) }
        if !isWithinLimit || reader.isDone { break }
      }
      for header in reader.head.headers {
        #expect(!header.value.contains("\n") && !header.name.contains("\n"), "\(fuzz.name)")
        let value = header.value
        if let range = ContentRange(value)?.bytes { #expect(range.lowerBound >= 0, "\(fuzz.name)") }
        if let date = HTTPDate.parse(value) { #expect(date.timeIntervalSince1970.isFinite, "\(fuzz.name)") }
        let base = try WebAddress("https://e.org/a/b")
        if let address = try? WebAddress(value, relativeTo: base) {
          #expect(["http", "https"].contains(address.text.prefix { $0 != ":" }), "\(fuzz.name) \(address.text)")
        }
      }
      _ = (StrongValidator(reader.head), reader.head.contentType, ContentType.charset(reader.head.contentType ?? ""))
    }
  }
}
