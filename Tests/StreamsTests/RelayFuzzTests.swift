import Foundation
import Seeded
import Testing

@testable import HTTP
@testable import Streams

/// Fuzzes the requests to the relay and the servers' answers through it (see `Fuzz`).
@Suite(InTurn()) struct RelayFuzzTests {
  private static let requests = [
    "GET /token/a.mp3 HTTP/1.1\r\nHost: 127.0.0.1:1\r\nRange: bytes=0-\r\nIcy-MetaData: 1",
    "GET /token/流 HTTP/1.0\r\nRange: bytes=999999999999999999-999999999999999999\r\nrange: bytes=5-1",
    "HEAD / HTTP/1.1\r\nRange: bytes=-5\r\nRange: bytes=1-2,3-4\r\n: x\r\nno colon",
  ].map { Data($0.utf8) }

  @Test func relayAnswersRandomRequests() async throws {
    var fuzz = Fuzz(defaultRounds: 2000)
    while await fuzz.begins() {
      let text = String(decoding: try fuzz.mutate(Self.requests), as: UTF8.self)
      guard let request = RelayRequest(text) else { continue }
      #expect(request.start >= 0 && !request.token.contains("/"), "\(fuzz.name)")
      if let last = request.last { #expect(last >= 0 && request.first != nil, "\(fuzz.name)") }
      let answer = RelayHead.forwarded(
        HTTPHead(status: 200, headers: [("Content-Type", text), ("icy-name", text), ("Set-Cookie", text)]))
      let lines = String(decoding: answer, as: UTF8.self).components(separatedBy: "\r\n")
      // Status, the two headers that are passed on, Connection, the blank line and the text behind it.
      #expect(lines.count == 6 && answer.count { $0 == 0x0A } == 5, "\(fuzz.name)")
    }
  }
}
