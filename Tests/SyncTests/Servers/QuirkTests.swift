import Foundation
import HTTP
import LoopbackServer
import Synchronization
import Testing

@testable import Services
@testable import Sync
@testable import SyncBackends

/// Answers that real servers give, over HTTP.
@Suite struct QuirkTests {
  private func backend(_ server: LoopbackServer, path: String = "") throws -> GPodderBackend {
    let transport = try CurlTransport(
      base: server.url(path), login: ("me", "pw"), client: HTTPClient(), allowsHTTP: false)
    return GPodderBackend(transport: transport, user: "me", device: "here", caption: "Here")
  }

  private static func action(_ number: Int, time: String) -> String {
    #"{"podcast":"http:\/\/p.example\/f","episode":"http:\/\/p.example\/\#(number).mp3","guid":null,"device":null,"#
      + #""action":"PLAY","started":1,"position":\#(number + 10),"total":1800,"timestamp":\#(time)}"#
  }

  @Test(arguments: [
    (#""2024-05-01T10:00:00""#, 1_714_557_600.0), (#""2024-05-01T10:00:00Z""#, 1_714_557_600),
    (#""2024-05-01T10:00:00+00:00""#, 1_714_557_600), (#""2024-05-01T12:00:00+0200""#, 1_714_557_600),
    (#""2024-05-01T10:00:00.951340""#, 1_714_557_600), (#""2024-05-01 10:00:00""#, 1_714_557_600),
    (#""2024-05-01 10:00:00 +00:00""#, 1_714_557_600), ("1714557600", 1_714_557_600),
    (#""1714557600""#, 1_714_557_600), ("1714557600000", 1_714_557_600), ("null", GPodderAction.unknownTime),
    (#""soon""#, GPodderAction.unknownTime),
  ])
  func timesAreReadAsServersWriteThem(text: String, seconds: Double) async throws {
    let server = try LoopbackServer { _ in
      .text(#"{"actions":[\#(Self.action(1, time: text))],"timestamp":\#(text)}"#, type: "text/html")
    }
    let pull = try await backend(server).pull(.episodes, since: nil)
    #expect(pull.episodes.map(\.time) == [seconds])
    #expect(pull.episodes.first?.mark == EpisodeMark(.paused, position: 11, isWhole: true))
  }

  /// A server with pages: the oldest actions first, with the time of the page's last action.
  private func pages(of size: Int, _ times: [Int]) throws -> LoopbackServer {
    try LoopbackServer { request in
      let since = request.query.flatMap { Int($0.dropFirst("since=".count)) } ?? 0
      let found = times.enumerated().filter { $0.element >= since }.sorted { $0.element < $1.element }.prefix(size)
      let actions = found.map { Self.action($0.offset, time: "\($0.element)") }.joined(separator: ",")
      return .text(#"{"actions":[\#(actions)],"timestamp":\#(found.last?.element ?? 0)}"#)
    }
  }

  @Test(arguments: [1, 2, 7, 50, 1000])
  func pagesAreReadToTheEnd(size: Int) async throws {
    // Recent times, so that a later pull covers all of them.
    let now = Int(Date().timeIntervalSince1970)
    let server = try pages(of: size, (0..<60).map { now - 6000 + $0 * 100 })
    let backend = try backend(server)
    let pull = try await backend.pull(.episodes, since: nil)
    // With pages of one action the next page begins with the same action.
    if size > 1 { #expect(pull.episodes.count == 60) }
    guard size == 1000 else { return }
    // Known actions are requested only once.
    server.forgetRequests()
    #expect(try await backend.pull(.episodes, since: pull.cursor).episodes.count == 60)
    #expect(server.requests.count == 1)
    // Actions that were pushed after the pull do not count as new either.
    let cursor = try backend.cursor(.episodes, pull.cursor, pushed: Double(now))
    #expect(GPodderCursor(cursor).latest == now)
  }

  @Test func pageOfOneSecondDoesNotEndTheList() async throws {
    let now = Int(Date().timeIntervalSince1970)
    let server = try pages(of: 10, [Int](repeating: now - 500, count: 30) + [now - 400, now - 300])
    let pull = try await backend(server).pull(.episodes, since: nil)
    #expect(pull.episodes.map(\.time).max() == Double(now - 300))
  }

  @Test func truncatedAnswerIsNotMixedWithTheNext() async throws {
    let attempts = Mutex(0)
    let actions = (0..<50).map { Self.action($0, time: "1714557600") }.joined(separator: ",")
    let server = try LoopbackServer { _ in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      let answer = LoopbackServer.Response.text(#"{"actions":[\#(actions)],"timestamp":1914557600}"#)
      return attempt == 1 ? answer.cut(afterBytes: 2000) : answer
    }
    #expect(try await backend(server).pull(.episodes, since: nil).episodes.count == 50)
    #expect(server.requests.count == 2)
  }

  /// Reading the pages would never end.
  @Test func serverThatIgnoresSinceIsNotAskedForever() async throws {
    let actions = (0..<20).map { Self.action($0, time: "1714557600") }.joined(separator: ",")
    let server = try LoopbackServer { _ in .text(#"{"actions":[\#(actions)],"timestamp":1714557600}"#) }
    #expect(try await backend(server).pull(.episodes, since: nil).episodes.count == 20)
    #expect(server.requests.count <= 3)
  }

  /// The next sync continues where the last one has ended.
  @Test func endlessListIsReadInParts() async throws {
    let server = try LoopbackServer { request in
      let since = request.query.flatMap { Int($0.dropFirst("since=".count)) } ?? 0
      return .text(#"{"actions":[\#(Self.action(1, time: "\(since + 1)"))],"timestamp":\#(since + 1)}"#)
    }
    let pull = try await backend(server).pull(.episodes, since: nil)
    #expect(pull.episodes.count == 1 && server.requests.count == GPodderBackend.maxPages)
    #expect(GPodderCursor(pull.cursor).time == GPodderBackend.maxPages + GPodderBackend.overlap)
  }

  @Test func serverWithoutDevicesIsSupported() async throws {
    let server = try LoopbackServer { _ in .status(404, text: "<html>") }
    server.route("/sub/api/2/subscriptions/me/earshot.json") { request in
      request.method == "GET"
        ? .text(#"{"add":["http:\/\/p.example\/f\n"],"remove":[],"timestamp":5}"#)
        : .text(#"{"timestamp":6,"update_urls":[["http://p.example/g ","http://p.example/g"],["gopher://x",null]]}"#)
    }
    let backend = try backend(server, path: "/sub")
    let pull = try await backend.pull(.subscriptions, since: nil)
    #expect(pull.subscriptions == [SubscriptionChange(url: "http://p.example/f", isSubscribed: true)])
    // The time of the list, and of the newest change in it.
    #expect(pull.cursor == "5 5")
    var batch = SyncBatch()
    batch.subscriptions = [SubscriptionChange(url: "http://p.example/g", isSubscribed: true)]
    let receipt = try await backend.push(batch)
    #expect(receipt.renamed["gopher://x"] == .some(nil))
    let body = String(decoding: try #require(server.requests.last).body, as: UTF8.self)
    #expect(body == #"{"add":["http://p.example/g"],"remove":[]}"#)
  }

  /// The list of devices is only for the listener's information.
  @Test(arguments: [400, 403, 404, 405, 500, 501]) func refusedDeviceDoesNotEndTheSync(status: Int) async throws {
    let server = try LoopbackServer { request in
      if request.path.contains("devices/") { return .status(status, text: "<html>") }
      return .text(#"{"add":["http://p.example/f"],"remove":[],"timestamp":5}"#)
    }
    let pull = try await backend(server).pull(.subscriptions, since: nil)
    #expect(pull.subscriptions == [SubscriptionChange(url: "http://p.example/f", isSubscribed: true)])
  }

  @Test func wrongPasswordForADeviceIsReported() async throws {
    let server = try LoopbackServer { request in
      request.path.contains("/devices/") ? .status(401) : .text(#"{"add":[],"remove":[],"timestamp":5}"#)
    }
    await #expect(throws: SyncError.unauthorized(server: "127.0.0.1:\(server.port)")) {
      try await backend(server).pull(.subscriptions, since: nil)
    }
  }

  /// Some PHP files begin with a byte order mark, which then precedes every answer.
  @Test func byteOrderMarkIsSkipped() async throws {
    let action = Self.action(1, time: "1714557600")
    let server = try LoopbackServer { _ in
      .text("\u{FEFF}" + #"{"add":["http://p.example/f"],"remove":[],"actions":[\#(action)],"timestamp":5}"#)
        .dripping(bytes: 2, everyMilliseconds: 0)
    }
    let backend = try backend(server)
    #expect(try await backend.pull(.subscriptions, since: nil).subscriptions.count == 1)
    #expect(try await backend.pull(.episodes, since: nil).episodes.count == 1)
  }

  @Test(arguments: [(401, true), (403, false), (500, false), (503, false)])
  func refusedPullThrowsTheError(status: Int, isPassword: Bool) async throws {
    let server = try LoopbackServer { _ in .status(status, text: "<html>") }
    do {
      _ = try await backend(server).pull(.episodes, since: nil)
      Issue.record("nothing was thrown")
    } catch {
      let error = try #require(error as? SyncError)
      if case .unauthorized = error { #expect(isPassword) } else { #expect(!isPassword) }
      #expect(!error.description.contains("pw"))
    }
  }
}
