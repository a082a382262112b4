import Foundation
import Sync

/// Finds out which server is at an address that the listener has typed.
public enum ServerProbe {
  /// The root of the server in an address that may be longer, such as one copied from a settings page. User and
  /// password are left out, because the root is stored and shown.
  public static func root(_ text: String) -> String {
    let parts = parts(text)
    var rest = parts.rest
    for end in ["/index.php/apps/gpoddersync", "/apps/gpoddersync", "/index.php", "/api/2", "/api"] {
      if let range = rest.range(of: end) { rest = String(rest[..<range.lowerBound]) }
    }
    while rest.hasSuffix("/") { rest.removeLast() }
    let host = rest.prefix { $0 != "/" && $0 != ":" }
    let scheme = parts.scheme ?? (CurlTransport.isLoopback(String(host)) ? "http" : "https")
    return scheme + "://" + rest
  }

  /// The user and the password in an address, "https://NAME:PASSWORD@HOST".
  public static func userInfo(_ text: String) -> (user: String?, password: String?) {
    guard let info = parts(text).userInfo else { return (nil, nil) }
    let fields = info.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
      String($0).removingPercentEncoding ?? String($0)
    }
    return (fields[0].isEmpty ? nil : fields[0], fields.count > 1 && !fields[1].isEmpty ? fields[1] : nil)
  }

  private static func parts(_ text: String) -> (scheme: String?, userInfo: String?, rest: String) {
    var rest = text.trimmingCharacters(in: .whitespacesAndNewlines)
    var scheme: String?
    if let end = rest.range(of: "://") {
      scheme = rest[..<end.lowerBound].lowercased()
      rest = String(rest[end.upperBound...])
    }
    let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    guard let at = rest[..<hostEnd].lastIndex(of: "@") else { return (scheme, nil, rest) }
    return (scheme, String(rest[..<at]), String(rest[rest.index(after: at)...]))
  }

  /// Asks the server without a password. opodsync supports both protocols; the gpodder API is better, because it keeps
  /// all actions.
  public static func kind(of transport: some SyncTransport) async throws(SyncError) -> ServerKind {
    if try await status("POST", "/api/2/auth/earshot-probe/login.json", transport) == 401 {
      // Some servers ask for a password before they look at the path.
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
