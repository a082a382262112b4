import Foundation
import Sync

/// Finds out which server is at an address that the listener has typed.
public enum ServerProbe {
  /// The root of the server in an address that may be longer, such as one copied from a settings page. User and
  /// password are left out, because the root is stored and shown.
  public static func root(_ text: String) -> String {
    let parts = parts(text)
    var rest = parts.rest
    // Paths of both protocols, then pages of Nextcloud that listeners copy. A server may be below a path such as
    // "/apigw" or "/apps/gpo".
    let protocols = /\/(index\.php|api\/\d)(?=\/|$)/
    let pages =
      #/
      /(apps/(gpoddersync|repod|nextpod|dashboard|files|activity|news|notes|photos|calendar|contacts|mail|spreed|deck|tasks)
      |settings/(user|admin|apps))(?=/|$)
      /#
    let others = /\/(login(\/(v2|flow).*)?|api)\/*$/
    let end = rest.firstRange(of: protocols) ?? rest.firstRange(of: pages) ?? rest.firstRange(of: others)
    if let end { rest = String(rest[..<end.lowerBound]) }
    while rest.hasSuffix("/") { rest.removeLast() }
    // "[::1]:80" has colons in its host.
    let host = rest.prefixMatch(of: /\[[^\]]*\]|[^\/:]*/)?.output ?? ""
    let scheme = parts.scheme ?? (isLoopback(String(host)) ? "http" : "https")
    return scheme + "://" + rest
  }

  /// The address of the server in what the listener has typed: of a folder on a server, or the root.
  public static func address(_ text: String) -> String { webDAV(text) ?? root(text) }

  /// The address of a folder on a server in a text such as `webdav:https://cloud.example/dav/me/earshot`. Nil if the
  /// text is something else.
  public static func webDAV(_ text: String) -> String? {
    guard text.lowercased().hasPrefix("webdav:") else { return nil }
    let parts = parts(String(text.dropFirst(7)))
    var rest = parts.rest
    while rest.hasSuffix("/") { rest.removeLast() }
    return (parts.scheme ?? "https") + "://" + rest
  }

  /// The user and the password in an address, "https://NAME:PASSWORD@HOST".
  public static func userInfo(_ text: String) -> (user: String?, password: String?) {
    guard let info = parts(text).userInfo else { return (nil, nil) }
    let fields = info.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
      String($0).removingPercentEncoding ?? String($0)
    }
    return (fields[0].isEmpty ? nil : fields[0], fields.count > 1 && !fields[1].isEmpty ? fields[1] : nil)
  }

  /// The parts of an address, without its query and its fragment.
  private static func parts(_ text: String) -> (scheme: String?, userInfo: String?, rest: String) {
    var rest = String(text.trimmingCharacters(in: .whitespacesAndNewlines).prefix { $0 != "?" && $0 != "#" })
    var scheme: String?
    if let end = rest.range(of: "://") {
      scheme = rest[..<end.lowerBound].lowercased()
      rest = String(rest[end.upperBound...])
    }
    let hostEnd = rest.firstIndex(of: "/") ?? rest.endIndex
    guard let at = rest[..<hostEnd].lastIndex(of: "@") else { return (scheme, nil, rest) }
    return (scheme, String(rest[..<at]), String(rest[rest.index(after: at)...]))
  }

  /// Whether the host is this machine.
  public static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || host.wholeMatch(of: /127\.\d+\.\d+\.\d+/) != nil
  }

  /// Asks the server without a password.
  public static func backend(for transport: some SyncTransport) async throws(SyncError) -> any AccountBackend.Type {
    for backend in BackendTable.servers {
      if try await backend.isServer(transport) { return backend }
    }
    throw .setup(
      "\(transport.server) is neither a gpodder server nor a Nextcloud with the app gPodder Sync; use --kind to say which"
    )
  }
}

extension SyncTransport {
  /// The status of the response to a request without a password.
  func anonymousStatus(_ method: String, _ path: String) async throws(SyncError) -> Int {
    var request = SyncRequest(method, path, body: method == "POST" ? [] : nil)
    request.isAnonymous = true
    return try await bytes(request).0.status
  }
}
