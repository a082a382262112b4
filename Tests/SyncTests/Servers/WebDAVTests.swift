import FeedKit
import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Synchronization
import TemporaryFiles
import Testing

@testable import Services
@testable import Sync
@testable import SyncBackends

/// A sync folder on a WebDAV server.
@Suite struct WebDAVTests {
  /// A library that syncs with the server.
  private struct Device {
    private let directory: TemporaryDirectory
    let service: SyncService
    var library: Library { service.library }
    var path: String { directory.path }
    var copy: String { path + "/earshot.db.webdav" }

    init() throws {
      directory = try TemporaryDirectory()
      var http = HTTPOptions()
      http.requestRetry.repeats = 0
      service = try SyncService.withNewLibrary(in: directory.path, http: http)
    }

    func logIn(_ server: LoopbackServer, folder: String? = nil) async throws -> SyncAccount {
      let login = SyncService.Login(
        url: folder ?? WebDAVModel.folder(of: server), user: "me", backend: nil, device: nil, allowsHTTP: false)
      return try await service.logIn(login) {
        ("me", "secret")
      } show: { _ in
      }.0
    }

    func subscribe(_ number: Int) throws {
      var feed = Feed()
      feed.podcast.title = "Show \(number)"
      var episode = FeedEpisode()
      (episode.title, episode.guid) = ("One", "guid-\(number)")
      episode.mediaURL = "https://example.com/\(number).mp3"
      feed.episodes = [episode]
      _ = try library.subscribe(feed: feed, feedURL: "https://example.com/feed\(number)", now: Date())
    }

    func sync() async throws -> [String] {
      let outcome = try await service.run()
      return outcome.report.errors.map { "\($0)" } + outcome.report.problems
    }

    var feeds: [String] {
      get throws { try library.podcasts().map(\.feedURL).filter { $0.hasPrefix("https://example.com/") }.sorted() }
    }
  }

  private static let manners = WebDAVModel.Depth.allCases.flatMap { depth in
    WebDAVModel.Tags.allCases.map { (depth, $0) }
  }

  @Test(arguments: manners)
  func twoDevicesAgree(depth: WebDAVModel.Depth, tags: WebDAVModel.Tags) async throws {
    let model = WebDAVModel(depth, tags)
    let server = try model.serve()
    let (here, there) = (try Device(), try Device())
    try here.subscribe(1)
    let account = try await here.logIn(server)
    #expect(account.kind == "folder" && !account.server.contains("secret"))
    #expect(try await here.sync() == [])
    _ = try await there.logIn(server)
    try there.subscribe(2)
    #expect(try await there.sync() == [])
    #expect(try await here.sync() == [])
    #expect(try here.feeds == ["https://example.com/feed1", "https://example.com/feed2"])
    #expect(try there.feeds == here.feeds)
    // Nothing to say.
    model.state.withLock { $0.areSettled = true }
    for device in [here, there] {
      model.state.withLock { $0.requests = 0 }
      #expect(try await device.sync() == [])
      #expect(model.state.withLock { $0.requests } <= (depth == .infinity ? 1 : 3))
    }
  }

