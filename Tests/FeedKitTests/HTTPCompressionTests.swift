import Foundation
import LoopbackServer
import Testing

@testable import HTTP

/// Compressed bodies that libcurl does not decode, and names of encodings that are none.
@Suite(InTurn())
struct HTTPCompressionTests {
  private static let text = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 5000)

  let server: LoopbackServer
  let client = HTTPClient(options: .forTests())

  init() throws { server = try LoopbackServer() }

  @Test func gzipMayHaveSeveralMembers() async throws {
    let pieces = [Self.text.prefix(100_000), Self.text.dropFirst(100_000)]
    server.route("/a", .gzip(try pieces.flatMap { try Gzip.compress($0) }, type: "text/plain"))
    let sink = RecordingSink()
    let response = await client.result(server.url("/a"), sink: sink).value
    #expect(sink.text == Self.text)
    #expect(response?.bytes == Int64(Self.text.utf8.count))
  }

  @Test(arguments: [[UInt8](repeating: 0, count: 20), [UInt8]("junkjunk".utf8), [0x1F], [0x1F, 0x8B, 0x00, 0x00]])
  func bytesAfterGzipAreIgnored(_ junk: [UInt8]) async throws {
    let body = try Gzip.compress(Self.text) + junk
    server.route("/a", .gzip(body, type: "text/plain"))
    let sink = RecordingSink()
    #expect(await client.result(server.url("/a"), sink: sink).value?.status == 200)
    #expect(sink.text == Self.text)
    let count = body.count - junk.count
    server.route("/b", LoopbackServer.Response.bytes(body).dripping(bytes: count, everyMilliseconds: 1))
    #expect(await client.result(server.url("/b"), sink: sink).value?.status == 200)
    #expect(sink.text == Self.text)
  }

  @Test(arguments: ["application/x-gzip", "text/xml"])
  func gzipWithoutAContentEncodingIsRead(_ type: String) async throws {
    let body = try Gzip.compress(Self.text)
    server.route("/a", .bytes(body, type: type))
    let sink = RecordingSink()
    #expect(await client.result(server.url("/a"), sink: sink).value?.bytes == Int64(Self.text.utf8.count))
    #expect(sink.text == Self.text)
    // Also if its mark is in two pieces.
    server.route("/b", LoopbackServer.Response.bytes(body, type: type).dripping(bytes: 1, everyMilliseconds: 0))
    #expect(await client.result(server.url("/b"), sink: sink).value?.status == 200)
    #expect(sink.text == Self.text)
    // Files that are gzip stay as they are where no compression was asked for.
    _ = await client.result(server.url("/a"), sink: sink) { $0.encoding = .identity }
    #expect(sink.now.bytes == body)
  }

  @Test func damagedGzipWithoutAContentEncodingIsInvalidData() async throws {
    let body = try Gzip.compress(Self.text)
    server.route("/cut", .bytes([UInt8](body.dropLast(9))))
    var damaged = body
    damaged[body.count - 6] ^= 1
    server.route("/damaged", .bytes(damaged))
    for path in ["/cut", "/damaged"] {
      #expect(await client.result(server.url(path)).error == .invalidAnswer(.badCompression))
    }
  }

  @Test func bombWithoutAContentEncodingIsLimited() async throws {
    let bomb = try Gzip.zeros(megabytes: 100)
    server.route("/bomb", .bytes(bomb))
    // libcurl decodes the first member and refuses the second one.
    server.route("/members", .gzip(try Gzip.compress("x") + bomb, type: "text/plain"))
    // Members without content count as what they are.
    let empty = try Gzip.compress("")
    let members = Array(repeating: empty, count: 100_000).flatMap { $0 }
    server.route("/empty", .bytes(members))
    for path in ["/bomb", "/members", "/empty"] {
      let sink = RecordingSink(keeps: false)
      let error = await client.result(server.url(path), sink: sink) { $0.maxBytes = 1_000_000 }.error
      #expect(error == .tooLarge(limit: 1_000_000), "\(path)")
      #expect(sink.now.largestBody <= 1_000_000)
    }
  }

  @Test(arguments: ["utf-8", "binary", "aws-chunked", "none", "UTF-8, binary"])
  func unknownEncodingsAreIgnored(_ name: String) async {
    server.route("/a", LoopbackServer.Response.text("plain").header("Content-Encoding", name))
    let sink = RecordingSink()
    #expect(await client.result(server.url("/a"), sink: sink).value?.bytes == 5)
    #expect(sink.text == "plain")
    // Some versions of libcurl know `none`.
    #expect(server.requests.count <= 2)
  }

  @Test func unknownEncodingOfGzip() async throws {
    let body = try Gzip.compress("text")
    server.route("/a", LoopbackServer.Response.bytes(body).header("Content-Encoding", "gzip, aws-chunked"))
    let sink = RecordingSink()
    #expect(await client.result(server.url("/a"), sink: sink).value?.bytes == 4)
    #expect(sink.text == "text")
  }

  @Test func requestThatChangesSomethingIsNotRepeated() async {
    server.route("/a", LoopbackServer.Response.text("plain").header("Content-Encoding", "binary"))
    let error = await client.result(server.url("/a")) {
      $0.method = "POST"
      $0.body = [1]
    }.error
    #expect(error == .invalidAnswer(.badCompression))
    #expect(server.requests.count == 1)
  }
}
