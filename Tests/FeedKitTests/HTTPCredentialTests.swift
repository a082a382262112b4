import Foundation
import LoopbackServer
import Model
import Testing

@testable import FeedKit
@testable import HTTP

/// A password is sent to the origin it was given for, with the first request, and to no other origin.
@Suite(InTurn())
struct HTTPCredentialTests {
  let server: LoopbackServer
  /// Another port of the same host is another origin.
  let other: LoopbackServer
  let client = HTTPClient(options: .forTests())

  init() throws {
    server = try LoopbackServer(routes: ["/end": .text("x")])
    other = try LoopbackServer(routes: ["/end": .text("x")])
  }

  private var own: Credentials {
    get throws { Credentials(user: "u", password: "secret", for: try WebAddress(server.baseURL)) }
  }

  private static func isSent(_ request: LoopbackServer.Request) -> Bool { request.header("Authorization") != nil }

  // MARK: The header

  @Test func userinfoIsSentAsBasicAndNotInTheAddress() async {
    server.route("/a", .text("x"))
    let url = "http://joe:p%40ss@127.0.0.1:\(server.port)/a"
    let response = await client.result(url).value
    #expect(server.requests.first?.basicCredentials == [UInt8]("joe:p@ss".utf8))
    #expect(response?.url.text == server.url("/a"))
  }

  @Test func credentialsAreSentWithTheFirstRequest() async throws {
    let own = try own
    _ = await client.result(server.url("/end")) { $0.credentials = [own] }
    #expect(server.requests.map(\.basicCredentials) == [[UInt8]("u:secret".utf8)])
  }

  @Test func credentialsAreRepeatedInLatin1ForOldServers() async throws {
    server.route("/a") { request in
      request.basicCredentials == [0x6A, 0xF6, 0x65, 0x3A, 0xFC] ? .text("in") : .unauthorized(realm: "Club")
    }
    let credentials = Credentials(user: "jöe", password: "ü", for: try WebAddress(server.baseURL))
    #expect(await client.result(server.url("/a")) { $0.credentials = [credentials] }.value?.status == 200)
    #expect(server.requests.count == 2)
    #expect(server.requests.first?.basicCredentials == [UInt8]("jöe:ü".utf8))
  }

  @Test func firstMatchingCredentialsAreSent() async throws {
    let away = Credentials(user: "a", password: "b", for: try WebAddress(other.baseURL))
    let own = try own
    let url = "http://in:address@127.0.0.1:\(server.port)/end"
    _ = await client.result(url) { $0.credentials = [away, own] }
    _ = await client.result(url) { $0.credentials = [away] }
    #expect(server.requests.map(\.basicCredentials) == [[UInt8]("u:secret".utf8), [UInt8]("in:address".utf8)])
  }

  // MARK: Redirects

  @Test func credentialsAreNotSentToAnotherHostOrPort() async throws {
    let own = try own
    server.route("/host", .redirect(302, to: "http://localhost:\(server.port)/end"))
    server.route("/port", .redirect(301, to: other.url("/end")))
    for path in ["/host", "/port"] { _ = await client.result(server.url(path)) { $0.credentials = [own] } }
    #expect(server.requests(to: "/host").map(Self.isSent) == [true])
    #expect(server.requests(to: "/port").map(Self.isSent) == [true])
    #expect(server.requests(to: "/end").map(Self.isSent) == [false])
    #expect(other.requests.map(Self.isSent) == [false])
  }

  @Test func credentialsAreNotSentToAnotherServerThatAsksForThem() async throws {
    let own = try own
    other.route("/end", .unauthorized(realm: "your password, please"))
    server.route("/a", .redirect(301, to: other.url("/end")))
    #expect(await client.result(server.url("/a")) { $0.credentials = [own] }.value?.status == 401)
    #expect(await client.result(other.url("/end")) { $0.credentials = [own] }.value?.status == 401)
    #expect(other.requests.count == 2 && !other.requests.contains(where: Self.isSent))
  }

  /// A redirect chain to another server and back: only the origin's own requests get the password.
  @Test func redirectChainThroughAnotherServer() async throws {
    let own = try own
    server.route("/a", .redirect(302, to: other.url("/b")))
    other.route("/b", .redirect(302, to: server.url("/end")))
    #expect(await client.result(server.url("/a")) { $0.credentials = [own] }.value?.status == 200)
    #expect(!other.requests.contains(where: Self.isSent))
  }

