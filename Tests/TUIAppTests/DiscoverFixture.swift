import AppCore
import Directories
import FeedKit
import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Synchronization

@testable import Services
@testable import TUIApp

/// The environment for tests of directories: loopback servers and a real library.
struct DiscoverFixture {
  let feeds: FeedFixture
  let server: LoopbackServer
  let library: Library
  let refresher: Refresher
  let preferences: DiscoverPreferences
  let service: DiscoverService
  static let now = Date(timeIntervalSince1970: 1_790_000_000)
  /// Seconds that a directory may take to answer. A busy machine needs far fewer.
  private static let deadline = 300.0

  init() throws {
    feeds = try FeedFixture(now: Self.now)
    (server, library) = (feeds.server, feeds.library)
    var preferences = DiscoverPreferences(
      environment: ["EARSHOT_PODCASTINDEX_KEY": "key", "EARSHOT_PODCASTINDEX_SECRET": "secret"])
    preferences.settings.appleBase = server.url("/apple", host: "apple.localhost")
    preferences.settings.fyydBase = server.url("/fyyd", host: "fyyd.localhost")
    preferences.settings.podcastIndexBase = server.url("/index", host: "index.localhost")
    preferences.settings.gpodderBase = server.url("/gpodder", host: "gpodder.localhost")
    preferences.settings.spotifyBases.open = server.url("/spotify")
    self.preferences = preferences
    let access = DirectoryAccess(preferences, http: feeds.http, deadline: Self.deadline)
    refresher = feeds.refresher(directories: access)
    service = DiscoverService(access: access, country: "DE")
    server.route("/feed", .text(Self.feed("The Moon"), type: "application/rss+xml"))
  }

  static func feed(_ title: String, extra: String = "") -> String {
    let items = (1...3).map { number in
      """
      <item><title>Part \(number)</title><guid>g\(number)</guid><pubDate>Tue, 0\(number) Sep 2026 10:00:00 GMT</pubDate>
      <enclosure url="https://cdn.example/\(number).mp3" type="audio/mpeg" length="9"/></item>
      """
    }
    return """
      <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>\(title)</title>\(extra)
      \(items.joined())</channel></rss>
      """
  }

  func apple(_ results: String) {
    let answer = LoopbackServer.Response.text("{\"resultCount\":9,\"results\":[\(results)]}", type: "text/javascript")
    for path in ["/apple/search", "/apple/lookup"] { server.route(path, answer) }
  }

  var moon: String {
    """
    {"kind":"podcast","collectionId":42,"collectionName":"The Moon","feedUrl":"\(server.url("/feed"))",
     "artworkUrl600":"https://art.example/600.jpg","trackCount":3}
    """
  }

  /// A service that waits only two seconds for this directory, and long for the others.
  func service(withShortDeadlineFor directory: TestDirectory) -> DiscoverService {
    let transport = ShortDeadlineTransport(
      path: directory.path, short: HTTPDirectoryTransport(feeds.http, deadline: 2),
      long: HTTPDirectoryTransport(feeds.http, deadline: Self.deadline))
    let access = DirectoryAccess(transport: transport) { [preferences] in preferences.resolved() }
    return DiscoverService(access: access, country: "DE")
  }

  /// - Parameter other: searches instead of the fixture's service.
  func search(_ query: DiscoverQuery, with other: DiscoverService? = nil) async -> [DiscoverReport] {
    let reports = Mutex<[DiscoverReport]>([])
    let service = other ?? service
    await service.search(query, isTyped: false) { report in reports.withLock { $0.append(report) } }
    return reports.withLock { $0 }
  }

  /// Apple Podcasts answers with these results, the other directories with none.
  func answerOnlyFromApple(_ results: String) {
    apple(results)
    for directory in TestDirectory.allCases where directory != .apple {
      server.route(directory.path, directory.answer("[]"))
    }
  }
}

/// Sends the requests to one path with another deadline, so that this deadline can be short on any machine.
private struct ShortDeadlineTransport: DirectoryTransport {
  let path: String
  let short: HTTPDirectoryTransport
  let long: HTTPDirectoryTransport

  func send(_ request: DirectoryRequest) async throws(HTTPError) -> DirectoryResponse {
    let transport = request.url.contains(path) ? short : long
    return try await transport.send(request)
  }
}

/// A directory that is simulated by the server of these tests.
enum TestDirectory: String, CaseIterable, Sendable {
  case apple = "Apple Podcasts"
  case fyyd, gpodder
  case podcastIndex = "Podcast Index"

  var path: String {
    switch self {
    case .apple: "/apple/search"
    case .fyyd: "/fyyd/0.2/search/podcast"
    case .gpodder: "/gpodder/search.json"
    case .podcastIndex: "/index/search/byterm"
    }
  }

  /// An answer with this list of entries.
  func answer(_ list: String) -> LoopbackServer.Response {
    switch self {
    case .apple: .text("{\"resultCount\":1,\"results\":\(list)}", type: "text/javascript")
    case .fyyd: .text("{\"data\":\(list)}")
    case .gpodder: .text(list)
    case .podcastIndex: .text("{\"status\":\"true\",\"feeds\":\(list)}")
    }
  }

  func entry(_ title: String, _ feed: String) -> String {
    let (titleKey, feedKey) =
      switch self {
      case .apple: ("collectionName", "feedUrl")
      case .fyyd: ("title", "xmlURL")
      case .gpodder, .podcastIndex: ("title", "url")
      }
    return "{\"\(titleKey)\":\"\(title)\",\"\(feedKey)\":\"\(feed)\"}"
  }
}