  /// Somebody has deleted the directory of a device, or the whole folder.
  @Test(arguments: [true, false]) func deletedDirectoriesAreMadeAgain(all: Bool) async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let (here, there) = (try Device(), try Device())
    for (number, device) in [here, there].enumerated() {
      _ = try await device.logIn(server)
      try device.subscribe(number)
      #expect(try await device.sync() == [])
    }
    let own = try #require(try there.library.syncAccount()).device
    model.state.withLock { state in
      state.files = state.files.filter { !all && !$0.key.contains(own) }
      state.folders = state.folders.filter { $0.isEmpty || !all && !$0.contains(own) }
    }
    try there.subscribe(2)
    // A whole folder that is missing may be a wrong address. The login makes it.
    if all { _ = try await here.logIn(server) }
    _ = try await there.sync()
    #expect(try await there.sync() == [])
    #expect(try await here.sync() == [])
    #expect(try here.feeds.count == 3)
  }

  /// A part of a file, or the page of a login instead of it, is not taken for the file.
  @Test(arguments: [
    nil, "<html>Please log in</html>", "<html>Please log in</html>" + String(repeating: " ", count: 9999),
  ])
  func damagedBodiesAreReadAgain(page: String?) async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let (here, there) = (try Device(), try Device())
    _ = try await there.logIn(server)
    _ = try await here.logIn(server)
    for number in 1...5 { try here.subscribe(number) }
    #expect(try await here.sync() == [])
    let files = model.state.withLock { $0.files }
    model.state.withLock { state in
      state.trouble = { method, name in
        guard method == "GET", let whole = files[name], name.last?.hasPrefix("subscriptions") == true else {
          return nil
        }
        return .bytes(page.map { Array($0.utf8) } ?? Array(whole.dropLast(whole.count / 2)))
      }
    }
    #expect(try await there.sync().contains { $0.contains("damaged") })
    model.state.withLock { $0.trouble = { _, _ in nil } }
    #expect(try await there.sync() == [])
    #expect(try there.feeds == here.feeds && there.feeds.count == 5)
  }

  /// Another copy of this library, or one from a backup, has written to the directory of this device.
  @Test(arguments: WebDAVModel.Tags.allCases) func versionsOfAnotherCopyAreKept(tags: WebDAVModel.Tags) async throws {
    let model = WebDAVModel(.infinity, tags)
    let server = try model.serve()
    let (here, there) = (try Device(), try Device())
    try here.subscribe(1)
    _ = try await here.logIn(server)
    #expect(try await here.sync() == [])
    // Longer, and of another content in the same size.
    let names = tags == .none ? ["feed111"] : ["feed111", "feed8"]
    for (number, name) in names.enumerated() {
      model.state.withLock { state in
        for file in state.files.keys where file.last == "subscriptions.000001.jsonl" {
          state.files[file] = state.files[file].map {
            Array(String(decoding: $0, as: UTF8.self).replacing("feed1\"", with: name + "\"").utf8)
          }
          state.tags[file, default: 0] += 1
        }
      }
      try here.subscribe(2 + number)
      #expect(try await here.sync() == [])
    }
    #expect(try await here.sync() == [])
    _ = try await there.logIn(server)
    #expect(try await there.sync() == [])
    let known = Set(try there.feeds)
    #expect(known.isSuperset(of: ["https://example.com/feed1", "https://example.com/feed2"]), "\(known)")
    #expect(known.isSuperset(of: names.map { "https://example.com/\($0)" }), "\(known)")
  }

  /// What cannot be read from the server is not replaced.
  @Test func unreadVersionOfAnotherCopyIsNotReplaced() async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let here = try Device()
    try here.subscribe(1)
    _ = try await here.logIn(server)
    #expect(try await here.sync() == [])
    let name = try #require(
      model.state.withLock { $0.files.keys.first { $0.last?.hasPrefix("subscriptions") == true } })
    let foreign = Array("{\"written\":\"elsewhere\"}\n".utf8) + [UInt8](repeating: 0x20, count: 2000)
    model.state.withLock { state in
      state.files[name] = foreign
      state.tags[name, default: 0] += 1
      state.trouble = { method, asked in method == "GET" && asked == name ? .bytes([0x7b]) : nil }
    }
    try here.subscribe(2)
    #expect(try await here.sync().contains { $0.contains("damaged") })
    #expect(model.state.withLock { $0.files[name] } == foreign)
    model.state.withLock { $0.trouble = { _, _ in nil } }
    #expect(try await here.sync().count <= 1, "the foreign line cannot be read")
    let files = model.state.withLock { $0.files }
    #expect(
      files.values.contains(foreign)
        && files[name].map { String(decoding: $0, as: UTF8.self) }?.contains("feed2") == true)
  }

  @Test func loginListsTheServerOnce() async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let (here, there) = (try Device(), try Device())
    _ = try await here.logIn(server)
    let listings = Mutex(0)
    model.state.withLock { state in
      state.trouble = { method, _ in
        if method == "PROPFIND" { listings.withLock { $0 += 1 } }
        return nil
      }
    }
    _ = try await there.logIn(server)
    #expect(listings.withLock { $0 } == 1)
  }

  /// What could not be sent is sent later, and the message says what the server said.
  @Test(arguments: [
    ("PUT", 403, "may not use it (403)"), ("PUT", 409, "above"), ("PUT", 412, "meanwhile"), ("PUT", 413, "too large"),
    ("PUT", 423, "locked"), ("PUT", 507, "no space"), ("PUT", 500, "500"), ("PROPFIND", 401, "password"),
    ("PROPFIND", 404, "not there"),
  ])
  func refusalLosesNothing(method: String, status: Int, words: String) async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let (here, there) = (try Device(), try Device())
    _ = try await here.logIn(server)
    try here.subscribe(1)
    model.state.withLock { $0.trouble = { asked, _ in asked == method ? .status(status) : nil } }
    let messages = try await here.sync()
    #expect(messages.contains { $0.contains(words) }, "\(messages)")
    model.state.withLock { $0.trouble = { _, _ in nil } }
    _ = try await here.sync()
    _ = try await there.logIn(server)
    #expect(try await there.sync() == [])
    #expect(try there.feeds == ["https://example.com/feed1"])
  }

  /// The connection breaks while a file is sent or fetched: half of it has arrived.
  @Test func brokenTransfersAreRepaired() async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let (here, there) = (try Device(), try Device())
    _ = try await here.logIn(server)
    _ = try await there.logIn(server)
    for number in 1...20 { try here.subscribe(number) }
    #expect(try await here.sync() == [])
    model.state.withLock { state in
      for name in state.files.keys where name.last?.hasPrefix("subscriptions") == true {
        state.files[name] = state.files[name].map { Array($0.prefix($0.count / 2)) }
        state.tags[name, default: 0] += 1
      }
    }
    try here.subscribe(21)
    #expect(try await here.sync() == [])
    let whole = model.state.withLock { $0.files }
    model.state.withLock { state in
      state.trouble = { method, name in
        method == "GET" ? whole[name].map { .bytes($0).cut(afterBytes: $0.count / 2) } : nil
      }
    }
    #expect(try await !there.sync().isEmpty)
    model.state.withLock { $0.trouble = { _, _ in nil } }
    #expect(try await there.sync() == [])
    #expect(try there.feeds.count == 21)
  }

  @Test func lostCopyIsFetchedAgain() async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let here = try Device()
    let first = try await here.logIn(server)
    try here.subscribe(1)
    #expect(try await here.sync() == [])
    let files = model.state.withLock { $0.files }
    try FileManager.default.removeItem(atPath: here.copy)
    #expect(try await here.sync() == [])
    #expect(model.state.withLock { $0.files } == files)
    // A device that logs in again stays the same.
    _ = try await here.service.logOut()
    #expect(!FileManager.default.fileExists(atPath: here.copy))
    #expect(try await here.logIn(server).device == first.device)
  }

  /// A packed file replaces several on the server, too. What another program has put there stays.
  @Test func filesThatAreGoneHereAreDeletedThere() async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let here = try Device()
    let device = try await here.logIn(server).device
    try here.subscribe(1)
    #expect(try await here.sync() == [])
    let (old, new) = ("subscriptions.000001.jsonl", "subscriptions.000002.jsonl")
    let folder = here.copy + "/earshot-sync/" + device + "/"
    try FileManager.default.moveItem(atPath: folder + old, toPath: folder + new)
    model.state.withLock { $0.files[["earshot-sync", device, "notes.txt"]] = [1] }
    #expect(try await here.sync() == [])
    let names = model.state.withLock { Set($0.files.keys.compactMap(\.last)) }
    #expect(names.contains(new) && !names.contains(old) && names.contains("notes.txt"))
  }

  /// The names come from the server.
  @Test func namesDoNotLeadOutOfTheCopy() async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let here = try Device()
    _ = try await here.logIn(server)
    model.state.withLock { state in
      for name in ["../../evil", "..", ".hidden", "a\u{0}b", String(repeating: "x", count: 300)] {
        state.folders.insert(["earshot-sync", name])
        state.files[["earshot-sync", name, "episodes.000001.jsonl"]] = Array("{}".utf8)
        state.files[["earshot-sync", "good", "episodes./../../\(name).jsonl"]] = Array("{}".utf8)
      }
      state.folders.insert(["earshot-sync", "good"])
      state.files[["earshot-sync", "good", "device.json"]] = Array("{}".utf8)
    }
    #expect(try await here.sync() == [])
    let found = FileManager.default.enumerator(atPath: here.path)?.compactMap { $0 as? String } ?? []
    #expect(!found.contains { $0.contains("evil") || $0.contains("hidden") || $0.contains("xxx") }, "\(found)")
    #expect(found.contains { $0.hasSuffix("good/device.json") })
  }

  @Test func redirectOfTheRootIsFollowedOnTheSameServerOnly() async throws {
    let model = WebDAVModel()
    let server = try LoopbackServer { request in
      let path = request.target.replacingOccurrences(of: "/dav/", with: "/remote.php/dav/")
      return request.target.hasPrefix("/dav/") ? .redirect(301, to: path) : model.answer(request)
    }
    let here = try Device()
    _ = try await here.logIn(server, folder: "webdav:" + server.url("/dav/Mein%20Ordner%20%C3%BC"))
    #expect(try await here.sync() == [])
    let other = try LoopbackServer { request in .redirect(301, to: server.url(request.target)) }
    let there = try Device()
    let before = server.requests.count
    await #expect(throws: SyncError.self) { try await there.logIn(other) }
    #expect(!other.requests.isEmpty && server.requests.count == before)
  }

  @Test func listingsAreRead() throws {
    let text = """
      <?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:n="urn:x"><D:response>
      <D:href>https://cloud.example/dav/a%2Fb/%C3%BC/</D:href><D:propstat><D:prop>
      <D:resourcetype><D:collection/></D:resourcetype></D:prop></D:propstat></D:response>
      <D:response><D:href>/dav/x.jsonl?y</D:href><D:propstat><D:prop><D:getcontentlength> 12 </D:getcontentlength>
      <D:getetag>W/"1&amp;2"</D:getetag><D:resourcetype/></D:prop></D:propstat></D:response></D:multistatus>
      """
    var folder = WebDAVResource(path: ["dav", "a/b", "ü"])
    folder.isCollection = true
    var file = WebDAVResource(path: ["dav", "x.jsonl"])
    (file.size, file.etag) = (12, "W/\"1&2\"")
    #expect(WebDAVListing.read(Array(text.utf8)) == [folder, file])
    #expect(WebDAVListing.read(Array("<html>".utf8)) == nil)
    #expect(WebDAVListing.read(Array(text.utf8.dropLast(20))) == nil)
  }

  /// As for a file that cannot be read on a disk, the others are used.
  @Test(arguments: [403, 423, 500]) func fileOfAnotherDeviceThatCannotBeReadStopsNothing(status: Int) async throws {
    let model = WebDAVModel()
    let server = try model.serve()
    let (here, there, third) = (try Device(), try Device(), try Device())
    for (number, device) in [here, there, third].enumerated() {
      try device.subscribe(number)
      _ = try await device.logIn(server)
    }
    _ = try await third.sync()
    let bad = try #require(try third.library.syncAccount()?.device)
    model.state.withLock { state in
      state.trouble = { method, name in method == "GET" && name.contains(bad) ? .status(status) : nil }
    }
    _ = try await there.sync()
    let problems = try await here.sync()
    #expect(!problems.isEmpty && problems.allSatisfy { $0.contains(bad) }, "\(problems)")
    #expect(try here.feeds.contains("https://example.com/feed1"))
    #expect(try await here.service.run().report.errors.isEmpty)
    model.state.withLock { $0.trouble = { _, _ in nil } }
    #expect(try await here.sync() == [])
    #expect(try here.feeds.count == 3)
  }
}
