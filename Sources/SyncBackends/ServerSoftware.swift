import Model
import Sync

/// The program that a server runs, in the server's own words. Others have written them.
public struct ServerSoftware: Sendable, Equatable {
  public var name: String
  public var version: String?

  public init(name: String, version: String? = nil) {
    self.name = name
    self.version = version
  }

  /// Seconds for one question. Nothing depends on the answer.
  private static let deadline = 10.0

  /// Asks a Nextcloud or an ownCloud. Nil: it is neither, or says nothing.
  /// https://docs.nextcloud.com/server/latest/admin_manual/operations/reverse_proxy.html names `status.php` as public.
  public static func cloud(_ transport: some SyncTransport) async -> ServerSoftware? {
    guard let value = await json("/status.php", transport), value["installed"]?.bool == true,
      let version = value["versionstring"]?.string ?? value["version"]?.string
    else { return nil }
    return ServerSoftware(name: value["productname"]?.string ?? "Nextcloud", version: version)
  }

  /// Asks a gpodder server. PodFetch names its version; of the others, only the title of their first page is known.
  static func gpodder(_ transport: some SyncTransport) async -> ServerSoftware? {
    if let value = await json("/api/v1/info", transport), let version = value["version"]?.string,
      value["commit"] != nil, value["ref"] != nil
    {
      return ServerSoftware(name: "PodFetch", version: version)
    }
    guard let page = await bytes("/", accept: "text/html", transport),
      let match = String(decoding: page.prefix(64 * 1024), as: UTF8.self).firstMatch(
        of: /(?i)<title[^>]{0,100}>([^<]{1,200})<\/title/),
      case let title = match.1.trimmingCharacters(in: .whitespacesAndNewlines), !title.isEmpty
    else { return nil }
    return ServerSoftware(name: title)
  }

  private static func json(_ path: String, _ transport: some SyncTransport) async -> JSONValue? {
    await bytes(path, accept: "application/json", transport).flatMap { JSONValue($0) }
  }

  /// The body of a success.
  private static func bytes(_ path: String, accept: String, _ transport: some SyncTransport) async -> [UInt8]? {
    var request = SyncRequest("GET", path)
    request.isAnonymous = true
    request.accept = accept
    request.deadline = deadline
    guard let (answer, bytes) = try? await transport.bytes(request), answer.status == 200 else { return nil }
    return bytes
  }
}