  @Test func userInfoInARedirectIsNotUsed() async throws {
    let own = try own
    other.route("/b", .text("x"))
    server.route("/away", .redirect(302, to: "http://evil:guess@127.0.0.1:\(other.port)/b"))
    server.route("/here", .redirect(302, to: "http://evil:guess@127.0.0.1:\(server.port)/end"))
    for path in ["/away", "/here"] { _ = await client.result(server.url(path)) { $0.credentials = [own] } }
    #expect(other.requests.map(Self.isSent) == [false])
    #expect(server.requests(to: "/end").map(\.basicCredentials) == [[UInt8]("u:secret".utf8)])
  }

  /// Spellings of one origin, and addresses that only look like it. The host is the one that libcurl would contact.
  @Test(arguments: [
    ("http://example.org/", true), ("HTTP://EXAMPLE.ORG:80/x", true), ("http://ex%61mple.org/", true),
    ("http://u:p@example.org/", true), ("https://example.org/", true), ("https://example.org:443/", true),
    ("https://example.org:80/", false), ("http://example.org:443/", false), ("http://example.org:8080/", false),
    ("http://www.example.org/", false), ("http://example.org.evil.example/", false), ("http://example.org./", false),
    ("http://example.org@evil.example/", false), ("http://evil.example/@example.org", false),
    ("http://evil.example?@example.org/", false), ("http://evil.example#@example.org/", false),
    ("http://exаmple.org/", false),
  ])
  func credentialsAreSentToTheirOriginOnly(url: String, isSent: Bool) throws {
    var basic = BasicAuthorization([Credentials(user: "u", password: "p", for: try WebAddress("http://example.org"))])
    let header = basic.header(for: try WebAddress(url))
    #expect((header == "Basic dTpw") == isSent, "\(url)")
  }

  @Test func credentialsOfAnInternationalNameAreSentToItsASCIIForm() throws {
    let given = Credentials(user: "u", password: "p", for: try WebAddress("https://BÜCHER.example/feed"))
    var basic = BasicAuthorization([given])
    #expect(basic.header(for: try WebAddress("https://xn--bcher-kva.example:443/x")) != nil)
    #expect(basic.header(for: try WebAddress("https://bucher.example/x")) == nil)
  }

  @Test func credentialsForHTTPSAreNotSentOverHTTP() throws {
    let secure = Credentials(user: "u", password: "p", for: try WebAddress("https://example.org/"))
    var basic = BasicAuthorization([secure])
    #expect(basic.header(for: try WebAddress("http://example.org/")) == nil)
    #expect(basic.header(for: try WebAddress("http://example.org:443/")) == nil)
    // Credentials given for http also go to https, but not back to http afterwards.
    basic = BasicAuthorization([Credentials(user: "u", password: "p", for: try WebAddress("http://example.org/"))])
    #expect(basic.header(for: try WebAddress("http://example.org/a")) != nil)
    #expect(basic.header(for: try WebAddress("https://example.org/b")) != nil)
    #expect(basic.header(for: try WebAddress("http://example.org/c")) == nil)
  }

  // MARK: Addresses in feeds and pages

  @Test func credentialsAreNotSentToAddressesInAFeed() async throws {
    let client = FeedClient(http: HTTPClient(options: .forTests()))
    let own = try own
    server.route("/page", .text(toyPage([other.url("/feed")]), type: "text/html"))
    server.route("/moved", .text(toy("feed: A\nnew: \(other.url("/feed"))")))
    server.route("/gone", .redirect(301, to: other.url("/feed")))
    other.route("/feed", .text(toy("feed: B")))
    for path in ["/page", "/moved", "/gone"] {
      let result = await client.fetch(FeedRequest(url: server.url(path), access: RequestAccess(own)))
      #expect(result.feed?.podcast.title == "B", "\(path)")
    }
    #expect(server.requests.allSatisfy(Self.isSent))
    #expect(other.requests.count == 3 && !other.requests.contains(where: Self.isSent))
    // The same with the password in the address.
    let inAddress = "http://u:secret@127.0.0.1:\(server.port)"
    for path in ["/page", "/moved", "/gone"] { _ = await client.fetch(FeedRequest(url: inAddress + path)) }
    #expect(server.requests.allSatisfy(Self.isSent))
    #expect(other.requests.count == 6 && !other.requests.contains(where: Self.isSent))
  }

