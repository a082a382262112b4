import AppCore
import Directories
import FeedKit
import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Synchronization
import Testing

@testable import Services
@testable import TUIApp

/// Searching in directories, with loopback servers.
@Suite(InTurn()) struct DiscoverTests {
  private let fixture: DiscoverFixture
  private var server: LoopbackServer { fixture.server }

  init() throws { fixture = try DiscoverFixture() }

  /// Whoever syncs with a gpodder server of their own is told that searches ask another one.
  @Test func searchesOfAnotherGpodderServerAreAnnounced() {
    var preferences = DiscoverPreferences(environment: [:])
    let note = preferences.note(onSyncWith: "https://pods.example/api", kind: "gpodder")
    #expect(note?.hasPrefix("“earshot find” asks gpodder.net. Set gpodder_url") == true)
    #expect(preferences.note(onSyncWith: "https://GPodder.net", kind: "gpodder") == nil)
    #expect(preferences.note(onSyncWith: "https://cloud.example", kind: "nextcloud") == nil)
    preferences.settings.gpodderBase = "https://pods.example"
    #expect(preferences.note(onSyncWith: "https://pods.example/api", kind: "gpodder") == nil)
    preferences.settings.gpodderBase = "https://gpodder.net"
    preferences.settings.names = [.apple]
    #expect(preferences.note(onSyncWith: "https://pods.example", kind: "gpodder") == nil)
  }

  /// Failures of a directory.
  enum Failure: CaseIterable, Sendable {
    case rateLimit, failure, page, empty, cutOff, wrongType, huge, noHTTP, closed, endless, silent, deep

    func answer(of directory: TestDirectory) -> LoopbackServer.Response {
      switch self {
      case .rateLimit: return .status(429)
      case .failure: return .status(500)
      case .page: return .text("<html>Please log in</html>", type: "text/html")
      case .empty: return .text("")
      case .cutOff: return .text("{\"data\":[[")
      case .wrongType: return directory == .gpodder ? .text("{\"x\":1}") : directory.answer("\"x\"")
      case .huge: return .zeros(20_000_000)
      case .noHTTP: return .raw([UInt8]("nonsense\r\n\r\n".utf8))
      case .closed:
        var response = directory.answer("[]")
        response.cutAfter = 1
        return response
      case .endless:
        var response = LoopbackServer.Response(body: .repeating([UInt8]("[".utf8), count: 1_000_000))
        response.pace = LoopbackServer.Response.Pace(bytes: 1, milliseconds: 50)
        return response
      case .silent: return .never
      case .deep: return .text(String(repeating: "[", count: 1_000_000))
      }
    }

    /// Only the deadline ends the request.
    var isWithoutEnd: Bool { self == .endless || self == .silent }

    /// The part of the message after the name of the directory.
    var message: String? {
      switch self {
      case .rateLimit: "accepts no more requests"
      case .page: "a web page"
      case .empty, .cutOff, .deep: "not JSON"
      case .wrongType: "cannot be read"
      case .failure, .huge, .noHTTP, .closed, .endless, .silent: nil
      }
    }
  }

  /// If one directory fails in any way, the results of the others are shown, the failure is reported, and the search
  /// ends.
  @Test(arguments: TestDirectory.allCases, Failure.allCases)
  func failureOfOneDirectoryIsReportedBesideTheOthers(directory: TestDirectory, failure: Failure) async throws {
    for other in TestDirectory.allCases where other != directory {
      server.route(other.path, other.answer("[\(other.entry("The Moon", server.url("/feed")))]"))
    }
    server.route(directory.path, failure.answer(of: directory))
    let service = failure.isWithoutEnd ? fixture.service(withShortDeadlineFor: directory) : nil
    let reports = await fixture.search(DiscoverQuery(.podcasts, "moon"), with: service)
    guard case .results(let first) = reports.first, case .results(let last) = reports.last else {
      Issue.record("\(reports)")
      return
    }
    #expect(first.waiting.sorted() == TestDirectory.allCases.map(\.rawValue).sorted() && first.podcasts.isEmpty)
    #expect(last.waiting.isEmpty && reports.count == 5)
    #expect(last.podcasts.map(\.title) == ["The Moon"] && last.podcasts[0].directories.count == 3)
    #expect(last.failures.count == 1)
    #expect(last.failures.allSatisfy { $0.contains(directory.rawValue) }, "\(last.failures)")
    if let message = failure.message { #expect(last.failures.allSatisfy { $0.contains(message) }, "\(last.failures)") }
  }

  /// Invalid entries are counted. The other entries are shown.
  @Test(arguments: TestDirectory.allCases)
  func invalidEntriesAreSkipped(directory: TestDirectory) async throws {
    for other in TestDirectory.allCases where other != directory { server.route(other.path, other.answer("[]")) }
    let good = directory.entry("Moon\\u001b[31m\\u0007\\u202e red", "https://moon.example/feed")
    let entries = [
      good, directory.entry("Moon again", "HTTP://moon.example/feed/"), "null", "5", "[]", "{}", "\"x\"",
      directory.entry("", "https://empty.example/"), directory.entry("File", "file:///etc/passwd"),
      directory.entry("Script", "javascript:alert(1)"), directory.entry("Blank", "https://a.example/ b"),
      directory.entry("Nothing", "").replacing("\"\"", with: "null"),
      directory.entry("Object", "x").replacing("\"x\"", with: "{}"),
    ]
    server.route(directory.path, directory.answer("[\(entries.joined(separator: ","))]"))
    guard case .results(let last) = await fixture.search(DiscoverQuery(.podcasts, "moon")).last else {
      Issue.record("nothing came")
      return
    }
    #expect(last.failures.isEmpty && last.skipped == 11)
    // The same feed is listed twice, with two titles.
    #expect(last.podcasts.map(\.feedURL) == ["https://moon.example/feed"])
    for scalar in last.podcasts[0].title.unicodeScalars { #expect(![0x1B, 0x07, 0x202E].contains(scalar.value)) }
  }

  /// The commands of the configuration may ask for a password.
  @Test func requestsAtOnceReadTheKeysOnce() async {
    let reads = Mutex(0)
    let access = DirectoryAccess(transport: HTTPDirectoryTransport(fixture.feeds.http, deadline: 600)) {
      reads.withLock { $0 += 1 }
      sched_yield()
      return DirectorySettings()
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = await access.settings() } }
    }
    #expect(reads.withLock { $0 } == 1)
  }

  @Test func cancelledSearchSendsNoRequest() async {
    // The pause before the search outlasts the test, however late a busy machine cancels it.
    let service = DiscoverService(access: fixture.service.access, country: "DE", pause: .seconds(600))
    let task = Task { await service.search(DiscoverQuery(.podcasts, "moon"), isTyped: true) { _ in } }
    task.cancel()
    await task.value
    #expect(server.requests.isEmpty)
  }

  /// Typing cancels the running search. It ends and reports nothing more.
  @Test func cancelledSearchEndsDuringItsRequests() async {
    for directory in TestDirectory.allCases { server.route(directory.path, .never) }
    let reports = Mutex<[DiscoverReport]>([])
    let service = DiscoverService(
      access: DirectoryAccess(fixture.preferences, http: fixture.feeds.http, deadline: 600), country: "DE")
    let task = Task {
      await service.search(DiscoverQuery(.podcasts, "moon"), isTyped: false) { report in
        reports.withLock { $0.append(report) }
      }
    }
    #expect(await server.requestsArrive(4, within: 300))
    task.cancel()
    await task.value
    let count = reports.withLock { $0.count }
    #expect(count == 1, "only that they are asked")
  }
}
