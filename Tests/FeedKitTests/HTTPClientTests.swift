import Foundation
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import FeedKit
@testable import HTTP

/// The client over a real socket: bodies, limits, credentials, rate limits.
@Suite(InTurn())
struct HTTPClientTests {
  let server: LoopbackServer
  let client = HTTPClient(options: .forTests())

  init() throws { server = try LoopbackServer() }

  private var origin: Origin { Origin(scheme: "http", host: "127.0.0.1", port: Int(server.port)) }

  @Test func readsABodyInPieces() async throws {
    server.route("/a", LoopbackServer.Response.text("hello, world").chunked().dripping(bytes: 5, everyMilliseconds: 1))
    let sink = RecordingSink()
    let response = try #require(await client.result(server.url("/a?q=1"), sink: sink).value)
    #expect(response.status == 200)
    #expect(response.bytes == 12)
    #expect(sink.text == "hello, world")
    #expect(response.head.contentType == "text/plain; charset=utf-8")
    #expect(response.head.date == Date(timeIntervalSince1970: 784_111_777))
    let request = try #require(server.requests.first)
    #expect(request.target == "/a?q=1")
    #expect(request.header("User-Agent") == HTTPOptions().userAgent)
    #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
  }

  /// Nothing is lost, and the other requests of the client go on meanwhile.
  @Test func fullSinkPausesTheTransfer() async throws {
    let file = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    server.route("/file", .bytes(file))
    server.route("/other", .text("x"))
    let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
    let (results, result) = AsyncStream.makeStream(of: Int64?.self)
    let sink = PausingSink(limit: 100_000) { pause.yield() }
    var request = HTTPRequest(url: try WebAddress(server.url("/file")))
    request.encoding = .identity
    let id = client.send(request, sink: sink) { result.yield($0.value?.bytes) }
    _ = await pauses.first { _ in true }
    #expect(await client.result(server.url("/other")).value?.status == 200)
    let count = sink.bytes.count
    // libcurl passes on at most 16 kB at once.
    #expect(100_000..<100_000 + 16 * 1024 ~= count)
    // It is full again at once.
    client.resume(id)
    _ = await pauses.first { _ in true }
    #expect(sink.bytes.count == count)
    sink.open()
    client.resume(id)
    #expect(await results.first { _ in true } == 3_000_000)
    #expect(sink.bytes == file)
  }

  @Test func pausedTransferCanBeCancelled() async throws {
    server.route("/file", .zeros(1 << 30))
    let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
    let (errors, error) = AsyncStream.makeStream(of: HTTPError?.self)
    var request = HTTPRequest(url: try WebAddress(server.url("/file")))
    request.encoding = .identity
    let id = client.send(request, sink: PausingSink(limit: 1) { pause.yield() }) { error.yield($0.error) }
    _ = await pauses.first { _ in true }
    client.cancel(id)
    client.resume(id)
    #expect(await errors.first { _ in true } == .cancelled)
  }

  @Test func mediaAreNotCompressed() async {
    server.route("/a", .text("x"))
    _ = await client.result(server.url("/a")) { $0.encoding = .identity }
    #expect(server.requests.first?.header("Accept-Encoding") == "identity")
  }

  @Test func reusesOneConnection() async {
    server.route("/a", .text("x"))
    for _ in 0..<5 { _ = await client.result(server.url("/a")) }
    #expect(server.requests.count == 5)
    #expect(server.connectionCount == 1)
  }