  @Test func credentialsAreNotSentToPagesOfAFeedOnAnotherServer() async throws {
    let client = FeedClient(http: HTTPClient(options: .forTests()))
    let own = try own
    server.route("/1", .text(toy("feed: A\nitem: 1\nnext: /2")))
    server.route("/2", .text(toy("feed: A\nitem: 2\nnext: \(other.url("/3"))")))
    other.route("/3", .text(toy("feed: A\nitem: 3\nnext: \(server.url("/4"))")))
    server.route("/4", .text(toy("feed: A\nitem: 4")))
    let first = await client.fetch(FeedRequest(url: server.url("/1"), access: RequestAccess(own)))
    let archive = await client.fetchArchive(
      from: try #require(first.feed), url: server.url("/1"), access: RequestAccess(own))
    #expect(archive.episodes.map(\.guid) == ["2", "3", "4"])
    #expect(server.requests.count == 3 && server.requests.allSatisfy(Self.isSent))
    #expect(other.requests.map(Self.isSent) == [false])
  }

  @Test func credentialsAreNotSentToDocumentsOnAnotherServer() async throws {
    let client = FeedClient(http: HTTPClient(options: .forTests()))
    let own = try own
    for place in [server, other] {
      let chapters = "{\"version\":\"1.2.0\",\"chapters\":[{\"startTime\":0}]}"
      place.route("/c.json", .text(chapters, type: "application/json"))
      place.route("/t.vtt", .text("WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n", type: "text/vtt"))
      place.route("/cover", .bytes([1, 2, 3], type: "image/png"))
      _ = try await client.chapters(at: place.url("/c.json"), access: RequestAccess(own))
      _ = try await client.transcript(
        TranscriptLink(url: place.url("/t.vtt"), type: "text/vtt"), access: RequestAccess(own))
      _ = try await client.get(place.url("/cover"), access: RequestAccess(own))
    }
    #expect(server.requests.count == 3 && server.requests.allSatisfy(Self.isSent))
    #expect(other.requests.count == 3 && !other.requests.contains(where: Self.isSent))
  }

  /// A proxy that opens a tunnel does not get the password.
  @Test func credentialsAreNotSentToATunnellingProxy() async throws {
    let own = Credentials(user: "u", password: "secret", for: try WebAddress("https://example.invalid/"))
    setenv("https_proxy", other.baseURL, 1)
    defer { unsetenv("https_proxy") }
    let client = HTTPClient(options: .forTests { $0.ignoresProxies = false })
    _ = await client.result("https://example.invalid/feed") { $0.credentials = [own] }
    #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0.method == "CONNECT" })
    #expect(!other.requests.contains(where: Self.isSent))
  }

  /// What a proxy answers to CONNECT is not the server's: it cannot move a feed, end it or ask for its password.
  @Test(arguments: [301, 401, 404, 410, 429, 503]) func refusedTunnelIsALackOfConnectivity(status: Int) async throws {
    let response = LoopbackServer.Response(
      status: status, headers: [("Location", "http://example.invalid/other"), ("Retry-After", "600")])
    let proxy = try LoopbackServer { _ in response }
    setenv("https_proxy", proxy.baseURL, 1)
    defer { unsetenv("https_proxy") }
    let client = HTTPClient(options: .forTests { $0.ignoresProxies = false })
    let result = await client.result("https://example.invalid/feed")
    guard case .failure(.noConnectivity) = result else {
      Issue.record("\(result)")
      return
    }
  }

  // MARK: Error messages

  @Test func passwordIsNotInDescriptions() throws {
    let own = try own
    for text in ["\(own)", String(reflecting: own), "\([own])", "\(Optional(own) as Any)"] {
      #expect(!text.contains("secret"))
    }
    var dumped = ""
    dump(own, to: &dumped)
    #expect(!dumped.contains("secret"))
    let address = try WebAddress("http://u:secret@example.org/")
    dump(address, to: &dumped)
    #expect(!dumped.contains("secret") && !"\(address)".contains("secret"))
  }
}
