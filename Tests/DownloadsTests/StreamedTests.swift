import Foundation
import HTTP
import LoopbackServer
import Model
import Streams
import Testing

@testable import Downloads

/// A download uses the bytes of the stream copy.
@Suite(InTurn()) struct StreamedTests {
  private static let bytes = Workbench.bytes(3_000_000)
  private static let resource = LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"a\"")

  private let bench: Workbench
  private let cache: StreamCache
  private let relay: StreamRelay

  init() throws {
    bench = try Workbench()
    bench.server.route("/1.mp3", Self.resource.answer)
    cache = StreamCache(directory: bench.root + "/streams", limit: 1 << 30)
    relay = StreamRelay(cache: cache, options: StreamRelay.Options(http: Workbench.http))
  }

  /// Streams `count` bytes from byte `first`, as the player would.
  private func listen(from first: Int, count: Int) async throws {
    bench.server.route("/1.mp3") { Self.resource.answer($0).cut(afterBytes: count) }
    defer { bench.server.route("/1.mp3", Self.resource.answer) }
    var http = Workbench.http
    http.requestRetry.repeats = 0
    let client = HTTPClient(options: http)
    let relayed = try #require(relay.address(for: bench.server.url("/1.mp3")))
    let request = HTTPRequest(url: try WebAddress(relayed), headers: [("Range", "bytes=\(first)-")])
    let sink = DiscardingSink()
    _ = try? await client.perform(request, sink: sink)
    let copy = cache.copy(of: try WebAddress(bench.server.url("/1.mp3")))
    func copied() -> Int64 { copy.version.map { copy.count(from: Int64(first), of: $0) } ?? 0 }
    // The player gets the bytes first, so the last ones may be missing when it has them all.
    let end = ContinuousClock.now + .seconds(300)
    while copied() < count, .now < end { try await Task.sleep(for: .milliseconds(1)) }
    try #require(copied() == count)
    bench.server.forgetRequests()
  }

  private final class DiscardingSink: HTTPSink {
    func begin(_ head: HTTPHead, from url: WebAddress) -> Bool { true }
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
  }

  private func download() async throws -> [UInt8]? {
    await bench.download { $0.streams = cache }
    return try bench.contents(bench.ids[0])
  }

  private var ranges: [String?] { bench.server.requests.map { $0.header("Range") } }

  @Test func restOfTheStreamCopyIsFetched() async throws {
    try await listen(from: 0, count: 1_000_000)
    #expect(try await download() == Self.bytes)
    #expect(ranges == ["bytes=1000000-"])
    #expect(bench.server.requests.first?.header("If-Range") == "\"a\"")
    // The copy has moved to the downloads.
    #expect(try cache.copy(of: WebAddress(bench.server.url("/1.mp3"))).version == nil)
  }

  @Test func onlyMissingPartsOfTheStreamCopyAreFetched() async throws {
    try await listen(from: 500_000, count: 400_000)
    try await listen(from: 2_000_000, count: 1_000_000)
    #expect(try await download() == Self.bytes)
    #expect(ranges == ["bytes=0-499999", "bytes=900000-1999999"])
  }

  @Test func completeStreamCopyNeedsNoRequest() async throws {
    try await listen(from: 0, count: 3_000_000)
    bench.server.stop()
    #expect(try await download() == Self.bytes)
    #expect(ranges.isEmpty)
  }

  @Test func shortPieceIsNotUsed() async throws {
    try await listen(from: 500_000, count: 10_000)
    #expect(try await download() == Self.bytes)
    #expect(ranges == [nil])
  }

  @Test func startedDownloadUsesLaterStreamedBytes() async throws {
    bench.server.route("/1.mp3") { Self.resource.answer($0).cut(afterBytes: 100_000) }
    let first = await bench.download { $0.repeats = 0 }
    first.shutDown()
    try await listen(from: 50_000, count: 2_000_000)
    #expect(try await download() == Self.bytes)
    #expect(ranges.last == "bytes=2050000-")
  }

  @Test func anotherVersionOnTheServerIsFetchedWhole() async throws {
    try await listen(from: 0, count: 1_000_000)
    let other = Workbench.bytes(2_000_000, seed: 2)
    bench.server.route("/1.mp3", LoopbackServer.Resource(other, type: "audio/mpeg", etag: "\"b\"").answer)
    #expect(try await download() == other)
  }

  @Test func largerRangeOfTheServerIsAccepted() async throws {
    try await listen(from: 2_000_000, count: 1_000_000)
    bench.server.route("/1.mp3") { request in
      var whole = request
      whole.headers.removeAll { $0.name == "Range" }
      whole.headers.append(("Range", "bytes=0-"))
      return Self.resource.answer(whole)
    }
    #expect(try await download() == Self.bytes)
    #expect(ranges == ["bytes=0-1999999"])
  }

  @Test func streamCopyIsNotCopiedToAFullDisk() async throws {
    try await listen(from: 0, count: 1_000_000)
    await bench.download {
      $0.streams = cache
      $0.freeSpace = { _ in 1000 }
    }
    #expect(try bench.contents(bench.ids[0]) == nil)
    #expect(ranges.isEmpty)
  }
}
