import Foundation
import HTTP
import LoopbackServer
import Synchronization
import TemporaryFiles
import Testing

@testable import Services
@testable import Store
@testable import Sync
@testable import SyncBackends

/// Detecting a server's kind, and Nextcloud's login flow, against loopback servers. The folder of a login.
@Suite struct LoginTests {
  private func transport(_ server: LoopbackServer, path: String = "", password: String? = nil) throws -> CurlTransport {
    try CurlTransport(
      base: server.url(path), login: password.map { ("me", $0) }, client: HTTPClient(), allowsHTTP: false)
  }

  /// Answers of a server to requests without a password, by the beginning of the path. The first match counts.
  private struct Manners {
    var kind: String?
    var answers: [(path: String, answer: LoopbackServer.Response)]
    static let flow = LoopbackServer.Response.text(
      #"{"poll":{"token":"t","endpoint":"http:\/\/127.0.0.1\/index.php\/login\/v2\/poll"},"login":"http://127.0.0.1/flow"}"#
    )
  }

  private static let manners: [String: Manners] = [
    "gpodder.net and its like": Manners(kind: "gpodder", answers: [("/api/2/auth/", .unauthorized())]),
    "Nextcloud": Manners(
      kind: "nextcloud",
      answers: [
        ("/index.php/apps/gpoddersync/", .status(401, text: #"{"message":"Current user is not logged in"}"#)),
        ("/index.php/login/v2", flow),
      ]),
    "Nextcloud without the app's route to the anonymous": Manners(
      kind: "nextcloud", answers: [("/index.php/login/v2", flow)]),
    "opodsync, which speaks both": Manners(
      kind: "gpodder",
      answers: [
        ("/api/2/auth/", .unauthorized()), ("/index.php/apps/gpoddersync/", .unauthorized()),
        ("/index.php/login/v2", flow),
      ]),
    "a gpodder server that asks everybody for a password": Manners(kind: "gpodder", answers: [("/", .unauthorized())]),
    "a Nextcloud that asks everybody for a password": Manners(
      kind: "nextcloud", answers: [("/index.php/login/v2", flow), ("/", .status(401))]),
    "PodFetch, which answers 403 to everybody without a session": Manners(
      kind: "gpodder", answers: [("/api/2/", .status(403))]),
    "a web server that refuses everything": Manners(kind: nil, answers: [("/", .status(403))]),
    "a Nextcloud behind a server that refuses unknown addresses": Manners(
      kind: "nextcloud", answers: [("/index.php/login/v2", flow), ("/api/", .status(403))]),
    "neither": Manners(kind: nil, answers: [("/", .text("<html>hello"))]),
  ]
  private static let flow = Manners.flow

  @Test(arguments: manners.keys.sorted(), ["", "/sub/path"])
  func serverKindIsDetected(name: String, path: String) async throws {
    let manners = try #require(Self.manners[name])
    let server = try LoopbackServer { request in
      let rest = request.path.dropFirst(path.count)
      return manners.answers.first { rest.hasPrefix($0.path) }?.answer ?? .status(404, text: "<html>")
    }
    let found: String?
    do { found = try await ServerProbe.backend(for: transport(server, path: path)).kind } catch {
      guard case .setup = error as? SyncError else { throw error }
      found = nil
    }
    #expect(found == manners.kind, "\(name)")
    // No password was sent.
    #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func serverNamesItself() async throws {
    let server = try LoopbackServer()
    func cloud() async throws -> ServerSoftware? { await ServerSoftware.cloud(try transport(server)) }
    func gpodder() async throws -> ServerSoftware? {
      await ServerSoftware.gpodder(try transport(server, password: "x"))
    }
    #expect(try await cloud() == nil)
    #expect(try await gpodder() == nil)
    server.route(
      "/status.php",
      .text(#"{"installed":true,"version":"31.0.2.1","versionstring":"31.0.2","productname":"Nextcloud"}"#))
    #expect(try await cloud() == ServerSoftware(name: "Nextcloud", version: "31.0.2"))
    server.route("/status.php", .text(#"{"installed":[1],"version":{},"productname":7}"#))
    #expect(try await cloud() == nil)
    server.route("/", .text("<html><TITLE>\n My oPodSync server</TITLE>"))
    #expect(try await gpodder() == ServerSoftware(name: "My oPodSync server"))
    server.route("/api/v1/info", .text(#"{"version":"v5.1","ref":"main","commit":"v5.1","ci":"","os":"linux"}"#))
    #expect(try await gpodder() == ServerSoftware(name: "PodFetch", version: "v5.1"))
    #expect(server.requests.allSatisfy { $0.header("Authorization") == nil }, "no password for a question like this")
  }

  @Test func nextcloudAccessIsGrantedOnceAndRevoked() async throws {
    let polls = Mutex(0)
    let server = try LoopbackServer { _ in .status(404) }
    let link = server.url("/cloud/index.php/login/v2/flow/abc")
    server.route("/cloud/index.php/login/v2") { request in
      guard request.method == "POST", request.header("Authorization") == nil else { return .status(400) }
      let endpoint = server.url("/cloud/index.php/login/v2/poll").replacing("/", with: #"\/"#)
      return .text(#"{"poll":{"token":"a b&c","endpoint":"\#(endpoint)"},"login":"\#(link)"}"#)
    }
    server.route("/cloud/index.php/login/v2/poll") { request in
      guard request.method == "POST", String(decoding: request.body, as: UTF8.self) == "token=a%20b%26c" else {
        return .status(400)
      }
      let number = polls.withLock { polls in
        polls += 1
        return polls
      }
      // The answer comes only once: a second poll gets nothing. Nextcloud declares it as HTML.
      guard number == 3 else { return .status(404, text: "[]") }
      return .text(
        #"{"server":"\#(server.url("/cloud"))","loginName":"me","appPassword":"app:with:colons"}"#, type: "text/html")
    }
    server.route("/cloud/ocs/v2.php/core/apppassword") { request in
      let isAsked = request.method == "DELETE" && request.header("OCS-APIRequest") == "true"
      let isKnown = request.header("Authorization") == "Basic " + Data("me:app:with:colons".utf8).base64EncodedString()
      return .status(isAsked && isKnown ? 200 : 401)
    }
    let login = try await NextcloudLogin(transport: transport(server, path: "/cloud"))
    #expect(login.link == link)
    #expect(try await login.poll() == nil)
    #expect(try await login.poll() == nil)
    let grant = try #require(try await login.poll())
    #expect(
      grant == NextcloudLogin.Grant(server: server.url("/cloud"), user: "me", password: "app:with:colons"))
    #expect(try await login.poll() == nil)
    try await NextcloudLogin.revoke(transport(server, path: "/cloud", password: grant.password))
    #expect(server.requests.last?.method == "DELETE")
    // If the server does not know the app password any more, revoking it succeeds.
    try await NextcloudLogin.revoke(transport(server, path: "/cloud", password: "another"))
  }

  /// A reverse proxy answers 502 while Nextcloud is restarted, and the listener is still in the browser.
  @Test func failedQuestionDoesNotEndTheLogin() async throws {
    let grant = NextcloudLogin.Grant(server: "http://127.0.0.1", user: "me", password: "pw")
    let answers: [LoopbackServer.Response] = [
      .status(502), .status(500), .status(503), .status(429), .text("{}").cut(afterBytes: 1), .status(404),
      .text(#"{"server":"\#(grant.server)","loginName":"\#(grant.user)","appPassword":"\#(grant.password)"}"#),
      .status(403),
    ]
    let polls = Mutex(0)
    let server = try LoopbackServer { _ in .status(404) }
    server.route("/index.php/login/v2") { _ in
      .text(#"{"poll":{"token":"t","endpoint":"\#(server.url("/poll"))"},"login":"http://127.0.0.1/flow"}"#)
    }
    server.route("/poll") { _ in
      polls.withLock { number in
        number += 1
        return answers[min(number, answers.count) - 1]
      }
    }
    var options = HTTPOptions()
    // The pause after 429.
    options.hostRetry = RetryPolicy(base: 0.01, maximum: 0.01)
    let transport = try CurlTransport(
      base: server.url(""), login: nil, client: HTTPClient(options: options), allowsHTTP: false)
    let login = try await NextcloudLogin(transport: transport)
    #expect(try await login.granted(pause: 0) == grant)
    // The listener has denied it.
    await #expect(throws: SyncError.self) { try await login.granted(pause: 0) }
  }

  /// The listener has granted access, but cannot sync. Nobody would ever use or revoke the app password.
  @Test func accessIsRevokedIfTheAppIsMissing() async throws {
    let server = try LoopbackServer { _ in .status(404, text: "<!DOCTYPE html>") }
    server.route("/index.php/login/v2") { _ in
      .text(#"{"poll":{"token":"t","endpoint":"\#(server.url("/poll"))"},"login":"http://127.0.0.1/flow"}"#)
    }
    server.route("/poll") { _ in
      .text(#"{"server":"\#(server.url(""))","loginName":"me","appPassword":"pw"}"#)
    }
    server.route("/ocs/v2.php/core/apppassword", .text("{}"))
    let directory = try TemporaryDirectory()
    let service = try SyncService.withNewLibrary(in: directory.path)
    let login = SyncService.Login(url: server.url(""), user: nil, backend: nil, device: "here", allowsHTTP: false)
    do {
      _ = try await service.logIn(login, password: { () throws(SyncError) in nil }, show: { _ in })
      Issue.record("nothing was thrown")
    } catch {
      guard case .refused(_, let cause) = error else { throw error }
      #expect(cause.contains("gPodder Sync"))
    }
    let last = try #require(server.requests.last)
    #expect(last.method == "DELETE" && last.path == "/ocs/v2.php/core/apppassword")
    #expect(last.header("Authorization") == "Basic " + Data("me:pw".utf8).base64EncodedString())
    #expect(try service.library.syncAccount() == nil)
  }

  @Test func rootIsFoundInALongerAddress() {
    for text in [
      "cloud.example/index.php/apps/gpoddersync", "https://cloud.example/", " https://cloud.example/api/2/ ",
      "https://cloud.example/index.php/", "https://cloud.example/apps/dashboard/", "https://cloud.example/login",
      "https://cloud.example/login?redirect_url=https://cloud.example/apps/files/", "https://cloud.example/?a=/b#c",
      "cloud.example#/api", "https://cloud.example/index.php/apps/files/?dir=/api", "https://cloud.example/api/1/",
      "https://cloud.example/apps/repod", "https://cloud.example/settings/user/gpoddersync",
      "https://cloud.example/apps/mail/box/1",
    ] {
      #expect(ServerProbe.root(text) == "https://cloud.example", "\(text)")
    }
    #expect(ServerProbe.root("127.0.0.1:8080/sub/") == "http://127.0.0.1:8080/sub")
    #expect(ServerProbe.root("https://cloud.example/nc/apps/dashboard/") == "https://cloud.example/nc")
    #expect(ServerProbe.root("https://cloud.example/apps/gpo/api/2/") == "https://cloud.example/apps/gpo")
    #expect(ServerProbe.root("https://cloud.example/apps/opodsync") == "https://cloud.example/apps/opodsync")
    #expect(ServerProbe.root("https://cloud.example/login/sub/") == "https://cloud.example/login/sub")
  }

  /// Such a sub-path is the listener's, and no address of the API.
  @Test(arguments: [
    "apigw/gpo", "api2", "index.php5", "applications", "apps.old/x", "login-service", "my/apidocs", "api/gpo",
  ])
  func subPathWithASimilarBeginningIsKept(path: String) {
    #expect(ServerProbe.root("https://cloud.example/\(path)") == "https://cloud.example/\(path)")
    #expect(ServerProbe.root("https://cloud.example/\(path)/api/2/") == "https://cloud.example/\(path)")
  }

  @Test func addressOfThisMachineNeedsNoEncryption() {
    #expect(ServerProbe.root("[::1]:8080/sub/") == "http://[::1]:8080/sub")
    #expect(ServerProbe.root("[::1]") == "http://[::1]")
    #expect(ServerProbe.root("[2001:db8::1]:8080") == "https://[2001:db8::1]:8080")
  }

  /// A missing parent is probably a disk that is not mounted.
  @Test func folderIsMadeOnlyInAnExistingFolder() throws {
    let place = try TemporaryDirectory()
    let directory = place.path
    func logIn(_ path: String) throws(SyncError) {
      try SyncFolderFiles(path: directory + path, device: "here", name: "Here", library: "a").create()
    }
    for _ in 0..<2 { try logIn("/new") }
    #expect(FileManager.default.fileExists(atPath: directory + "/new/earshot-sync/here/device.json"))
    try Data().write(to: URL(fileURLWithPath: directory + "/file"))
    for (path, missing, cause) in [
      ("/a/b/c", "/a/b", "is its disk mounted"), ("/file", "/file", "not a folder"),
      ("/file/x", "/file", "not a folder"),
    ] {
      do {
        try logIn(path)
        Issue.record("nothing was thrown")
      } catch {
        guard case .cannotCreate(let place, let text) = error else { throw error }
        #expect(place == directory + missing && text.contains(cause), "\(path): \(error)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: directory + "/a"))
  }

  /// The root address is stored and displayed, so a password must not remain in it.
  @Test(arguments: [
    ("https://me:p%40ss@cloud.example/sub", "me", "p@ss"), ("me@cloud.example/sub/api/2", "me", nil),
    ("https://cloud.example/sub", nil, nil), ("https://cloud.example/sub/?x=a@b", nil, nil),
    ("https://:p@cloud.example/sub", nil, "p"),
  ])
  func passwordIsRemovedFromTheAddress(text: String, user: String?, password: String?) {
    #expect(ServerProbe.root(text).hasPrefix("https://cloud.example/sub"))
    #expect(ServerProbe.userInfo(text) == (user, password))
  }
}
