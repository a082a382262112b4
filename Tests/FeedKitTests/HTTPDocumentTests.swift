import Foundation
import LoopbackServer
import Model
import Testing

@testable import FeedKit
@testable import HTTP

/// Fetching chapters and transcripts.
@Suite(InTurn())
struct HTTPDocumentTests {
  let server: LoopbackServer
  let client = FeedClient(http: HTTPClient(options: .forTests()))

  init() throws { server = try LoopbackServer() }

  private func serve(_ path: String, _ text: String, type: String) {
    server.route(path, LoopbackServer.Resource([UInt8](text.utf8), type: type, etag: "\"1\"").answer)
  }

  @Test func chaptersAreFetched() async throws {
    serve("/c.json", #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"A"},{"startTime":61}]}"#, type: "x/y")
    let chapters = try await client.chapters(at: server.url("/c.json"))
    #expect(chapters.map(\.title) == ["A", nil])
    #expect(chapters.map(\.start) == [0, 61])
  }

  @Test func transcriptsAreFetched() async throws {
    let text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hello\n"
    server.route("/t.vtt", .text(text, type: "text/plain"))
    let link = TranscriptLink(url: server.url("/t.vtt"), type: "text/vtt")
    let transcript = try await client.transcript(link)
    #expect(transcript.lines.map(\.text) == ["Hello"])
    #expect(transcript.lines.first?.speaker == "Ada")
  }

  @Test func otherDocumentsAreInvalidData() async {
    server.route("/page", .text("<html><body>Sorry</body></html>", type: "text/html"))
    server.route("/huge", .zeros(1 << 30))
    server.route("/gone", .status(410))
    await #expect(throws: FeedError.self) { try await client.chapters(at: server.url("/page")) }
    await #expect(throws: FeedError.http(.tooLarge(limit: Int64(ChaptersJSON.maxBytes)))) {
      try await client.chapters(at: server.url("/huge"))
    }
    await #expect(throws: FeedError.http(.gone)) { try await client.chapters(at: server.url("/gone")) }
    await #expect(throws: FeedError.self) { try await client.chapters(at: "file:///etc/passwd") }
  }
}
