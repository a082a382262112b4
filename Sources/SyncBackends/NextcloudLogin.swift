import Foundation
import Model
import Sync

/// Nextcloud's Login Flow v2: the listener grants access in a browser, and the program gets a password of its own.
/// Source: https://docs.nextcloud.com/server/latest/developer_manual/client_apis/LoginFlow/
public struct NextcloudLogin: Sendable {
  /// The web page for the listener.
  public let link: String
  private let token: String
  private let endpoint: String
  private let transport: any SyncTransport

  /// How long to wait for the listener, in seconds. Nextcloud's token is valid for 20 minutes.
  public static let timeout = 20 * 60.0

  /// The granted access.
  public struct Grant: Sendable, Equatable {
    /// The server's root, which may differ from the typed address.
    public var server: String
    public var user: String
    public var password: String
  }

  /// Whether the server has this login.
  static func isOffered(by transport: some SyncTransport) async throws(SyncError) -> Bool {
    var request = SyncRequest("POST", "/index.php/login/v2", body: [])
    request.isAnonymous = true
    let (answer, bytes) = try await transport.bytes(request)
    return answer.status == 200 && JSONValue(bytes)?["poll"] != nil
  }

  /// Begins a login.
  public init(transport: some SyncTransport) async throws(SyncError) {
    var request = SyncRequest("POST", "/index.php/login/v2", body: [])
    request.isAnonymous = true
    let (_, value) = try await transport.json(request)
    guard let poll = value["poll"], let token = poll["token"]?.string, let endpoint = poll["endpoint"]?.string,
      let link = value["login"]?.string, link.hasPrefix("https://") || link.hasPrefix("http://")
    else { throw .malformed(server: transport.server, cause: "it begins no login") }
    self.token = token
    self.endpoint = endpoint
    self.link = link
    self.transport = transport
  }

  /// Waits until the listener has granted access. A server that is busy or out of reach for a moment does not end this.
  /// - Parameter pause: seconds between two questions.
  public func granted(pause: Double = 1.5) async throws(SyncError) -> Grant {
    let end = ContinuousClock.now + .seconds(Self.timeout)
    while ContinuousClock.now < end {
      var pause = pause
      do throws(SyncError) {
        if let grant = try await poll() { return grant }
      } catch {
        switch error {
        case .unreachable: break
        case .rateLimited(_, let until): pause = max(pause, until.timeIntervalSinceNow)
        default: throw error
        }
      }
      do { try await Task.sleep(until: min(.now + .seconds(pause), end), clock: .continuous) } catch {
        throw .cancelled
      }
    }
    throw .refused(server: transport.server, cause: "access was not granted in time")
  }

  /// Asks whether access was granted. Nil: not yet, or the server has failed. It returns the grant only once.
  public func poll() async throws(SyncError) -> Grant? {
    var request = SyncRequest("POST", endpoint, body: Array("token=\(token.percentEncoded)".utf8))
    request.isAnonymous = true
    request.contentType = "application/x-www-form-urlencoded"
    let (answer, bytes) = try await transport.bytes(request)
    if answer.status == 404 || (500..<600).contains(answer.status) { return nil }
    if let error = transport.error(answer) { throw error }
    guard let value = JSONValue(bytes), let server = value["server"]?.string, let user = value["loginName"]?.string,
      let password = value["appPassword"]?.string
    else { throw .malformed(server: transport.server, cause: "it grants nothing") }
    return Grant(server: server, user: user, password: password)
  }

  /// Revokes the app password. It is no error if the server does not know it any more.
  public static func revoke(_ transport: some SyncTransport) async throws(SyncError) {
    var request = SyncRequest("DELETE", "/ocs/v2.php/core/apppassword")
    request.headers["OCS-APIRequest"] = "true"
    let (answer, _) = try await transport.bytes(request)
    if let error = transport.error(answer), ![401, 404].contains(answer.status) { throw error }
  }
}
