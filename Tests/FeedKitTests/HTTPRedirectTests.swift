import Foundation
import LoopbackServer
import Testing

@testable import HTTP

/// Redirects: which ones are followed, and which ones change a subscription's address.
@Suite(InTurn())
struct HTTPRedirectTests {
  let server: LoopbackServer
  let client = HTTPClient(options: .forTests())

  init() throws {
    server = try LoopbackServer(routes: ["/end": .text("there")])
  }

  /// Routes a chain of redirects with these statuses. The last one leads to `/end`.
  private func chain(_ statuses: [Int]) -> String {
    for (index, status) in statuses.enumerated() {
      let next = index + 1 < statuses.count ? "/hop\(index + 1)" : "/end"
      server.route("/hop\(index)", .redirect(status, to: next))
    }
    return server.url("/hop0")
  }

  @Test(arguments: [
    ([301], true), ([308], true), ([302], false), ([303], false), ([307], false), ([301, 308, 301], true),
    ([301, 302], false), ([302, 301], false), ([308, 307, 301], false),
  ])
  func redirectChainKnowsWhetherItIsPermanent(_ statuses: [Int], _ isPermanent: Bool) async throws {
    let sink = RecordingSink()
    let response = try #require(await client.result(chain(statuses), sink: sink).value)
    #expect(response.url.text == server.url("/end"))
    #expect(response.isPermanentMove == isPermanent)
    #expect(sink.text == "there")
    #expect(sink.now.begins == 1)
    #expect(server.requests.count == statuses.count + 1)
  }

  @Test(arguments: ["feed:", "Feed:http:"]) func redirectMayHaveTheSchemeOfPlayers(_ scheme: String) async throws {
    server.route("/old", .redirect(301, to: server.url("/end").replacing("http:", with: scheme)))
    let response = try #require(await client.result(server.url("/old")).value)
    #expect(response.url.text == server.url("/end") && response.isPermanentMove)
  }

  @Test func redirectsAreLimitedToTen() async {
    #expect(await client.result(chain(Array(repeating: 302, count: 10))).value?.status == 200)
    #expect(await client.result(chain(Array(repeating: 302, count: 11))).error == .tooManyRedirects(limit: 10))
  }

  @Test func redirectLoopsEnd() async {
    server.route("/a", .redirect(301, to: "/b"))
    server.route("/b", .redirect(301, to: "/a"))
    server.route("/self", .redirect(302, to: "/self#again"))
    #expect(await client.result(server.url("/a")).error == .redirectLoop(url: server.url("/a")))
    #expect(await client.result(server.url("/self")).error == .redirectLoop(url: server.url("/self")))
    #expect(server.requests.count == 3)
  }

  @Test(arguments: [
    ("file:///etc/passwd", "file"), ("FILE:/etc/passwd", "file"), ("ftp://127.0.0.1/feed", "ftp"),
    ("gopher://127.0.0.1/", "gopher"), ("javascript:alert(1)", "javascript"), ("data:text/xml,<rss/>", "data"),
  ])
  func redirectToAnotherSchemeIsNotFollowed(_ location: String, _ scheme: String) async {
    server.route("/a", .redirect(302, to: location))
    #expect(await client.result(server.url("/a")).error == .unsupportedScheme(scheme))
  }

  @Test func redirectWithoutATargetIsAResponse() async {
    server.route("/a", .status(301))
    #expect(await client.result(server.url("/a")).value?.status == 301)
  }

  @Test func redirectTargetMayBeRelative() async {
    server.route("/dir/a", .redirect(302, to: "../end?x=1"))
    #expect(await client.result(server.url("/dir/a")).value?.url.text == server.url("/end?x=1"))
    let port = server.port
    server.route("/dir/b", .redirect(302, to: "//127.0.0.1:\(port)/end"))
    #expect(await client.result(server.url("/dir/b")).value?.url.text == server.url("/end"))
  }

