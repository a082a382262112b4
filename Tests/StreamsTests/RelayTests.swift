import Foundation
import HTTP
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import Streams

/// The answers that mpv gets from the relay, and the requests that the server gets.
@Suite(InTurn()) struct RelayTests {
  private let bench: RelayBench

  init() throws { bench = try RelayBench() }

  @Test func cachedBytesAreNotRequestedAgain() async throws {
    let whole = try await bench.get("bytes=0-")
    #expect(whole.head.status == 206)
    #expect(whole.head["Content-Range"] == "bytes 0-299999/300000")
    #expect(whole.head.contentType == "audio/mpeg")
    #expect(whole.body == bench.file)
    try await bench.copyHas(bench.file.count)
    let end = try await bench.get("bytes=299000-")
    #expect(end.head.status == 206)
    #expect(end.head["Content-Range"] == "bytes 299000-299999/300000")
    #expect(end.head.contentType == "audio/mpeg")
    #expect(end.body == Array(bench.file[299_000...]))
    #expect(try await bench.get().body == bench.file)
    #expect(bench.ranges == ["bytes=0-"])
  }

  /// FFmpeg would request the bytes after the end. The server would answer with the whole file, and FFmpeg would fail.
  @Test func serverThatSendsNeitherRangesNorALengthHasNoRanges() async throws {
    bench.server.route(RelayBench.path) { [file = bench.file] _ in
      LoopbackServer.Response(
        headers: [("Content-Type", "audio/mpeg"), ("Accept-Ranges", "bytes")], body: .bytes(file)
      ).untilClose()
    }
    let answer = try await bench.get("bytes=0-")
    #expect(answer.head.status == 200)
    #expect(answer.head["Accept-Ranges"] == nil)
    #expect(answer.body == bench.file)
  }

  /// Clients that connect and send nothing, or never finish their request, do not block others.
  @Test func idleConnectionsDoNotBlockOthers() async throws {
    let address = try #require(bench.relay.address(for: bench.url).flatMap { URL(string: $0) })
    let port = UInt16(try #require(address.port))
    let idle = (0..<300).compactMap { _ in LoopbackClient.connect(to: port) }
    defer { LoopbackClient.close(idle) }
    #expect(idle.count == 300)
    for descriptor in idle.suffix(150) { LoopbackClient.say("GET \(address.path) HTTP/1.1\r\nHost: ", on: descriptor) }
    #expect(try await bench.get("bytes=0-").body == bench.file)
    // Only a few of their connections remain open.
    #expect(LoopbackClient.areClosed(280, of: idle))
    #expect(try await bench.get("bytes=1000-").body == Array(bench.file[1000...]))
  }

  /// mpv pauses, or is about to close the connection after a seek.
  @Test func connectionThatIsNotReadDoesNotBlockOthers() async throws {
    bench.server.route("/long.mp3", .zeros(1 << 30, type: "audio/mpeg"))
    let address = try #require(bench.relay.address(for: bench.server.url("/long.mp3")).flatMap { URL(string: $0) })
    let port = UInt16(try #require(address.port))
    let slow = try #require(LoopbackClient.connect(to: port))
    defer { LoopbackClient.close([slow]) }
    LoopbackClient.say("GET \(address.path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", on: slow)
    #expect(await bench.server.requestsArrive(1))
    for start in 0..<50 {
      #expect(try await bench.get("bytes=\(start)-").body == Array(bench.file[start...]))
    }
    // The rest waits at the server. The sockets of the system have buffers of some megabytes.
    #expect(bench.server.bytesSent < 100 << 20)
  }

  /// The connection stays open, but the server sends nothing more. mpv would wait for as long as its own timeout.
  @Test func restOfAStalledResponseIsRequestedAgain() async throws {
    let isOver = DispatchSemaphore(value: 0)
    defer { isOver.signal() }
    bench.server.route(RelayBench.path) { [resource = bench.resource] request in
      let answer = resource.answer(request)
      return request.byteRange?.first == 0 ? answer.held(afterBytes: 100_000) { isOver.wait() } : answer
    }
    let answer = try await bench.get("bytes=0-")
    #expect(answer.body == bench.file)
    #expect(bench.ranges == ["bytes=0-", "bytes=100000-"])
    #expect(bench.server.requests.last?.header("If-Range") == "\"1\"")
  }

  /// It cannot be continued: nobody knows what is missing.
  @Test func stalledResponseOfUnknownLengthIsNotRequestedAgain() async throws {
    let hasWaited = DispatchSemaphore(value: 0)
    let file = bench.file
    bench.server.route(RelayBench.path) { _ in
      .bytes(file, type: "audio/mpeg").chunked().held(afterBytes: 100_000) {
        // Longer than the relay waits for a byte.
        _ = hasWaited.wait(timeout: .now() + 4)
      }
    }
    #expect(try await bench.get().body == file)
    #expect(bench.ranges == ["-"])
  }

  /// Some servers say that they send gzip, or something that does not exist, and send the sound as it is. FFmpeg would
  /// try to decode it for ever.
  @Test(arguments: ["gzip", "utf-8", "br"]) func falseContentEncodingIsLeftOut(coding: String) async throws {
    bench.server.route(RelayBench.path) { [resource = bench.resource] in
      resource.answer($0).header("Content-Encoding", coding)
    }
    let answer = try await bench.get("bytes=0-")
    #expect(answer.head["Content-Encoding"] == nil)
    #expect(answer.body == bench.file)
    #expect(try await bench.get("bytes=1000-").body == Array(bench.file[1000...]))
  }

  @Test func compressedResponseIsRefusedWithItsReason() async throws {
    let file = [0x1f, 0x8b, 8, 0] + bench.file
    bench.server.route(RelayBench.path) { _ in .gzip(file, type: "audio/mpeg") }
    #expect(try await bench.get("bytes=0-").head.status == 400)
    #expect(bench.relay.lastFailure(for: bench.url) == .invalidAnswer(.compressed(coding: "gzip")))
  }

  @Test func requestWithoutARangeGetsTheWholeFile() async throws {
    for _ in 1...2 {
      let answer = try await bench.get()
      #expect(answer.head.status == 200)
      #expect(answer.head["Content-Range"] == nil)
      #expect(answer.body == bench.file)
      try await bench.copyHas(bench.file.count)
    }
    #expect(bench.ranges == ["-"])
  }

  @Test func storedPartIsJoinedWithTheRest() async throws {
    bench.breakOff(afterBytes: 100_000)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    bench.server.route(RelayBench.path, bench.resource.answer)
    #expect(try await bench.get("bytes=50000-").body == Array(bench.file[50_000...]))
    #expect(bench.ranges == ["bytes=0-", "bytes=100000-"])
    #expect(bench.server.requests.last?.header("If-Range") == "\"1\"")
  }

  @Test func storedPartInTheMiddleIsSkipped() async throws {
    let bench = try RelayBench(bytes: 1_000_000)
    bench.breakOff(afterBytes: 300_000)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=400000-") }
    bench.server.route(RelayBench.path, bench.resource.answer)
    let answer = try await bench.get("bytes=100000-")
    #expect(answer.head["Content-Range"] == "bytes 100000-999999/1000000")
    #expect(answer.body == Array(bench.file[100_000...]))
    #expect(bench.ranges == ["bytes=400000-", "bytes=100000-399999", "bytes=700000-"])
  }

  @Test(arguments: [100_000, 900_000]) func wrongRangeOfTheServerIsNotMixed(count: Int) async throws {
    let bench = try RelayBench(bytes: 1_000_000)
    bench.breakOff(afterBytes: 300_000)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=400000-") }
    // The server answers with parts of this size, whatever range is requested.
    bench.server.route(RelayBench.path) { [file = bench.file] request in
      let first = request.byteRange?.first ?? 0
      let last = min(first + count, file.count) - 1
      return LoopbackServer.Response(
        status: 206,
        headers: [
          ("ETag", "\"1\""), ("Content-Type", "audio/mpeg"),
          ("Content-Range", "bytes \(first)-\(last)/\(file.count)"),
        ], body: .bytes(Array(file[first...last])))
    }
    let body: [UInt8]
    do { body = try await bench.get("bytes=100000-").body } catch { body = bench.received }
    #expect(body == Array(bench.file[100_000..<(count < 300_000 ? 200_000 : 1_000_000)]))
  }

  /// A part that does not tell the length (RFC 9110 §14.4), or names no range, is the whole file if all was asked for.
  @Test(arguments: ["bytes 0-299999/*", "bytes=0-299999/300000", nil]) func wholeFileAsAPartIsPlayed(
    range: String?
  ) async throws {
    bench.server.route(RelayBench.path) { [file = bench.file] _ in
      let headers = [("Content-Type", "audio/mpeg")] + (range.map { [("Content-Range", $0)] } ?? [])
      return LoopbackServer.Response(status: 206, headers: headers, body: .bytes(file))
    }
    let answer = try await bench.get("bytes=0-")
    #expect(answer.body == bench.file)
    #expect(answer.head["Content-Range"]?.hasSuffix("*") != true)
  }

  /// `bytes 100000-299999/*` (RFC 9110 §14.4).
  @Test func partWithoutASizeContinuesTheCopy() async throws {
    bench.breakOff(afterBytes: 100_000)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    bench.server.route(RelayBench.path) { [resource = bench.resource] request in
      var answer = resource.answer(request)
      answer.headers = answer.headers.map { name, value in
        (name, name == "Content-Range" ? value.replacing("/300000", with: "/*") : value)
      }
      return answer
    }
    let rest = try await bench.get("bytes=200000-")
    #expect(rest.head.status == 206 && rest.body == Array(bench.file[200_000...]))
    #expect(rest.head["Content-Range"] == "bytes 200000-299999/300000")
    #expect(try await bench.get("bytes=0-").body == bench.file)
  }

  @Test func nextRunContinuesTheCopy() async throws {
    bench.breakOff(afterBytes: 100_000)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    try await bench.saveCopy(whenItHas: 100_000)
    // Another process has its own cache over the same directory. The server is the same.
    let later = StreamCache(directory: bench.directory, limit: 1 << 30)
    let relay = StreamRelay(cache: later, options: bench.relay.options)
    defer { relay.shutDown() }
    bench.server.route(RelayBench.path, bench.resource.answer)
    let answer = try await bench.get("bytes=0-", through: relay)
    #expect(answer.body == bench.file)
    #expect(bench.ranges == ["bytes=0-", "bytes=100000-"])
    #expect(bench.server.requests.last?.header("If-Range") == "\"1\"")
  }

  @Test func anotherVersionOfTheFileIsNotMixedWithTheOldOne() async throws {
    bench.breakOff(afterBytes: 100_000)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    try await bench.saveCopy(whenItHas: 100_000)
    let other = LoopbackServer.Resource(bench.file.reversed(), type: "audio/mpeg", etag: "\"2\"")
    bench.server.route(RelayBench.path, other.answer)
    let relay = StreamRelay(
      cache: StreamCache(directory: bench.directory, limit: 1 << 30), options: bench.relay.options)
    defer { relay.shutDown() }
    let answer = try await bench.get("bytes=0-", through: relay)
    #expect(answer.body == bench.file.reversed())
    #expect(try await bench.get("bytes=0-", through: relay).body == bench.file.reversed())
  }

  @Test func changedFileEndsTheAnswer() async throws {
    bench.breakOff(afterBytes: 100_000)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    bench.server.route(
      RelayBench.path, LoopbackServer.Resource(bench.file.reversed(), type: "audio/mpeg", etag: "\"2\"").answer)
    // The first 100,000 bytes were promised from the old version.
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    // Requests for the middle get a 412 until mpv begins again from the start.
    for _ in 1...2 { #expect(try await bench.get("bytes=100000-").head.status == 412) }
    #expect(bench.relay.lastFailure(for: bench.url)?.cause.contains("another one now") == true)
    #expect(try await bench.get("bytes=0-").body == bench.file.reversed())
  }

  @Test func streamCopyIsPlayedWithoutANetwork() async throws {
    _ = try await bench.get("bytes=0-")
    try await bench.saveCopy(whenItHas: bench.file.count)
    bench.server.stop()
    let relay = StreamRelay(
      cache: StreamCache(directory: bench.directory, limit: 1 << 30), options: bench.relay.options)
    defer { relay.shutDown() }
    #expect(try await bench.get("bytes=0-", through: relay).body == bench.file)
    #expect(relay.lastFailure(for: bench.url) == .noConnectivity(.connectionRefused("127.0.0.1")))
  }

  @Test func serverErrorsArePassedOn() async throws {
    for status in [401, 403, 404, 410, 500] {
      bench.server.route(RelayBench.path, .status(status))
      #expect(try await bench.get("bytes=0-").head.status == status)
      #expect(bench.relay.lastFailure(for: bench.url) != nil)
    }
    #expect(bench.relay.lastFailure(for: bench.url) == .refused(status: 500))
    bench.server.route(RelayBench.path, bench.resource.answer)
    #expect(try await bench.get("bytes=300000-").head.status == 416)
    #expect(bench.relay.lastFailure(for: bench.url) == nil)
  }

  /// FFmpeg asks for the rest of a stream that broke off. A server without ranges answers with the whole file, which
  /// does not continue the stream.
  @Test func failureCountsUntilTheStreamContinues() async throws {
    let whole = LoopbackServer.Response.bytes(bench.file, type: "audio/mpeg").chunked()
    bench.server.route(RelayBench.path, whole.cut(afterBytes: 100_000))
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    bench.server.route(RelayBench.path, whole)
    _ = try await bench.get("bytes=100000-")
    #expect(bench.relay.lastFailure(for: bench.url)?.isConnectivity == true)
    #expect(try await bench.get("bytes=0-").body == bench.file)
    #expect(bench.relay.lastFailure(for: bench.url) == nil && !bench.relay.isUnfinished(bench.url))
  }

  /// The child inherits descriptors of this process, because it is not started by Foundation.
  @Test func failureIsNoticedWhileAChildProcessRuns() async throws {
    let child = Mutex<pid_t>(0)
    let answer = LoopbackServer.Response.bytes(bench.file, type: "audio/mpeg").chunked()
    bench.server.route(
      RelayBench.path,
      answer.cut(afterBytes: 100_000).held(afterBytes: 50_000) {
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
        defer { for word in words { free(word) } }
        child.withLock { _ = posix_spawn(&$0, "/bin/sleep", nil, nil, &words, environ) }
      })
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    let id = child.withLock { $0 }
    try #require(id > 0, "no child was started")
    #expect(kill(id, SIGKILL) == 0)
    var status: Int32 = 0
    #expect(waitpid(id, &status, 0) == id && status == SIGKILL, "the connection was closed before the child ended")
  }

  @Test func missingServerIsReported() async throws {
    bench.server.stop()
    #expect(try await bench.get("bytes=0-").head.status == 502)
    #expect(bench.relay.lastFailure(for: bench.url) == .noConnectivity(.connectionRefused("127.0.0.1")))
  }

  @Test func silentServerTimesOut() async throws {
    let bench = try RelayBench(timeout: 0.05)
    bench.server.route(RelayBench.path, .never)
    #expect(try await bench.get("bytes=0-").head.status == 504)
    #expect(bench.relay.lastFailure(for: bench.url)?.isConnectivity == true)
  }

  @Test func redirectsAreFollowedHere() async throws {
    bench.server.route("/old", .redirect(302, to: RelayBench.path))
    #expect(try await bench.get("bytes=0-", of: bench.server.url("/old")).body == bench.file)
    bench.server.route("/away", .redirect(302, to: "file:///etc/passwd"))
    #expect(try await bench.get("bytes=0-", of: bench.server.url("/away")).head.status == 400)
  }

  @Test func changedFileIsNotMixed() async throws {
    bench.breakOff(afterBytes: 100_000)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    // If the server sends another version for every request, the relay accepts that after the first time.
    let answers = Mutex(0)
    bench.server.route(RelayBench.path) { [file = bench.file] request in
      let number = answers.withLock { count in
        count += 1
        return count
      }
      return LoopbackServer.Resource(file, type: "audio/mpeg", etag: "\"v\(number)\"").answer(request)
    }
    #expect(try await bench.get("bytes=100000-").head.status == 412)
    #expect(try await bench.get("bytes=0-").body == bench.file)
    try await bench.copyHas(bench.file.count)
    #expect(try await bench.get("bytes=100000-").body == Array(bench.file[100_000...]))
    #expect(try await bench.get("bytes=50000-").head.status == 206)
  }

  @Test func restComesFromTheRedirectedAddress() async throws {
    let visits = Mutex(0)
    bench.server.route("/ads") { _ in
      let number = visits.withLock { count in
        count += 1
        return count
      }
      return .redirect(302, to: "/stitched\(number)")
    }
    for number in 1...3 {
      let file = LoopbackServer.Resource(bench.file, type: "audio/mpeg", etag: "\"s\(number)\"")
      bench.server.route("/stitched\(number)") { file.answer($0).cut(afterBytes: 100_000) }
    }
    let url = bench.server.url("/ads")
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-", of: url) }
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=150000-", of: url) }
    #expect(visits.withLock { $0 } == 1)
    // The redirect's target has expired. The original address leads to another file.
    bench.server.route("/stitched1", .status(403))
    #expect(try await bench.get("bytes=260000-", of: url).head.status == 412)
    #expect(visits.withLock { $0 } == 2)
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-", of: url) }
    #expect(try await bench.get("bytes=260000-", of: url).body == Array(bench.file[260_000...]))
  }

  @Test func serverThatSendsTheWholeFileHasNoRanges() async throws {
    var resource = bench.resource
    resource.honoursRanges = false
    let whole = resource
    bench.server.route(RelayBench.path) { whole.answer($0).cut(afterBytes: 100_000) }
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    bench.server.route(RelayBench.path, whole.answer)
    let again = try await bench.get("bytes=0-")
    #expect(again.head.status == 200 && again.head["Accept-Ranges"] == nil)
    #expect(again.body == bench.file)
    try await bench.copyHas(bench.file.count)
    #expect(try await bench.get("bytes=1000-").head.status == 206)
  }

  @Test func serverWithoutRangesIsPassedThrough() async throws {
    var resource = bench.resource
    resource.honoursRanges = false
    bench.server.route(RelayBench.path, resource.answer)
    let answer = try await bench.get("bytes=1000-")
    #expect(answer.head.status == 200)
    #expect(answer.body == bench.file)
    try await bench.copyHas(bench.file.count)
    // Ranges can now be served from the copy.
    #expect(try await bench.get("bytes=1000-").body == Array(bench.file[1000...]))
    #expect(bench.ranges.count == 1)
  }

  @Test func streamWithoutALengthIsPassedThrough() async throws {
    bench.server.route(RelayBench.path, .bytes(bench.file, type: "audio/mpeg").untilClose())
    let answer = try await bench.get()
    #expect(answer.head["Content-Length"] == nil)
    #expect(answer.body == bench.file)
    #expect(try bench.copy.size == 0)
    // A broken connection must not look like the end of the file.
    bench.server.route(RelayBench.path, .bytes(bench.file, type: "audio/mpeg").chunked().cut(afterBytes: 1000))
    await #expect(throws: HTTPError.self) { try await bench.get() }
  }

  @Test func titlesOfARadioStationAreReported() async throws {
    bench.server.route(RelayBench.path) { request in
      .bytes([1, 2, 3], type: "audio/mpeg").header("icy-metaint", request.header("Icy-MetaData") ?? "none").untilClose()
    }
    let relayed = try #require(bench.relay.address(for: bench.url))
    let head = try await bench.head(of: relayed, headers: [("Icy-MetaData", "1")])
    #expect(head["icy-metaint"] == "1")
  }

  @Test func manifestsAreLeftToThePlayer() async throws {
    #expect(bench.relay.address(for: bench.server.url("/live.m3u8?a=1")) == nil)
    bench.server.route(RelayBench.path, .text("#EXTM3U", type: "application/vnd.apple.mpegurl"))
    // The client follows the redirect to the manifest.
    #expect(try await bench.get().body == Array("#EXTM3U".utf8))
    #expect(bench.server.requests.count == 2)
    #expect(!bench.relay.isUnfinished(bench.url))
  }

  @Test(arguments: ["ftp://example.org/a", "file:///etc/passwd", "edl://a", "", "http://"])
  func otherAddressesAreNotRelayed(address: String) throws {
    #expect(bench.relay.address(for: address) == nil)
  }

  @Test func requestsWithoutTheTokenAreRefused() async throws {
    let relayed = try #require(bench.relay.address(for: bench.url))
    let port = try #require(URLComponents(string: relayed)?.port)
    #expect(try await bench.head(of: "http://127.0.0.1:\(port)/media.mp3").status == 404)
    #expect(try await bench.head(of: "http://127.0.0.1:\(port)/../../etc/passwd").status == 404)
    #expect(bench.server.requests.isEmpty)
    #expect(relayed.hasSuffix("/media.mp3"))
    #expect(bench.relay.address(for: bench.url) == relayed)
  }

  @Test func passwordIsSentOnlyToItsServer() async throws {
    let url = bench.url.replacingOccurrences(of: "http://", with: "http://ann:secret@")
    #expect(try await bench.get("bytes=0-", of: url).body == bench.file)
    #expect(bench.server.requests.first?.basicCredentials == Array("ann:secret".utf8))
    try await bench.saveCopy(whenItHas: bench.file.count)
    for name in try FileManager.default.contentsOfDirectory(atPath: bench.directory) where name.hasSuffix(".json") {
      #expect(!(try String(contentsOfFile: "\(bench.directory)/\(name)", encoding: .utf8)).contains("secret"))
    }
  }

  @Test func credentialsAreSentWithoutBeingInTheAddress() async throws {
    bench.relay.use(
      RequestAccess(Credentials(user: "ann", password: "secret", for: try WebAddress(bench.url))), for: bench.url)
    #expect(bench.relay.address(for: bench.url)?.contains("secret") == false)
    _ = try await bench.get("bytes=0-")
    #expect(bench.server.requests.first?.basicCredentials == Array("ann:secret".utf8))
  }

  @Test func passwordOfAnotherServerIsNotSent() async throws {
    let origin = try WebAddress("http://127.0.0.1:1/").origin
    bench.relay.use(RequestAccess(Credentials(user: "ann", password: "secret", origin: origin)), for: bench.url)
    _ = try await bench.get("bytes=0-")
    #expect(!bench.server.requests.isEmpty)
    #expect(bench.server.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func relayRefusesAddressesAfterShutDown() {
    bench.relay.shutDown()
    #expect(bench.relay.address(for: bench.url) == nil)
  }
}
