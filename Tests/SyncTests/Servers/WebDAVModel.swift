import Foundation
import LoopbackServer
import Synchronization

/// A WebDAV server in memory, with one user: `me`, `secret`.
final class WebDAVModel: Sendable {
  enum Depth: CaseIterable { case infinity, refused, onlyOne }
  /// `settling`: weak while a file is young, then strong, as Apache does.
  enum Tags: CaseIterable { case strong, weak, settling, none }

  struct State {
    /// By the components of the path below the root.
    var files: [[String]: [UInt8]] = [:]
    var folders: Set<[String]> = [[]]
    var tags: [[String]: Int] = [:]
    var requests = 0
    var areSettled = false
    /// Answers a request instead of the server: method, path.
    var trouble: @Sendable (String, [String]) -> LoopbackServer.Response? = { _, _ in nil }
  }

  let state = Mutex(State())
  private let depth: Depth
  private let tags: Tags
  static let root = ["remote.php", "dav", "Mein Ordner ü"]

  init(_ depth: Depth = .infinity, _ tags: Tags = .strong) { (self.depth, self.tags) = (depth, tags) }

  /// The server. Its folder is at `folder(of:)`.
  func serve() throws -> LoopbackServer { try LoopbackServer { [self] in answer($0) } }

  static func folder(of server: LoopbackServer) -> String {
    "webdav:" + server.url("/remote.php/dav/Mein%20Ordner%20%C3%BC")
  }

  func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
    guard request.basicCredentials == [UInt8]("me:secret".utf8) else { return .unauthorized() }
    let path = request.path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
    guard path.starts(with: Self.root) else { return .status(404) }
    let name = Array(path.dropFirst(Self.root.count))
    return state.withLock { state in
      state.requests += 1
      return state.trouble(request.method, name) ?? answer(request, name, &state)
    }
  }

  private func answer(
    _ request: LoopbackServer.Request, _ name: [String], _ state: inout State
  ) -> LoopbackServer.Response {
    switch request.method {
    case "MKCOL":
      if state.folders.contains(name) { return .status(405) }
      guard state.folders.contains(Array(name.dropLast())) else { return .status(409) }
      state.folders.insert(name)
      return .status(201)
    case "PUT":
      guard state.folders.contains(Array(name.dropLast())) else { return .status(409) }
      if request.header("If-None-Match") == "*", state.files[name] != nil { return .status(412) }
      if let tag = request.header("If-Match"), tag != self.tag(of: name, state) { return .status(412) }
      state.files[name] = request.body
      state.tags[name, default: 0] += 1
      return .status(201)
    case "GET": return state.files[name].map { .bytes($0) } ?? .status(404)
    case "DELETE":
      return state.files.removeValue(forKey: name) == nil ? .status(404) : .status(204)
    case "PROPFIND": return listing(of: name, depth: request.header("Depth"), state)
    default: return .status(405)
    }
  }

  private func tag(of name: [String], _ state: State) -> String? {
    switch tags {
    case .strong: "\"\(state.tags[name] ?? 0)\""
    case .weak: "W/\"\(state.tags[name] ?? 0)\""
    case .settling: "\(state.areSettled ? "" : "W/")\"\(state.tags[name] ?? 0)\""
    case .none: nil
    }
  }

  private func listing(of name: [String], depth wanted: String?, _ state: State) -> LoopbackServer.Response {
    guard state.folders.contains(name) || state.files[name] != nil else { return .status(404) }
    if wanted == "infinity", depth == .refused { return .status(403) }
    let levels = wanted == "infinity" && depth == .infinity ? 99 : wanted == "0" ? 0 : 1
    func isListed(_ other: [String]) -> Bool { other.starts(with: name) && other.count - name.count <= levels }
    let folders = state.folders.filter(isListed).map { other in
      entry(other, isFolder: true, "<resourcetype><collection/></resourcetype>")
    }
    let files = state.files.filter { isListed($0.key) }.map { other, bytes in
      entry(
        other, isFolder: false,
        "<resourcetype/><getcontentlength>\(bytes.count)</getcontentlength>"
          + (tag(of: other, state).map { "<getetag>\($0)</getetag>" } ?? ""))
    }
    let text = "<?xml version=\"1.0\"?><multistatus xmlns=\"DAV:\">\((folders + files).joined())</multistatus>"
    return .status(207, headers: [("Content-Type", "application/xml")], text: text)
  }

  private func entry(_ name: [String], isFolder: Bool, _ properties: String) -> String {
    let href = (Self.root + name).map { "/" + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") }
    return """
      <response><href>\(href.joined())\(isFolder ? "/" : "")</href><propstat><prop>\(properties)</prop>\
      <status>HTTP/1.1 200 OK</status></propstat><propstat><prop><getetag/><getcontentlength/></prop>\
      <status>HTTP/1.1 404 Not Found</status></propstat></response>
      """
  }
}