  @Test func redirect303ChangesTheMethod() async {
    server.route("/post", .redirect(303, to: "/end"))
    _ = await client.result(server.url("/post")) {
      $0.method = "POST"
      $0.body = [1, 2, 3]
    }
    #expect(server.requests(to: "/end").first?.method == "GET")
    server.route("/post", .redirect(307, to: "/end"))
    server.forgetRequests()
    _ = await client.result(server.url("/post")) {
      $0.method = "POST"
      $0.body = [1, 2, 3]
    }
    #expect(server.requests(to: "/end").first?.body == [1, 2, 3])
  }

  @Test func redirectKeepsTheBytesOfItsTarget() async {
    let head = "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: /f"
    server.route("/latin1", .raw([UInt8](head.utf8) + [0xEA] + [UInt8]("te?a b\r\n\r\n".utf8)))
    server.route("/utf8", .redirect(301, to: "/f\u{EA}te"))
    server.route("/f%EAte", .text("x"))
    server.route("/f%C3%AAte", .text("x"))
    #expect(await client.result(server.url("/latin1")).value?.url.text == server.url("/f%EAte?a%20b"))
    #expect(await client.result(server.url("/utf8")).value?.url.text == server.url("/f%C3%AAte"))
    #expect(server.requests.count == 4)
  }

  // MARK: Cookies

  /// Like the pages that ask for consent: they set a cookie and redirect back.
  @Test(arguments: ["/gate", "/consent"])
  func addressMayBeAskedAgainWithANewCookie(_ target: String) async throws {
    server.route("/gate") { request in
      if request.header("Cookie") == "a=b" { return .text("inside") }
      return .redirect(301, to: target).header("Set-Cookie", "a=b; Path=/; HttpOnly")
    }
    server.route("/consent", .redirect(301, to: "/gate"))
    let sink = RecordingSink()
    for _ in 1...2 {
      server.forgetRequests()
      let response = try #require(await client.result(server.url("/gate"), sink: sink).value)
      #expect(sink.text == "inside")
      #expect(response.url.text == server.url("/gate"))
      #expect(!response.isPermanentMove, "the address is the same")
      #expect(server.requests.first?.header("Cookie") == nil, "nothing is kept for the next request")
    }
  }

  @Test func cookieIsNotSentToAnotherSite() async {
    server.route("/a", .redirect(302, to: server.url("/b", host: "localhost")).header("Set-Cookie", "a=b; Path=/"))
    server.route("/b", .redirect(302, to: server.url("/c")).header("Set-Cookie", "c=d; Path=/; Domain=127.0.0.1"))
    server.route("/c", .text("x"))
    #expect(await client.result(server.url("/a")).value?.status == 200)
    // The server of `/b` cannot set a cookie of another site.
    #expect(server.requests.map { $0.header("Cookie") } == [nil, nil, "a=b"])
  }

  /// Another port of a host is another server.
  @Test func cookieIsNotSentToAnotherPort() async throws {
    let other = try LoopbackServer { _ in .text("other") }
    server.route("/a", .redirect(302, to: other.url("/b")).header("Set-Cookie", "a=b; Path=/"))
    #expect(await client.result(server.url("/a")).value?.url.text == other.url("/b"))
    #expect(other.requests.map { $0.header("Cookie") } == [nil])
  }

  @Test func addressThatAlwaysSetsAnotherCookieIsALoop() async {
    server.route("/a") { request in
      let number = request.header("Cookie")?.count ?? 0
      return .redirect(302, to: "/a").header("Set-Cookie", "a\(number)=b; Path=/")
    }
    #expect(await client.result(server.url("/a")).error == .redirectLoop(url: server.url("/a")))
    #expect(server.requests.count == 2)
    server.route("/b", .redirect(302, to: "/b").header("Set-Cookie", "a=b; Path=/"))
    #expect(await client.result(server.url("/b")).error == .redirectLoop(url: server.url("/b")))
    #expect(server.requests(to: "/b").count == 2)
  }

  // MARK: RedirectChain

  @Test func redirectToHTTPSIsPermanent() throws {
    var chain = RedirectChain(try WebAddress("http://example.org/feed?a=1"))
    try chain.follow(status: 302, location: "https://example.org/feed?a=1", limit: 10)
    #expect(chain.isPermanent)
    try chain.follow(status: 302, location: "https://example.org/other", limit: 10)
    #expect(!chain.isPermanent)
  }
}
