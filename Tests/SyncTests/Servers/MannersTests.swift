import Foundation
import HTTP
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import Services
@testable import Sync
@testable import SyncBackends

/// Redirects, sessions, wrong answers and limits, over HTTP against scripted servers.
@Suite struct MannersTests {
  static func backend(
    _ server: LoopbackServer, path: String = "", options: HTTPOptions = HTTPOptions()
  ) throws -> GPodderBackend {
    let transport = try CurlTransport(
      base: server.url(path), login: ("me", "pw"), client: HTTPClient(options: options), allowsHTTP: false)
    return GPodderBackend(transport: transport, user: "me", device: "here", caption: "Here")
  }

  static func batch(_ names: String...) -> SyncBatch {
    var batch = SyncBatch()
    batch.episodes = names.map { name in
      EpisodeChange(
        episode: EpisodeReference(
          podcast: "http://p.example/f", guid: nil, mediaURL: "http://p.example/\(name).mp3"),
        mark: EpisodeMark(.paused, position: 60, isWhole: true), time: 1_714_557_600, total: 1800)
    }
    return batch
  }

  private static let basic = "Basic " + Data("me:pw".utf8).base64EncodedString()

  // MARK: Redirects

  /// A POST that is repeated as a GET would get a list, which looks like success, and its data would be lost.
  @Test(arguments: [301, 302, 307, 308])
  func postIsRepeatedAtTheRedirectTarget(status: Int) async throws {
    let server = try LoopbackServer { request in
      guard request.path.hasPrefix("/new/") else { return .redirect(status, to: "/new" + request.target) }
      return request.method == "POST" ? .text(#"{"timestamp":5}"#) : .text(#"{"actions":[],"timestamp":5}"#)
    }
    let backend = try Self.backend(server)
    _ = try await backend.push(Self.batch("a"))
    let last = try #require(server.requests.last)
    #expect(last.method == "POST" && last.path == "/new/api/2/episodes/me.json")
    #expect(String(decoding: last.body, as: UTF8.self).contains("p.example/a.mp3"))
    #expect(last.header("Authorization") == Self.basic)
    #expect(try await backend.pull(.episodes, since: nil).episodes == [])
  }

  @Test func webPageIsNotAGrant() async throws {
    let server = try LoopbackServer { request in
      request.path == "/login" ? .text("{}") : .redirect(303, to: "/login")
    }
    await #expect(throws: SyncError.self) { try await Self.backend(server).push(Self.batch("a")) }
    #expect(server.requests(to: "/login").isEmpty)
  }

  @Test(arguments: ["GET", "POST"])
  func passwordIsNotSentAfterARedirectToAnotherServer(method: String) async throws {
    let other = try LoopbackServer { _ in .text(#"{"actions":[],"timestamp":5}"#) }
    let server = try LoopbackServer { request in .redirect(301, to: other.url(request.target)) }
    let backend = try Self.backend(server)
    do {
      if method == "GET" {
        _ = try await backend.pull(.episodes, since: nil)
      } else {
        _ = try await backend.push(Self.batch("a"))
      }
      Issue.record("nothing was thrown")
    } catch {
      guard case .refused(_, let cause) = error else { throw error }
      #expect(cause.contains("moved") && cause.contains("127.0.0.1"))
    }
    #expect(other.requests.isEmpty)
  }

  @Test func redirectLoopEnds() async throws {
    let server = try LoopbackServer { request in .redirect(302, to: request.path + "x") }
    await #expect(throws: SyncError.self) { try await Self.backend(server).pull(.episodes, since: nil) }
    #expect(server.requests.count < 10)
  }

  // MARK: Sessions

  /// gpodder2go accepts the password only at its login, and a session cookie everywhere else.
  @Test func passwordMayBeAcceptedOnlyAtTheLogin() async throws {
    let session = Mutex((number: 0, left: 0))
    let server = try LoopbackServer { request in
      if request.path == "/api/2/auth/me/login.json" {
        guard request.method == "POST", request.header("Authorization") == Self.basic else { return .status(401) }
        let number = session.withLock { session in
          session = (session.number + 1, 2)
          return session.number
        }
        return .status(200, headers: [("Set-Cookie", "sessionid=\(number); Path=/; HttpOnly")])
      }
      // The session ends after two requests.
      let isValid = session.withLock { session in
        guard request.header("Cookie") == "sessionid=\(session.number)", session.left > 0 else { return false }
        session.left -= 1
        return true
      }
      guard isValid else { return .status(401) }
      return request.method == "POST" ? .text(#"{"timestamp":5}"#) : .text(#"{"actions":null,"timestamp":5}"#)
    }
    let backend = try Self.backend(server)
    for _ in 0..<3 {
      _ = try await backend.pull(.episodes, since: nil)
      _ = try await backend.push(Self.batch("a"))
    }
    #expect(server.requests(to: "/api/2/auth/me/login.json").count == 3)
  }

  @Test func wrongPasswordIsNotRetriedForever() async throws {
    let server = try LoopbackServer { _ in .unauthorized() }
    await #expect(throws: SyncError.unauthorized(server: "127.0.0.1:\(server.port)")) {
      try await Self.backend(server).pull(.episodes, since: nil)
    }
    #expect(server.requests.count <= 3)
  }

  /// PodFetch answers 403 to everything that has no session, and older versions of gpodder2go answer 400. Both accept
  /// the password only at their login.
  @Test(arguments: [400, 403]) func loginFollowsOtherRefusals(status: Int) async throws {
    let server = try LoopbackServer { request in
      if request.path == "/api/2/auth/me/login.json" {
        guard request.method == "POST", request.header("Authorization") == Self.basic else { return .status(403) }
        return .status(200, headers: [("Set-Cookie", "sessionid=s; Path=/api")])
      }
      guard request.header("Cookie") == "sessionid=s" else { return .status(status) }
      return request.method == "POST" ? .text(#"{"timestamp":5}"#) : .text(#"{"actions":[],"timestamp":5}"#)
    }
    let backend = try Self.backend(server)
    for _ in 0..<2 {
      _ = try await backend.push(Self.batch("a"))
      _ = try await backend.pull(.episodes, since: nil)
    }
    #expect(server.requests(to: "/api/2/auth/me/login.json").count == 1)
    #expect(server.requests.count == 6)
  }

  /// 400 also means that a value is bad, and a server without sessions answers it again.
  @Test(arguments: [400, 403]) func loginIsTriedOnlyOnceForOtherRefusals(status: Int) async throws {
    let server = try LoopbackServer { request in
      request.path == "/api/2/auth/me/login.json" ? .status(200) : .status(status)
    }
    let backend = try Self.backend(server)
    for _ in 0..<3 { await #expect(throws: SyncError.self) { try await backend.push(Self.batch("a")) } }
    #expect(server.requests(to: "/api/2/auth/me/login.json").count == 1)
    #expect(server.requests(to: "/api/2/episodes/me.json").count == 3)
  }

  /// PodFetch answers 403 to a wrong password.
  @Test func refusedLoginMeansAWrongPassword() async throws {
    let server = try LoopbackServer { _ in .status(403) }
    await #expect(throws: SyncError.unauthorized(server: "127.0.0.1:\(server.port)")) {
      try await Self.backend(server).login()
    }
  }

  @Test func refusedLoginEndsARequest() async throws {
    let server = try LoopbackServer { request in
      .status(request.path == "/api/2/auth/me/login.json" ? 401 : 400)
    }
    await #expect(throws: SyncError.unauthorized(server: "127.0.0.1:\(server.port)")) {
      try await Self.backend(server).pull(.episodes, since: nil)
    }
  }

  // MARK: Answers

  /// If such an answer counted as a failure, the values would be sent again at every sync.
  @Test(arguments: [(204, ""), (200, ""), (200, " \r\n"), (200, "OK"), (201, "[]"), (200, "null")])
  func uploadIsJudgedByItsStatus(status: Int, text: String) async throws {
    let server = try LoopbackServer { _ in .status(status, text: text) }
    let transport = try CurlTransport(
      base: server.url(""), login: ("me", "pw"), client: HTTPClient(), allowsHTTP: false)
    var subscriptions = SyncBatch()
    subscriptions.subscriptions = [SubscriptionChange(url: "http://p.example/f", isSubscribed: true)]
    let backends: [any SyncBackend] = [try Self.backend(server), NextcloudBackend(transport: transport)]
    for backend in backends {
      for batch in [subscriptions, Self.batch("a")] {
        #expect(try await backend.push(batch).renamed.isEmpty)
      }
    }
  }

  @Test(arguments: [
    (#"{"add":null,"remove":null,"timestamp":7}"#, 0), (#"{"add":["http://p.example/f"],"timestamp":7}"#, 1),
    (#"{"add":[{"feed":"http:\/\/p.example\/f\n","title":null},5,null],"remove":null,"timestamp":"7"}"#, 1),
  ])
  func missingListsAreEmpty(text: String, count: Int) async throws {
    let server = try LoopbackServer { _ in .text(text) }
    let pull = try await Self.backend(server).pull(.subscriptions, since: "5")
    // The time of the answer, and that of its newest change, if it has any.
    #expect(pull.subscriptions.count == count && pull.cursor == (count == 0 ? "7" : "7 7"))
  }

  @Test(arguments: ["<html>Log in</html>", "[]", "{}", "null", #"{"add":"none"}"#, #"{"actions":[{"podcast":"#, ""])
  func otherAnswersAreNotTakenForEmptyLists(text: String) async throws {
    let server = try LoopbackServer { _ in .text(text, type: "text/html") }
    let backend = try Self.backend(server)
    for category in [SyncCategory.subscriptions, .episodes] {
      await #expect(throws: SyncError.self, "\(category)") { try await backend.pull(category, since: "5") }
    }
    // The body of a success may be empty or any JSON, but not a web page.
    guard JSONValue(text) == nil, !text.isEmpty else { return }
    await #expect(throws: SyncError.self) { try await backend.push(Self.batch("a")) }
  }

  /// Some servers answer 404 where nothing was stored yet. From a server that had data before, a 404 is an error.
  @Test func notFoundMeansEmptyOnFirstSync() async throws {
    let server = try LoopbackServer { request in
      request.method == "POST" ? .text("[]") : .status(404, text: "<html>")
    }
    let backend = try Self.backend(server)
    for category in [SyncCategory.subscriptions, .episodes] {
      #expect(try await backend.pull(category, since: nil) == SyncPull())
      await #expect(throws: SyncError.self, "\(category)") { try await backend.pull(category, since: "1714557600") }
    }
  }

  @Test func pauseOfTheServerIsKept() async throws {
    let server = try LoopbackServer { _ in .status(429, headers: [("Retry-After", "120")]) }
    // A fixed time, so that a slow machine does not matter.
    let now = Date(timeIntervalSince1970: 1_763_726_400)
    var options = HTTPOptions()
    options.now = { now }
    let backend = try Self.backend(server, options: options)
    for _ in 0..<2 {
      do {
        _ = try await backend.pull(.episodes, since: nil)
        Issue.record("nothing was thrown")
      } catch {
        guard case .rateLimited(_, let until) = error else { throw error }
        #expect(until == now.addingTimeInterval(120))
        #expect(error.description.hasSuffix(" until \(MinuteText.text(until))"))
      }
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "-1", "0", "1e300", "-1e300", "9223372036854775000", "-9223372036854775000", "null", #""12""#, "12.9", "[]",
    #""""#, "1e-300",
  ])
  func actionsWithUnusualNumbersAreRead(number: String) async throws {
    let fields = ["started", "position", "total"]
    for name in fields {
      let members = fields.map { #""\#($0)":\#($0 == name ? number : "600")"# }.joined(separator: ",")
      let action =
        #"{"podcast":"http://p.example/f","episode":"http://p.example/1.mp3","action":"play","#
        + #""timestamp":"2024-05-01T10:00:00",\#(members)}"#
      let server = try LoopbackServer { _ in .text(#"{"actions":[\#(action)],"timestamp":\#(number)}"#) }
      let pull = try await Self.backend(server).pull(.episodes, since: nil)
      for change in pull.episodes {
        #expect(change.mark.position >= 0 && change.mark.position <= 1_000_000_000, "\(name)")
        // A received change can be sent again.
        #expect(!GPodderAction.actions(for: change, device: nil, playsOnly: false).isEmpty)
      }
    }
  }

  @Test func oversizedActionsAreSkipped() async throws {
    let huge = String(repeating: "x", count: 2_000_000)
    func action(_ guid: String, _ name: String) -> String {
      #"{"podcast":"http://p.example/f","episode":"http://p.example/\#(name).mp3","guid":"\#(guid)","#
        + #""action":"play","timestamp":"2024-05-01T10:00:00","started":1,"position":2,"total":3}"#
    }
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    let answer = #"{"actions":[\#(action(huge, "1")),\#(deep),\#(action("g", "2"))],"timestamp":5}"#
    let server = try LoopbackServer { _ in .text(answer) }
    #expect(try await Self.backend(server).pull(.episodes, since: nil).episodes.map(\.episode.guid) == ["g"])
  }

  @Test(arguments: [
    #"{"update_urls":[["a"],[1,2],[null,"b"],"c",["d",null]],"timestamp":5}"#, #"{"update_urls":{},"timestamp":5}"#,
    #"{"update_urls":null}"#, "{}", "[]",
  ])
  func renamedAddressesInAnyFormAreRead(text: String) async throws {
    let server = try LoopbackServer { _ in .text(text) }
    var batch = SyncBatch()
    batch.subscriptions = [SubscriptionChange(url: "http://p.example/f", isSubscribed: true)]
    #expect(try await Self.backend(server).push(batch).renamed.keys.allSatisfy { $0 == "d" })
  }
}
