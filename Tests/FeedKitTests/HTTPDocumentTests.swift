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

  @Test func chaptersAreFetchedOnce() async throws {
    serve("/c.json", #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"A"},{"startTime":61}]}"#, type: "x/y")
    guard case .value(let chapters, let validators) = try await client.chapters(at: server.url("/c.json")) else {
      throw CancellationError()
    }
    #expect(chapters.map(\.title) == ["A", nil])
    #expect(chapters.map(\.start) == [0, 61])
    guard case .unchanged(let again) = try await client.chapters(at: server.url("/c.json"), validators: validators)
    else { throw CancellationError() }
    #expect(again.etag == "\"1\"")
  }

  @Test func sameBytesAreUnchangedWithoutValidators() async throws {
    let text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hello\n"
    server.route("/t.vtt", .text(text, type: "text/plain"))
    let link = TranscriptLink(url: server.url("/t.vtt"), type: "text/vtt")
    guard case .value(let transcript, let validators) = try await client.transcript(link) else {
      throw CancellationError()
    }
    #expect(transcript.lines.map(\.text) == ["Hello"])
    #expect(transcript.lines.first?.speaker == "Ada")
    guard case .unchanged = try await client.transcript(link, validators: validators) else { throw CancellationError() }
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
