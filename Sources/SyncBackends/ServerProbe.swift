import Foundation
import Sync

/// What a server speaks.
public enum ServerKind: String, Sendable, CaseIterable { case gpodder, nextcloud, folder }

/// Finds out what is at an address that the listener has typed.
public enum ServerProbe {
  /// The root of the server in an address that may go further: what people copy from a settings page.
  public static func root(_ text: String) -> String {
    var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if !text.contains("://") {
      let host = text.prefix { $0 != "/" && $0 != ":" }
      text = (CurlTransport.isLoopback(String(host)) ? "http://" : "https://") + text
    }
    for end in ["/index.php/apps/gpoddersync", "/apps/gpoddersync", "/index.php", "/api/2", "/api"] {
      if let range = text.range(of: end) { text = String(text[..<range.lowerBound]) }
    }
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }

  /// Asks without a password. opodsync speaks both: then the gpodder API is the better one, which keeps all actions.
  public static func kind(of transport: some SyncTransport) async throws(SyncError) -> ServerKind {
    if try await status("POST", "/api/2/auth/earshot-probe/login.json", transport) == 401 {
      // Some servers ask everybody for a password before they look at the path.
      let asksAlways = try await status("GET", "/earshot-probe/no-such-path.json", transport) == 401
      guard asksAlways else { return .gpodder }
      return try await beginsLogin(transport) ? .nextcloud : .gpodder
    }
    if try await status("GET", NextcloudBackend.path + "/subscriptions?since=0", transport) == 401 { return .nextcloud }
    if try await beginsLogin(transport) { return .nextcloud }
    throw .setup(
      "\(transport.server) is neither a gpodder server nor a Nextcloud with the app gPodder Sync; --kind says which it is"
    )
  }

  private static func status(
    _ method: String, _ path: String, _ transport: some SyncTransport
  ) async throws(SyncError) -> Int {
    var request = SyncRequest(method, path, body: method == "POST" ? [] : nil)
    request.isAnonymous = true
    return try await transport.bytes(request).0.status
  }

  /// Whether it has Nextcloud's Login Flow v2.
  private static func beginsLogin(_ transport: some SyncTransport) async throws(SyncError) -> Bool {
    var request = SyncRequest("POST", "/index.php/login/v2", body: [])
    request.isAnonymous = true
    let (answer, bytes) = try await transport.bytes(request)
    return answer.status == 200 && JSONValue(bytes)?["poll"] != nil
  }
}
