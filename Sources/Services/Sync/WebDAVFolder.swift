import FeedKit
import Foundation
import Model
import Streams
import Sync
import SyncBackends

/// A sync folder on a WebDAV server (RFC 4918), as Nextcloud and many others offer it. It has a copy on this machine,
/// which `FolderBackend` reads and writes. The copy is compared with the server once in each sync.
///
/// A device writes only its own directory, so nothing is locked. A copy of this library on another disk writes there,
/// too, so a file on the server that this one did not write is read before it is replaced.
package actor WebDAVFolder: FolderMirror {
  private let transport: any SyncTransport
  /// The copy, and what was known of the server after the last sync.
  private let directory: String
  private let device: String
  private var memory: Memory
  /// The files on the server by their path below `earshot-sync`, such as "DEVICE/episodes.000001.jsonl".
  private var remote: [String: WebDAVResource] = [:]
  /// The files of this device of which the server has what this copy has, or the beginning of it.
  private var compared: Set<String> = []
  /// The files of this device that could not be read from the server. They are not replaced before they are.
  private var unread: Set<String> = []
  /// What `download` has returned, so that a run asks the server once.
  private var downloaded: Result<[String], SyncError>?

  private struct Memory: Codable {
    /// The state of each file at the server when it was copied, by its path.
    var tags: [String: String] = [:]
    /// The server lists a directory only without those below it.
    var listsOneLevel = false
  }

  private static let (root, maxFile) = (FolderFormat.root, FolderFormat.maxBytes)
  /// The maximum size of all files of one sync, in bytes.
  private static let maxRun = 1_000_000_000

  package init(transport: any SyncTransport, directory: String, device: String) {
    self.transport = transport
    self.directory = directory
    self.device = device
    memory =
      FileManager.default.contents(atPath: directory + "/server.json")
      .flatMap { try? JSONDecoder().decode(Memory.self, from: $0) } ?? Memory()
  }

  // MARK: FolderMirror

  package func create() async throws(SyncError) {
    for folder in [[], [Self.root], [Self.root, device]] {
      let answer = try await exchange("MKCOL", folder, isFolder: true)
      // 405: it exists (RFC 4918, section 9.3.1).
      if answer.status != 405, let error = error(answer, at: folder) { throw error }
    }
    // What was listed is still true.
    if case .failure = downloaded { downloaded = nil }
  }

  package func download() async throws(SyncError) -> [String] {
    if let downloaded { return try downloaded.get() }
    let result: Result<[String], SyncError>
    do throws(SyncError) { result = .success(try await copyFromServer()) } catch { result = .failure(error) }
    downloaded = result
    return try result.get()
  }

  package func upload() async throws(SyncError) {
    for name in localFiles(of: device) {
      let old = remote[name]
      guard !unread.contains(name), old?.size != Self.size(of: path(name)) || !compared.contains(name),
        let bytes = FileManager.default.contents(atPath: path(name)).map({ [UInt8]($0) })
      else { continue }
      var headers: [String: String] = [:]
      // A weak tag never matches (RFC 9110, section 13.1.1).
      if let old {
        if let etag = old.etag, !etag.hasPrefix("W/") { headers["If-Match"] = etag }
      } else {
        headers["If-None-Match"] = "*"
      }
      try await put(name, bytes, headers)
      var new = WebDAVResource(path: parts(name))
      if name.hasSuffix(".jsonl"), let found = try? await resources(parts(name), depth: "0")?.first { new = found }
      // A file without a tag is read at the next sync and compared.
      memory.tags[name] = new.size == bytes.count ? Self.tag(of: new) : ""
      new.size = bytes.count
      remote[name] = new
      compared.insert(name)
    }
    // Packed into another file, which is on the server now.
    let packed = remote.keys.filter { isOwn($0) && memory.tags[$0] != nil && !exists($0) }
    for name in packed.sorted() {
      let answer = try await exchange("DELETE", parts(name))
      if answer.status != 404, let error = error(answer, at: parts(name)) { throw error }
      (remote[name], memory.tags[name]) = (nil, nil)
    }
    try remember()
  }

  private func put(_ name: String, _ bytes: [UInt8], _ headers: [String: String]) async throws(SyncError) {
    func send() async throws(SyncError) -> SyncAnswer {
      try await exchange("PUT", parts(name), body: bytes, type: "application/octet-stream", headers)
    }
    var answer = try await send()
    // 409: its directory is not there (RFC 4918, section 9.7.1), because somebody has deleted it. Others answer 404.
    if [404, 409].contains(answer.status) {
      try await create()
      answer = try await send()
    }
    if let error = error(answer, at: parts(name)) { throw error }
  }

  // MARK: Copying

  private func copyFromServer() async throws(SyncError) -> [String] {
    var problems: [String] = []
    remote = try await list()
    (compared, unread) = ([], [])
    var budget = Self.maxRun
    for name in remote.keys.sorted() {
      guard let file = remote[name] else { continue }
      let tag = Self.tag(of: file)
      let known = memory.tags[name]
      if isOwn(name) {
        // What this device has packed is deleted by `upload`.
        if !exists(name), known != nil { continue }
        if known != tag || !exists(name) {
          guard try await isSent(name, file, &budget, &problems) else { continue }
        }
        compared.insert(name)
      } else if known != tag || !exists(name) {
        guard let bytes = try await fetch(name, file, &budget, &problems) else { continue }
        try store(bytes, at: path(name))
      }
      memory.tags[name] = tag
    }
    removeOthersFiles()
    try remember()
    return problems
  }

  /// Fetches a file of the own directory that this copy did not send: the copy is new, another copy of this library has
  /// written it, or an upload broke off. What is not in the own file is kept under another name, and read from there.
  /// - Returns: whether the own file has all of it.
  private func isSent(
    _ name: String, _ file: WebDAVResource, _ budget: inout Int, _ problems: inout [String]
  ) async throws(SyncError) -> Bool {
    guard let other = try await fetch(name, file, &budget, &problems) else {
      if exists(name) { unread.insert(name) }
      return false
    }
    guard exists(name) else {
      try store(other, at: path(name))
      return true
    }
    guard let own = FileManager.default.contents(atPath: path(name)) else { return false }
    if own.starts(with: other) { return true }
    // Each version gets a name of its own, so that none replaces another one that is not read everywhere yet.
    let kept = (1...).lazy.map { self.path(name).replacing(/\.jsonl$/, with: ".server\($0).jsonl") }.first {
      $0 == self.path(name) || [nil, Data(other)].contains(FileManager.default.contents(atPath: $0))
    }
    if let kept { try store(other, at: kept) }
    return false
  }

  /// Identifies a version of a file. Apache's tag is weak for a second, and then strong. A weak one may stay when a
  /// file has grown.
  private static func tag(of file: WebDAVResource) -> String {
    let etag = file.etag.map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
    return "\(etag ?? file.modified ?? "") \(file.size ?? -1)"
  }

  /// - Returns: nil if it is not read.
  private func fetch(
    _ name: String, _ file: WebDAVResource, _ budget: inout Int, _ problems: inout [String]
  ) async throws(SyncError) -> [UInt8]? {
    guard file.size ?? 0 <= Self.maxFile else {
      problems.append("\(location(name)): \(FolderFormat.tooLarge)")
      return nil
    }
    let limit = min(Self.maxFile, budget)
    let body = CollectedBody(limit: limit)
    let answer = try await exchange("GET", parts(name), to: body)
    // Another device has packed it meanwhile.
    if answer.status == 404 { return nil }
    if let error = error(answer, at: parts(name)) {
      // As for a file that cannot be read on a disk: the others are used now.
      guard !isOwn(name), ![401, 429].contains(answer.status) else { throw error }
      problems.append("\(error)")
      return nil
    }
    let bytes = body.bytes
    budget -= body.isTooLarge ? limit : bytes.count
    guard budget > 0, !body.isTooLarge else {
      problems.append("\(location(name)): it is not read, because it is too large")
      return nil
    }
    // A page of a proxy, such as a login, does not begin like a file of the format.
    guard bytes.count >= file.size ?? 0, bytes.first ?? UInt8(ascii: "{") == UInt8(ascii: "{") else {
      problems.append("\(location(name)): it arrived damaged; the next sync reads it again")
      return nil
    }
    return bytes
  }

  /// A file that is there is replaced when the new one is complete.
  private func store(_ bytes: [UInt8], at target: String) throws(SyncError) {
    let temporary = directory + "/download.part"
    try makeDirectory(of: target)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: temporary, cause: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ DescriptorWrite.all($0, to: descriptor, at: 0) }) == bytes.count,
      rename(temporary, target) == 0
    else { throw .file(path: target, cause: String(cString: strerror(errno))) }
  }

  /// Files that other devices have packed, and directories that were removed on the server.
  private func removeOthersFiles() {
    let devices = (try? FileManager.default.contentsOfDirectory(atPath: path(""))) ?? []
    for device in devices where device != self.device {
      for name in localFiles(of: device) where remote[name] == nil {
        unlink(path(name))
        memory.tags[name] = nil
      }
      rmdir(path(device))
    }
  }

  // MARK: Listing

  /// The files of all devices, without what is not of the format.
  private func list() async throws(SyncError) -> [String: WebDAVResource] {
    var isDoubtful = false
    if !memory.listsOneLevel, let found = try await listing([Self.root], depth: "infinity") {
      let devices = found.filter { $0.isCollection && $0.path.count == 1 }
      let files = found.filter { $0.path.count == 2 }
      // Some servers answer as for one level, without an error. The directory of a device is empty only at its login.
      if !files.isEmpty || devices.isEmpty { return named(files) }
      isDoubtful = true
    }
    guard let top = try await listing([Self.root], depth: "1") else {
      throw .file(path: location(""), cause: "the folder is not there")
    }
    var files: [WebDAVResource] = []
    for device in top where device.isCollection && device.path.count == 1 && Self.isName(device.path[0]) {
      let found = try await listing([Self.root, device.path[0]], depth: "1") ?? []
      for var file in found where file.path.count == 1 {
        file.path.insert(device.path[0], at: 0)
        files.append(file)
      }
    }
    if isDoubtful, !files.isEmpty { memory.listsOneLevel = true }
    return named(files)
  }

  private func named(_ files: [WebDAVResource]) -> [String: WebDAVResource] {
    let valid = files.filter { !$0.isCollection && Self.isName($0.path[0]) && Self.isFile($0.path[1]) }
    return Dictionary(valid.map { ($0.path.joined(separator: "/"), $0) }, uniquingKeysWith: { $1 })
  }

  /// What is below a directory, with paths relative to it. Nil: it does not exist, or the server refuses this depth.
  private func listing(_ folder: [String], depth: String) async throws(SyncError) -> [WebDAVResource]? {
    guard let resources = try await resources(folder, depth: depth) else { return nil }
    // A proxy may have changed the beginning of all paths. The directory itself has the shortest.
    let start = resources.map(\.path.count).min() ?? 0
    return resources.compactMap { resource in
      var resource = resource
      resource.path.removeFirst(min(start, resource.path.count))
      return resource.path.isEmpty ? nil : resource
    }
  }

  /// A file, or a directory and what is below it, with the paths of the server. Nil as for `listing`.
  private func resources(_ folder: [String], depth: String) async throws(SyncError) -> [WebDAVResource]? {
    let body = CollectedBody()
    let answer = try await exchange(
      "PROPFIND", folder, isFolder: depth != "0", body: Array(WebDAVListing.request.utf8), type: "application/xml",
      ["Depth": depth], to: body)
    if answer.status == 404 { return nil }
    // RFC 4918, section 9.1.1: 403 with `propfind-finite-depth`. Others answer 400, 500 or 507.
    if depth == "infinity", answer.status >= 400, answer.status != 401 {
      memory.listsOneLevel = true
      return nil
    }
    if let error = error(answer, at: folder) { throw error }
    guard answer.status == 207, let resources = WebDAVListing.read(body.bytes) else {
      throw .malformed(server: transport.server, cause: "it is not a WebDAV listing of \(location(""))")
    }
    return resources
  }

  /// Names of devices come from the server, and become directories here.
  private static func isName(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.isEmpty && name.utf8.count <= 200 && !name.contains("/") && !name.utf8.contains(0)
  }

  private static func isFile(_ name: String) -> Bool {
    isName(name) && (name == FolderFormat.about || FolderFormat.category(of: name) != nil)
  }

  // MARK: Requests and files

  private func exchange(
    _ method: String, _ folder: [String], isFolder: Bool = false, body: [UInt8]? = nil, type: String = "",
    _ headers: [String: String] = [:], to sink: any SyncBody = CollectedBody()
  ) async throws(SyncError) -> SyncAnswer {
    var request = SyncRequest(
      method, folder.map { "/" + $0.percentEncoded }.joined() + (isFolder ? "/" : ""), body: body)
    request.contentType = type
    request.accept = "*/*"
    request.headers = headers
    return try await transport.send(request, to: sink)
  }

  private func error(_ answer: SyncAnswer, at parts: [String]) -> SyncError? {
    let cause: String
    switch answer.status {
    case 200..<300: return nil
    case 401: return .unauthorized(server: transport.server)
    case 403: cause = "this login may not use it (403)"
    case 404: cause = "it is not there"
    case 405, 501: cause = "this address offers no WebDAV"
    case 409: cause = "the folder above it does not exist"
    case 412: cause = "it has changed meanwhile; the next sync tries again"
    case 413: cause = "it is too large for the server"
    case 423: cause = "it is locked"
    case 507: cause = "the server has no space left"
    default: cause = "status \(answer.status)"
    }
    return .refused(server: location(parts.joined(separator: "/")), cause: cause)
  }

  /// The name of a file for messages.
  private func location(_ name: String) -> String { name.isEmpty ? transport.server : "\(transport.server): \(name)" }
  private func parts(_ name: String) -> [String] { [Self.root] + name.split(separator: "/").map(String.init) }
  private func path(_ name: String) -> String { directory + "/" + Self.root + (name.isEmpty ? "" : "/" + name) }
  private func isOwn(_ name: String) -> Bool { name.hasPrefix(device + "/") }
  private func exists(_ name: String) -> Bool { Self.size(of: path(name)) != nil }

  private func localFiles(of device: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(device))) ?? []
    return names.filter(Self.isFile).sorted().map { device + "/" + $0 }
  }

  private static func size(of path: String) -> Int? {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG ? Int(clamping: info.st_size) : nil
  }

  private func makeDirectory(of path: String) throws(SyncError) {
    let folder = (path as NSString).deletingLastPathComponent
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw .file(path: folder, cause: FileFailure.text(error))
    }
  }

  private func remember() throws(SyncError) {
    let file = directory + "/server.json"
    try makeDirectory(of: file)
    do {
      let text = try JSONFormat().text(of: memory)
      try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw .file(path: file, cause: FileFailure.text(error))
    }
  }
}
