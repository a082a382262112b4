import FeedKit
import Foundation
import Logging
import LoopbackServer
import Model
import Store
import Synchronization
import Testing

@testable import Services
@testable import TUIApp

/// Chapters of the played episode: from the feed, from its JSON file and from the media file.
@Suite(InTurn()) struct ChapterServiceTests {
  private let home: TemporaryHome
  private let library: Library
  private let server: LoopbackServer
  private let heard = Heard()

  /// The reports of the service.
  private final class Heard: Sendable {
    let told = Mutex<[(generation: Int, titles: [String])]>([])
    var last: (generation: Int, titles: [String])? { told.withLock { $0.last } }
    var generations: [Int] { told.withLock { $0.map(\.generation) } }
  }

  init() throws {
    home = try TemporaryHome()
    try home.directories.create()
    library = try Library(path: home.directories.database)
    server = try LoopbackServer()
  }

  private func service() -> ChapterService {
    let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    let client = FeedClient.standard(Configuration.load(home.directories))
    return ChapterService(client: client, library: library, log: log) { [heard] generation, chapters in
      heard.told.withLock { $0.append((generation, chapters.map { $0.title ?? "" })) }
    }
  }

  private func json(_ titles: String...) -> LoopbackServer.Response {
    let chapters = titles.enumerated().map { "{\"startTime\":\($0.offset * 60),\"title\":\"\($0.element)\"}" }
    return .text(
      "{\"version\":\"1.2.0\",\"chapters\":[\(chapters.joined(separator: ","))]}", type: "application/json+chapters")
  }

  /// An episode with a chapters file at `path`, and with the chapters `own` in the feed.
  private func episode(_ path: String?, own: [Chapter] = []) throws -> EpisodeDetail {
    var episode = FeedEpisode()
    episode.guid = "1"
    episode.mediaURL = "http://127.0.0.1/1.mp3"
    episode.chaptersURL = path.map { server.url($0) }
    episode.chapters = own
    let podcast = try library.subscribe(feed: Feed(episodes: [episode]), feedURL: server.url("/feed"), now: Date())
    let id = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
    return try #require(try library.episode(id))
  }

  /// The chapters of the built-in podcast are files, so no request is made, and the chapters are reported once.
  @Test func builtInEpisodeNeedsNoRequest() async throws {
    var feed = FeedEpisode()
    (feed.guid, feed.mediaURL, feed.chaptersURL) = ("1", "earshot:welcome/1.ogg", "earshot:welcome/1.json")
    let podcast = try library.subscribe(feed: Feed(episodes: [feed]), feedURL: "earshot:welcome", now: Date())
    let id = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
    let found = try await service().sources(of: id)
    #expect(found.failure == nil && found.known.address == "earshot:welcome/1.json")
  }

  private func waits(_ test: @escaping @Sendable ((generation: Int, titles: [String])?) -> Bool) async throws -> Bool {
    try await Eventually.until { [heard] in test(heard.last) }
  }

  @Test func jsonChaptersAreReportedAndStored() async throws {
    server.route("/c.json", json("Hello", "Rivers"))
    let detail = try episode("/c.json")
    let first = service()
    #expect(try first.begin(1, detail, address: "") == [])
    #expect(try await waits { $0?.titles == ["Hello", "Rivers"] && $0?.generation == 1 })
    let isStored = try await Eventually.until { [library] in try library.chapters(detail.id).count == 2 }
    #expect(isStored)
    server.route("/c.json", .status(500))
    let second = service()
    #expect(try second.begin(2, detail, address: "").map(\.title) == ["Hello", "Rivers"])
    // If the JSON file cannot be fetched, the stored chapters are kept.
    #expect(try await waits { $0?.generation == 2 && $0?.titles == ["Hello", "Rivers"] })
    #expect(try library.chapters(detail.id).count == 2)
  }

  @Test func podloveFileIsReported() async throws {
    let list = "<psc:chapter start='0' title='Hello'/><psc:chapter start='1:00' title='Rivers'/>"
    let file = "<psc:chapters xmlns:psc='http://podlove.org/simple-chapters'>\(list)</psc:chapters>"
    server.route("/c.psc", .text(file, type: "application/xml"))
    let service = service()
    _ = try service.begin(1, try episode("/c.psc"), address: "")
    #expect(try await waits { $0?.titles == ["Hello", "Rivers"] })
  }

  @Test func fileChaptersAreUsedWithoutOthers() throws {
    let service = service()
    _ = try service.begin(7, try episode(nil), address: "")
    service.found(7, [Chapter(start: 0, title: "A"), Chapter(start: 30, title: "B")])
    #expect(heard.last?.titles == ["A", "B"])
    service.found(6, [Chapter(start: 0, title: "of an older load")])
    #expect(heard.generations == [7])
  }

  @Test func removedFileChaptersAreDropped() throws {
    let first = service()
    let detail = try episode(nil)
    _ = try first.begin(1, detail, address: "")
    first.found(1, [Chapter(start: 0, title: "A"), Chapter(start: 30, title: "B")])
    #expect(try library.chapters(detail.id).count == 2)
    let second = service()
    #expect(try second.begin(2, detail, address: "").count == 2)
    second.found(2, [])
    #expect(heard.last?.titles == [])
    #expect(try library.chapters(detail.id).isEmpty)
  }

  @Test func oldFileChaptersDoNotHideTheFeeds() async throws {
    server.route("/c.json", json("New"))
    let detail = try episode("/c.json")
    try library.saveChapters(
      [Chapter(start: 0, title: "A"), Chapter(start: 9, title: "B")], from: .file, of: detail.id, now: Date())
    let service = service()
    #expect(try service.begin(1, detail, address: "").count == 2)
    service.found(1, [])
    #expect(try await waits { $0?.titles == ["New"] })
    let isStored = try await Eventually.until { [library] in try library.chapters(detail.id).map(\.title) == ["New"] }
    #expect(isStored)
  }

  @Test func lateChaptersOfAnOlderLoadAreDropped() async throws {
    server.route("/slow.json", .never)
    server.route("/c.json", json("New"))
    let slow = try episode("/slow.json")
    let service = service()
    _ = try service.begin(1, slow, address: "")
    #expect(await server.requestsArrive(1))
    var quick = slow
    quick.feed.chaptersURL = server.url("/c.json")
    _ = try service.begin(2, quick, address: "")
    service.found(1, [Chapter(start: 0, title: "Old")])
    #expect(try await waits { $0?.titles == ["New"] })
    #expect(heard.generations.allSatisfy { $0 == 2 })
  }
}
