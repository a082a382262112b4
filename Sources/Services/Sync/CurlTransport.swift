import Foundation
import HTTP
import Model
import Sync
import SyncBackends
import Synchronization

/// Sends requests to a sync server with the program's HTTP client.
///
/// User and password are sent with each request until the server has started a session. Then the session's cookie is
/// sent instead, so that the server does not check the password every time.
package final class CurlTransport: SyncTransport {
  /// The host, for messages.
  package let server: String
  private let base: WebAddress
  /// Bound to the server's origin, so that they are not sent after a redirect to another server.
  private let credentials: Credentials?
  private let client: HTTPClient
  private let session = Mutex<String?>(nil)
  /// Whether a login was requested since the last session has expired.
  private let hasLoggedIn = Mutex(false)

  /// - Parameters:
  ///   - base: the server's root, with its sub-path.
  ///   - login: user and password for this server; nil: no login.
  ///   - allowsHTTP: allows http for other machines. Otherwise `SyncError.setup` is thrown for http.
  package init(
    base: String, login: (user: String, password: String)?, client: HTTPClient, allowsHTTP: Bool
  ) throws(SyncError) {
    let address = try Self.address(base)
    self.base = address
    guard self.base.scheme == "https" || allowsHTTP || ServerProbe.isLoopback(self.base.host) else {
      throw .setup(
        "\(self.base.host): a password is not sent over http, which others on the network can read; use https, or --allow-http"
      )
    }
    credentials = login.map { Credentials(user: $0.user, password: $0.password, for: address) }
    self.client = client
    server = self.base.host + (self.base.port == 443 || self.base.port == 80 ? "" : ":\(self.base.port)")
  }

  private static func address(_ text: String) throws(SyncError) -> WebAddress {
    do throws(HTTPError) { return try WebAddress(text) } catch { throw .setup("\(error.cause)") }
  }

  package func send(_ request: SyncRequest, to body: some SyncBody) async throws(SyncError) -> SyncAnswer {
    let cookie = request.isAnonymous ? nil : session.withLock { $0 }
    var answer = try await exchange(request, cookie: cookie, body)
    if answer.status == 401, cookie != nil {
      // The session has expired. No part of a body was delivered.
      session.withLock { $0 = nil }
      hasLoggedIn.withLock { $0 = false }
      answer = try await exchange(request, cookie: nil, body)
    } else if cookie != nil {
      return answer
    }
    guard let path = request.sessionPath, !request.isAnonymous, needsLogin(answer.status) else { return answer }
    hasLoggedIn.withLock { $0 = true }
    let login = try await exchange(SyncRequest("POST", path, body: []), cookie: nil, CollectedBody())
    if login.status == 401 { return login }
    guard let cookie = session.withLock({ $0 }) else { return answer }
    return try await exchange(request, cookie: cookie, body)
  }

  /// Whether the server may accept the password only at its login. gpodder2go then answers 401, in older versions 400,
  /// and PodFetch 403. These two have other meanings, too, so they lead to one login only.
  private func needsLogin(_ status: Int) -> Bool {
    status == 401 || [400, 403].contains(status) && !hasLoggedIn.withLock { $0 }
  }

  private static let redirectLimit = 5

  /// Redirects are handled here, because a request with a body must send it again to the new address. Browsers change
  /// it to a GET without the body (RFC 9110, 15.4). The answer would then look like a success, although the server did
  /// not get the body.
  private func exchange(
    _ request: SyncRequest, cookie: String?, _ body: some SyncBody
  ) async throws(SyncError) -> SyncAnswer {
    let root = base.text.hasSuffix("/") ? String(base.text.dropLast()) : base.text
    let isAbsolute = request.path.hasPrefix("http://") || request.path.hasPrefix("https://")
    var url = try Self.address(isAbsolute ? request.path : root + request.path)
    var hops = 0
    while true {
      let (response, answer) = try await exchange(request, at: url, cookie: cookie, body)
      guard (300..<400).contains(answer.status), let location = response.head["Location"],
        let next = try? WebAddress(location, relativeTo: url)
      else { return answer }
      // 303 leads to a web page, usually a login.
      if request.body != nil, answer.status == 303 { return answer }
      guard request.isAnonymous || base.origin.trusts(next.origin) else {
        let standard = next.scheme == "https" ? 443 : 80
        let port = next.origin.port == standard ? "" : ":\(next.origin.port)"
        let address = "\(next.scheme)://\(next.host)\(port)"
        throw .refused(server: server, cause: "it has moved to \(address); use that address with “earshot sync login”")
      }
      hops += 1
      guard hops <= Self.redirectLimit else { throw .refused(server: server, cause: "it redirects in a loop") }
      url = next
    }
  }

  private func exchange(
    _ request: SyncRequest, at url: WebAddress, cookie: String?, _ body: some SyncBody
  ) async throws(SyncError) -> (HTTPResponse, SyncAnswer) {
    var http = HTTPRequest(
      url: url, headers: [("Accept", request.accept), ("Content-Type", request.contentType)])
    http.method = request.method
    http.body = request.body
    http.maxBytes = 1_000_000_000
    http.followsRedirects = false
    http.headers += request.headers.map { (name: $0.key, value: $0.value) }
    if let cookie, url.origin == base.origin {
      http.headers.append((name: "Cookie", value: cookie))
    } else if !request.isAnonymous {
      http.credentials = [credentials].compactMap { $0 }
    }
    let sink = SyncSink(body)
    http.deadline = request.deadline
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await client.perform(http, sink: sink)
    } catch { throw syncError(error) }
    if !request.isAnonymous, response.url.origin == base.origin { storeSession(response.head) }
    let answer = SyncAnswer(
      status: response.status, date: response.head.date?.timeIntervalSince1970, received: sink.began)
    return (response, answer)
  }

  private func storeSession(_ head: HTTPHead) {
    guard (200..<300).contains(head.status) else { return }
    for header in head.headers where header.name.lowercased() == "set-cookie" {
      let pair = header.value.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
      // Only the session cookie of the gpodder API is stored. Nextcloud's cookies would need its CSRF token, too.
      if pair.hasPrefix("sessionid="), pair.utf8.count < 4000 { session.withLock { $0 = pair } }
    }
  }

  private func syncError(_ error: HTTPError) -> SyncError {
    switch error {
    case .rateLimited(let until, _): .rateLimited(server: server, until: until)
    case .unauthorized: .unauthorized(server: server)
    case .cancelled: .cancelled
    case .noConnectivity(let reason): .unreachable(server: server, cause: HTTPError.noConnectivity(reason).cause)
    case .refused, .notFound, .gone, .redirectLoop, .tooManyRedirects: .refused(server: server, cause: error.cause)
    case .invalidAnswer, .tooLarge, .unsupportedScheme, .badAddress, .unencodedLogin, .page:
      .malformed(server: server, cause: error.cause)
    }
  }
}

/// Passes on the body of a successful response, and stores when the response began.
///
/// `@unchecked`, because `began` is written on the client's thread, and read after the request has completed.
private final class SyncSink: HTTPSink, @unchecked Sendable {
  private(set) var began = Date().timeIntervalSince1970
  private let body: any SyncBody

  init(_ body: any SyncBody) { self.body = body }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    began = Date().timeIntervalSince1970
    body.begin(at: head.date?.timeIntervalSince1970)
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    body.add(bytes)
    return true
  }
}