  @Test func requestsPerHostAreLimited() async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _ in
      gate.wait()
      return .text("x")
    }
    let client = client
    let url = server.url("/a")
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<12 { group.addTask { await client.result(url).value?.status } }
      #expect(await server.requestsArrive(4))
      for _ in 0..<12 { gate.signal() }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 12))
    #expect(server.peakConcurrency == 4)
    #expect(server.connectionCount == 4)
  }

  /// Two responses arrive at the same time. The request that waits for the place of the first one is sent before the
  /// second one is read.
  @Test func nextRequestIsSentBeforeOtherResponsesAreRead() async throws {
    let options = HTTPOptions.forTests {
      $0.requestsPerHost = 2
      // libcurl's timer for slow transfers would also read everything that has arrived.
      $0.lowSpeedTime = 0
    }
    let client = HTTPClient(options: options)
    let server = server
    let (mayAnswer, isNextRequested) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for path in ["/1", "/2"] {
      server.route(path) { _ in
        mayAnswer.wait()
        return .text("x")
      }
    }
    server.route("/next") { _ in
      isNextRequested.signal()
      return .text("x")
    }
    server.route("/", .text("x"))
    let isInTime = Mutex<[Bool]>([])
    let sink = HandlerSink {
      let isFirst = isInTime.withLock { $0.isEmpty }
      let inTime = isFirst || isNextRequested.wait(timeout: .now() + 300) == .success
      isInTime.withLock { $0.append(inTime) }
    }
    // This request has another host. Here the client's thread waits until both answers are in their sockets.
    let blocking = HandlerSink {
      for _ in 1...2 { mayAnswer.signal() }
      server.waitUntilAnswered()
    }
    let (results, result) = AsyncStream.makeStream(of: Int?.self)
    let send = { (url: String, sink: any HTTPSink) in
      _ = client.send(HTTPRequest(url: try WebAddress(url)), sink: sink) { result.yield($0.value?.status) }
    }
    // libcurl has a timer for each new connection, and reads everything that has arrived when it is due. So the
    // connections are opened before.
    for path in ["/1", "/2"] { try send(server.url(path), RecordingSink()) }
    #expect(await server.requestsArrive(2))
    for _ in 1...2 { mayAnswer.signal() }
    #expect(await results.prefix(2).reduce(into: []) { $0.append($1) } == [200, 200])
    server.forgetRequests()
    for path in ["/1", "/2"] { try send(server.url(path), sink) }
    #expect(await server.requestsArrive(2))
    try send(server.url("/next"), RecordingSink())
    try send(server.url("/", host: "localhost"), blocking)
    #expect(await results.prefix(4).reduce(into: []) { $0.append($1) } == [200, 200, 200, 200])
    #expect(isInTime.withLock { $0 } == [true, true])
  }

  @Test(arguments: ["HEAD", "POST", "PUT"])
  func sendsOtherMethods(_ method: String) async {
    server.route("/a", .text("x"))
    let response = await client.result(server.url("/a")) {
      $0.method = method
      if method != "HEAD" { $0.body = [UInt8]("payload".utf8) }
    }
    #expect(response.value?.status == 200)
    #expect(server.requests.first?.method == method)
    #expect(server.requests.first?.body == (method == "HEAD" ? [] : [UInt8]("payload".utf8)))
  }

  @Test func headersCannotBeSmuggledIn() async {
    server.route("/a", .text("x"))
    _ = await client.result(server.url("/a")) { $0.headers = [("X-A", "1\r\nX-B: 2"), ("X-C", "3")] }
    #expect(server.requests.first?.header("X-B") == nil)
    #expect(server.requests.first?.header("X-C") == "3")
  }

  // MARK: Limits

  @Test func largeBodyIsLimited() async {
    server.route("/huge", .zeros(1 << 30))
    let sink = RecordingSink(keeps: false)
    let error = await client.result(server.url("/huge"), sink: sink) { $0.maxBytes = 1_000_000 }.error
    #expect(error == .tooLarge(limit: 1_000_000))
    #expect(sink.now.largestBody <= 1_000_000)
  }

  /// 100 MB of zeros in 100 kB, made by gzip.
  @Test func gzipBombIsLimited() async throws {
    let bomb = try Gzip.zeros(megabytes: 100)
    #expect(bomb.count < 200_000)
    server.route("/bomb", .gzip(bomb, type: "application/rss+xml"))
    let sink = RecordingSink(keeps: false)
    let error = await client.result(server.url("/bomb"), sink: sink) { $0.maxBytes = 1_000_000 }.error
    #expect(error == .tooLarge(limit: 1_000_000))
    #expect(sink.now.largestBody <= 1_000_000)
  }

  @Test func compressedBodiesArrivePlain() async throws {
    server.route("/z", .gzip(try Gzip.zeros(megabytes: 1), type: "text/plain"))
    let sink = RecordingSink()
    #expect(await client.result(server.url("/z"), sink: sink).value?.bytes == 1 << 20)
    #expect(sink.now.bytes == [UInt8](repeating: 0, count: 1 << 20))
  }

  @Test func damagedCompressionIsInvalidData() async {
    server.route("/z", .gzip([UInt8]("no gzip at all".utf8), type: "text/plain"))
    #expect(await client.result(server.url("/z")).error == .invalidAnswer(.badCompression))
  }

  @Test func endlessHeadIsLimited() async {
    server.route("/head", .endlessHead)
    #expect(await client.result(server.url("/head")).error == .invalidAnswer(.headTooLarge(limit: 200 * 1024)))
  }

  @Test func endlessHeaderLineIsLimited() async {
    server.route("/line", .raw([UInt8]("HTTP/1.1 200 OK\r\nX: ".utf8) + [UInt8](repeating: 0x62, count: 1 << 20)))
    #expect(await client.result(server.url("/line")).error == .invalidAnswer(.headTooLarge(limit: 200 * 1024)))
  }

  /// libcurl keeps trailers in memory: 3 GB in a minute.
  @Test func trailersWithoutEndAreCutOff() async {
    let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n"
    let trailers = String(repeating: "X: \(String(repeating: "b", count: 1000))\r\n", count: 1000)
    server.route("/trailers", .raw([UInt8]((start + trailers + "\r\n").utf8)))
    #expect(await client.result(server.url("/trailers")).error == .invalidAnswer(.headTooLarge(limit: 200 * 1024)))
  }

  @Test func nonHTTPAnswerIsInvalidData() async {
    server.route("/raw", .raw([UInt8]("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8)))
    #expect(await client.result(server.url("/raw")).error == .invalidAnswer(.notHTTP))
  }

  @Test func sinkCanStopTheTransfer() async throws {
    server.route("/huge", .zeros(1 << 30))
    let response = await client.result(server.url("/huge"), sink: RecordingSink(keeps: false, stopAfter: 100)).value
    #expect(try #require(response).bytes < 1 << 30)
  }

  // MARK: Broken connections

  @Test(arguments: [true, false]) func silentServerTimesOutTwiceWithRetries(_ retriesTimeouts: Bool) async {
    server.route("/never", .never)
    let retries = RetryCounter()
    let client = HTTPClient(
      options: .forTests {
        $0.deadline = 1
        $0.random = { retries.note() }
      })
    let error = await client.result(server.url("/never")) {
      // Retries are the default.
      if !retriesTimeouts { $0.retriesTimeouts = false }
    }.error
    #expect(error == .noConnectivity(.timedOut("127.0.0.1")))
    // On a busy machine the time can be over before a request is sent.
    #expect(retries.count == (retriesTimeouts ? 1 : 0))
    #expect(server.requests.count <= (retriesTimeouts ? 2 : 1))
  }

  @Test func slowBodyTimesOut() async {
    server.route("/drip", .zeros(100_000).dripping(bytes: 1, everyMilliseconds: 20))
    let client = HTTPClient(
      options: .forTests {
        $0.lowSpeedTime = 1
        $0.lowSpeedLimit = 1000
        $0.requestRetry.repeats = 0
      })
    #expect(await client.result(server.url("/drip")).error == .noConnectivity(.timedOut("127.0.0.1")))
  }

  @Test func truncatedBodyIsRequestedAgain() async {
    let answers = Mutex(0)
    server.route("/cut") { _ in
      let isFirst = answers.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst ? .text("the whole text").cut(afterBytes: 3) : .text("the whole text")
    }
    let sink = RecordingSink()
    #expect(await client.result(server.url("/cut"), sink: sink).value?.status == 200)
    #expect(sink.now.begins == 2)
    #expect(sink.text == "the whole text")
  }

  @Test func bodyTruncatedTwiceIsNoConnectivity() async {
    server.route("/cut", .zeros(1000).cut(afterBytes: 10))
    #expect(await client.result(server.url("/cut")).error == .noConnectivity(.cut("127.0.0.1")))
    server.route("/chunks", .zeros(1_000_000).chunked().cut(afterBytes: 70_000))
    #expect(await client.result(server.url("/chunks")).error == .noConnectivity(.cut("127.0.0.1")))
  }

  @Test func closedPortIsRefused() async {
    let url = server.url("/a")
    server.stop()
    #expect(await client.result(url).error == .noConnectivity(.connectionRefused("127.0.0.1")))
  }

  /// RFC 6761: names under .invalid never exist, and resolvers answer without a query.
  @Test func unknownHostIsReported() async {
    let client = HTTPClient(options: .forTests { $0.connectTimeout = 5 })
    let error = await client.result("http://feeds.invalid/a").error
    #expect(
      error == .noConnectivity(.hostNotFound("feeds.invalid")) || error == .noConnectivity(.timedOut("feeds.invalid")))
  }

  @Test func serverWithoutTLSIsNotSecure() async {
    server.route("/a", .text("x"))
    let url = "https" + server.url("/a").dropFirst(4)
    guard case .noConnectivity(.notSecure("127.0.0.1", let reason)) = await client.result(url).error else {
      Issue.record("no TLS error")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test func cancellingEndsARequestAtOnce() async {
    server.route("/never", .never)
    let client = client
    let url = server.url("/never")
    let task = Task { await client.result(url) }
    #expect(await server.requestsArrive(1))
    task.cancel()
    #expect(await task.value.error == .cancelled)
  }

  @Test func shutDownEndsAllRequests() async {
    server.route("/never", .never)
    let client = client
    let url = server.url("/never")
    let tasks = (0..<8).map { _ in Task { await client.result(url) } }
    #expect(await server.requestsArrive(4))
    client.shutDown()
    for task in tasks { #expect(await task.value.error == .cancelled) }
    #expect(await client.result(url).error == .cancelled)
  }

  /// Every way in which a request can end, many times over, half of them cancelled: each request completes exactly
  /// once.
  @Test func requestsCompleteExactlyOnce() async {
    let paths = ["/ok", "/never", "/cut", "/loop", "/drip", "/huge", "/503", "/moved", "/raw"]
    server.route("/ok", .text("x"))
    server.route("/never", .never)
    server.route("/cut", .zeros(100_000).cut(afterBytes: 50_000))
    server.route("/loop", .redirect(302, to: "/loop"))
    server.route("/drip", .zeros(1000).dripping(bytes: 10, everyMilliseconds: 5))
    server.route("/huge", .zeros(10_000_000))
    server.route("/503", .status(503).closing())
    server.route("/moved", .redirect(301, to: "/ok"))
    server.route("/raw", .raw([UInt8]("junk\r\n".utf8)))
    let client = HTTPClient(
      options: .forTests {
        $0.deadline = 1
        $0.requestsPerHost = 16
      })
    let (ends, continuation) = AsyncStream.makeStream(of: Int.self)
    var ids: [HTTPRequestID] = []
    for number in 0..<360 {
      guard let url = try? WebAddress(server.url(paths[number % paths.count])) else { continue }
      var request = HTTPRequest(url: url)
      request.maxBytes = 1_000_000
      ids.append(client.send(request, sink: RecordingSink(keeps: false)) { _ in continuation.yield(number) })
      if number % 2 == 0 { client.cancel(ids[number / 2]) }
    }
    var counts: [Int: Int] = [:]
    var left = ids.count
    for await number in ends {
      counts[number, default: 0] += 1
      left -= 1
      if left == 0 { break }
    }
    client.shutDown()
    #expect(counts.count == 360)
    #expect(counts.values.filter { $0 != 1 }.isEmpty)
  }

  // MARK: Rate limits

  @Test func hostThatAnswered429GetsNoRequests() async {
    let now = Date(timeIntervalSince1970: 1_000_000)
    let client = HTTPClient(options: .forTests { $0.now = { now } })
    server.route("/busy", .status(429, headers: [("Retry-After", "120")]))
    server.route("/a", .text("x"))
    let expected = HTTPError.rateLimited(until: now.addingTimeInterval(120), by: origin)
    #expect(await client.result(server.url("/busy")).error == expected)
    #expect(await client.result(server.url("/a")).error == expected)
    #expect(server.requests.count == 1)
  }

  @Test func rateLimitEndsAtItsTime() async {
    let clock = TestClock(Date(timeIntervalSince1970: 784_111_700))
    let client = HTTPClient(options: .forTests { $0.now = { clock.now } })
    server.route("/busy", .status(503, headers: [("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")]))
    server.route("/a", .text("x"))
    let until = Date(timeIntervalSince1970: 784_111_777)
    #expect(await client.result(server.url("/busy")).error == .rateLimited(until: until, by: origin))
    clock.advance(by: 76)
    #expect(await client.result(server.url("/a")).error == .rateLimited(until: until, by: origin))
    clock.advance(by: 2)
    #expect(await client.result(server.url("/a")).value?.status == 200)
  }

  /// A time that is over asks for no pause, so Earshot waits as long as without it.
  @Test(arguments: ["0", "Sun, 06 Nov 1994 08:49:37 GMT"])
  func retryAfterThatIsOverCountsAsNone(_ value: String) async {
    let now = Date(timeIntervalSince1970: 1_000_000_000)
    let client = HTTPClient(options: .forTests { $0.now = { now } })
    server.route("/failing", .status(503, headers: [("Retry-After", value)]))
    server.route("/busy", .status(429, headers: [("Retry-After", value)]))
    #expect(await client.result(server.url("/failing")).value?.status == 503)
    #expect(server.requests.count == 2, "like any server error, it is repeated once")
    let expected = HTTPError.rateLimited(until: now.addingTimeInterval(30), by: origin)
    #expect(await client.result(server.url("/busy")).error == expected)
    #expect(await client.result(server.url("/failing")).error == expected)
    #expect(server.requests.count == 3)
  }

  @Test func pauseWithoutATimeDoubles() async {
    let clock = TestClock(Date(timeIntervalSince1970: 0))
    let client = HTTPClient(
      options: .forTests {
        $0.now = { clock.now }
        $0.hostRetry = RetryPolicy(base: 60, maximum: 1000)
      })
    server.route("/busy", .status(429))
    for seconds in [30.0, 60, 120] {
      let until = clock.now.addingTimeInterval(seconds)
      #expect(await client.result(server.url("/busy")).error == .rateLimited(until: until, by: origin))
      clock.advance(by: seconds + 1)
    }
  }

  @Test func requestsWaitingForARateLimitedHostFailAtOnce() async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _ in
      gate.wait()
      return .status(429, headers: [("Retry-After", "60")])
    }
    let client = HTTPClient(options: .forTests { $0.requestsPerHost = 1 })
    let url = server.url("/a")
    let tasks = (0..<5).map { _ in Task { await client.result(url).error } }
    #expect(await server.requestsArrive(1))
    gate.signal()
    for task in tasks {
      guard case .rateLimited = await task.value else {
        Issue.record("not told to wait")
        continue
      }
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [500, 502, 503, 504])
  func serverErrorsAreRepeatedOnce(_ status: Int) async {
    server.route("/a", .status(status))
    #expect(await client.result(server.url("/a")).value?.status == status)
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [400, 403, 404, 410])
  func otherErrorsAreNotRepeated(_ status: Int) async {
    server.route("/a", .status(status, text: String(repeating: "x", count: 300_000)))
    #expect(await client.result(server.url("/a")).value?.status == status)
    #expect(server.requests.count == 1)
  }
}
