import Foundation
import HTTP
import LoopbackServer
import Synchronization
import TemporaryFiles
import Testing

@testable import Streams

/// A server with one file, a relay in front of it, and a directory for copies. They are removed with the value. So an
/// answer of the server must not hold the bench.
final class RelayBench: Sendable {
  private let place: TemporaryDirectory
  let server: LoopbackServer
  let cache: StreamCache
  let relay: StreamRelay
  private let client: HTTPClient
  private let collector = Mutex(Collector())

  static let path = "/show/part.mp3"
  /// Pseudo-random bytes.
  let file: [UInt8]
  let resource: LoopbackServer.Resource

  init(bytes count: Int = 300_000, timeout: Double = 60) throws {
    place = try TemporaryDirectory()
    file = (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    resource = LoopbackServer.Resource(file, type: "audio/mpeg", etag: "\"1\"")
    server = try LoopbackServer(routes: [:])
    server.route(Self.path, resource.answer)
    cache = StreamCache(directory: place.path + "/copies", limit: 1 << 30)
    var http = HTTPOptions()
    http.ignoresProxies = true
    http.requestRetry.repeats = 0
    client = HTTPClient(options: http)
    var options = StreamRelay.Options(http: http)
    options.timeout = timeout
    relay = StreamRelay(cache: cache, options: options)
  }

  deinit {
    relay.shutDown()
    client.shutDown()
    server.stop()
  }

  /// From now on each answer of the server ends after this many bytes.
  func breakOff(afterBytes count: Int) {
    server.route(Self.path) { [resource] in resource.answer($0).cut(afterBytes: count) }
  }

  var directory: String { place.path + "/copies" }
  var url: String { server.url(Self.path) }
  var address: WebAddress { get throws { try WebAddress(url) } }
  var copy: StreamCopy { get throws { cache.copy(of: try address) } }

  /// The answer that mpv would get. Throws when the answer breaks off.
  func get(
    _ range: String? = nil, of url: String? = nil, through other: StreamRelay? = nil
  ) async throws -> (head: HTTPHead, body: [UInt8]) {
    let relayed = (other ?? relay).address(for: url ?? self.url) ?? ""
    let head = try await head(of: relayed, headers: range.map { [("Range", $0)] } ?? [])
    return (head, received)
  }

  /// The head of the answer. Its body is in `received`.
  func head(of address: String, headers: [(name: String, value: String)] = []) async throws -> HTTPHead {
    var request = HTTPRequest(url: try WebAddress(address), headers: headers)
    request.encoding = .identity
    let sink = Collector()
    collector.withLock { $0 = sink }
    return try await client.perform(request, sink: sink).head
  }

  /// The body of the last answer, also of a truncated one.
  var received: [UInt8] { collector.withLock { $0 }.bytes }

  /// Returns when the copy has this many bytes. mpv gets them first, so the last ones may be missing when it has them
  /// all.
  func copyHas(_ count: Int) async throws {
    let copy = try copy
    let end = ContinuousClock.now + .seconds(300)
    while copy.size < count, .now < end { try await Task.sleep(for: .milliseconds(1)) }
    try #require(copy.size >= count, "the copy has too few bytes")
  }

  /// Saves the copy when it has this many bytes.
  func saveCopy(whenItHas count: Int) async throws {
    try await copyHas(count)
    try copy.save()
  }

  /// The ranges that were requested from the server.
  var ranges: [String] { server.requests(to: Self.path).map { $0.header("Range") ?? "-" } }

  final class Collector: HTTPSink {
    private let collected = Mutex<[UInt8]>([])
    var bytes: [UInt8] { collected.withLock { $0 } }

    func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
      collected.withLock { $0 = [] }
      return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      collected.withLock { $0 += bytes }
      return true
    }
  }
}
