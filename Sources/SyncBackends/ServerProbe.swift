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
    var login = SyncRequest("POST", "/api/2/auth/earshot-probe/login.json", body: [])
    login.isAnonymous = true
    if try await transport.bytes(login).0.status == 401 { return .gpodder }
    var list = SyncRequest("GET", NextcloudBackend.path + "/subscriptions?since=0")
    list.isAnonymous = true
    if try await transport.bytes(list).0.status == 401 { return .nextcloud }
    var flow = SyncRequest("POST", "/index.php/login/v2", body: [])
    flow.isAnonymous = true
    let (answer, bytes) = try await transport.bytes(flow)
    if answer.status == 200, JSONValue(bytes)?["poll"] != nil { return .nextcloud }
    throw .setup(
      "\(transport.server) is neither a gpodder server nor a Nextcloud with the app gPodder Sync; --kind says which it is"
    )
  }
}
