import AppCore
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

/// Directories, with loopback servers and a real library.
@Suite struct DiscoverTests {
  private let bench: FeedBench
  private let server: LoopbackServer
  private let library: Library
  private let refresher: Refresher
  private let preferences: DiscoverPreferences
  private let service: DiscoverService
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)

  init() throws {
    bench = try FeedBench(now: Self.now)
    (server, library) = (bench.server, bench.library)
    var preferences = DiscoverPreferences(
      environment: ["EARSHOT_PODCASTINDEX_KEY": "key", "EARSHOT_PODCASTINDEX_SECRET": "secret"])
    preferences.settings.appleBase = server.url("/apple")
    preferences.settings.fyydBase = server.url("/fyyd")
    preferences.settings.podcastIndexBase = server.url("/index")
    preferences.settings.gpodderBase = server.url("/gpodder")
    preferences.settings.spotifyBases.open = server.url("/spotify")
    self.preferences = preferences
    let access = DirectoryAccess(preferences, http: bench.http, deadline: 2)
    refresher = bench.refresher(directories: access)
    service = DiscoverService(access: access, country: "DE")
    server.route("/feed", .text(Self.feed("The Moon"), type: "application/rss+xml"))
  }

  private static func feed(_ title: String, extra: String = "") -> String {
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

  private func apple(_ results: String) {
    let answer = LoopbackServer.Response.text("{\"resultCount\":9,\"results\":[\(results)]}", type: "text/javascript")
    for path in ["/apple/search", "/apple/lookup"] { server.route(path, answer) }
  }

  private var moon: String {
    """
    {"kind":"podcast","collectionId":42,"collectionName":"The Moon","feedUrl":"\(server.url("/feed"))",
     "artworkUrl600":"https://art.example/600.jpg","trackCount":3}
    """
  }

  private func search(_ query: DiscoverQuery) async -> [DiscoverReport] {
    let reports = Mutex<[DiscoverReport]>([])
    await service.search(query, isTyped: false) { report in reports.withLock { $0.append(report) } }
    return reports.withLock { $0 }
  }

  /// A directory that is simulated by the server of these tests.
  enum Asked: String, CaseIterable, Sendable {
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

  /// Failures of a directory.
  enum Trouble: CaseIterable, Sendable {
    case rateLimit, failure, page, empty, cutOff, wrongType, huge, noHTTP, closed, endless, silent, deep

    func answer(of directory: Asked) -> LoopbackServer.Response {
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

    /// The part of the message after the name of the directory.
    var said: String? {
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
  @Test(arguments: Asked.allCases, Trouble.allCases)
  func failureOfOneDirectoryIsReportedBesideTheOthers(directory: Asked, trouble: Trouble) async throws {
    for other in Asked.allCases where other != directory {
      server.route(other.path, other.answer("[\(other.entry("The Moon", server.url("/feed")))]"))
    }
    server.route(directory.path, trouble.answer(of: directory))
    let reports = await search(DiscoverQuery(.podcasts, "moon"))
    guard case .results(let first) = reports.first, case .results(let last) = reports.last else {
      Issue.record("\(reports)")
      return
    }
    #expect(first.waiting.sorted() == Asked.allCases.map(\.rawValue).sorted() && first.podcasts.isEmpty)
    #expect(last.waiting.isEmpty && reports.count == 5)
    #expect(last.podcasts.map(\.title) == ["The Moon"] && last.podcasts[0].directories.count == 3)
    #expect(last.failures.count == 1)
    #expect(last.failures.allSatisfy { $0.contains(directory.rawValue) }, "\(last.failures)")
    if let said = trouble.said { #expect(last.failures.allSatisfy { $0.contains(said) }, "\(last.failures)") }
  }

  /// Invalid entries are counted. The other entries are shown.
  @Test(arguments: Asked.allCases)
  func invalidEntriesAreSkipped(directory: Asked) async throws {
    for other in Asked.allCases where other != directory { server.route(other.path, other.answer("[]")) }
    let good = directory.entry("Moon\\u001b[31m\\u0007\\u202e red", "https://moon.example/feed")
    let entries = [
      good, directory.entry("Moon again", "HTTP://moon.example/feed/"), "null", "5", "[]", "{}", "\"x\"",
      directory.entry("", "https://empty.example/"), directory.entry("File", "file:///etc/passwd"),
      directory.entry("Script", "javascript:alert(1)"), directory.entry("Blank", "https://a.example/ b"),
      directory.entry("Nothing", "").replacing("\"\"", with: "null"),
      directory.entry("Object", "x").replacing("\"x\"", with: "{}"),
    ]
    server.route(directory.path, directory.answer("[\(entries.joined(separator: ","))]"))
    guard case .results(let last) = await search(DiscoverQuery(.podcasts, "moon")).last else {
      Issue.record("nothing came")
      return
    }
    #expect(last.failures.isEmpty && last.skipped == 11)
    // The same feed is listed twice, with two titles.
    #expect(last.podcasts.map(\.feedURL) == ["https://moon.example/feed"])
    for scalar in last.podcasts[0].title.unicodeScalars { #expect(![0x1B, 0x07, 0x202E].contains(scalar.value)) }
  }

  @Test func cancelledSearchSendsNoRequest() async {
    let service = service
    let task = Task { await service.search(DiscoverQuery(.podcasts, "moon"), isTyped: true) { _ in } }
    task.cancel()
    await task.value
    #expect(server.requests.isEmpty)
  }

  /// Typing cancels the running search. It ends and reports nothing more.
  @Test func cancelledSearchEndsDuringItsRequests() async {
    for directory in Asked.allCases { server.route(directory.path, .never) }
    let reports = Mutex<[DiscoverReport]>([])
    let patient = DiscoverService(access: DirectoryAccess(preferences, http: bench.http, deadline: 600), country: "DE")
    let task = Task {
      await patient.search(DiscoverQuery(.podcasts, "moon"), isTyped: false) { report in
        reports.withLock { $0.append(report) }
      }
    }
    #expect(await server.requestsArrive(4, within: 300))
    task.cancel()
    await task.value
    let count = reports.withLock { $0.count }
    #expect(count == 1, "only that they are asked")
  }

  @Test func visitedPodcastIsStoredAndNotSubscribed() async throws {
    apple(moon)
    server.route("/fyyd/0.2/search/podcast", .text("{\"data\":[]}"))
    server.route("/gpodder/search.json", .text("[]"))
    server.route("/index/search/byterm", .text("{\"feeds\":[]}"))
    guard case .results(let found) = await search(DiscoverQuery(.podcasts, "moon")).last else {
      Issue.record("nothing was found")
      return
    }
    let podcast = try #require(found.podcasts.first)
    let visited = try await refresher.visit(VisitRequest(address: podcast.feedURL, podcast: podcast)).get()
    #expect(visited.podcast.title == "The Moon" && visited.podcast.episodeCount == 3)
    #expect(try library.podcasts().isEmpty)
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(visited.id))).count == 3)
    let detail = try #require(try library.podcastDetail(visited.id))
    #expect(detail.source == .apple(collectionID: "42") && detail.imageURLOverride == "https://art.example/600.jpg")
    // After subscribing, the podcast's source is still the directory.
    let added = try await refresher.subscribe(podcast).get()
    #expect(added.id == visited.id && !added.wasKnown)
    #expect(try library.podcastDetail(added.id)?.source == .apple(collectionID: "42"))
  }

  @Test func episodeLinkFindsTheEpisode() async throws {
    let episode = """
      {"wrapperType":"podcastEpisode","trackId":777,"trackName":"Part 2","episodeGuid":"g2","collectionName":"The Moon",
       "feedUrl":"\(server.url("/feed"))","episodeUrl":"https://cdn.example/2.mp3"}
      """
    apple(moon + "," + episode)
    let link = "https://podcasts.apple.com/de/podcast/the-moon/id42?i=777"
    let visited = try await refresher.visit(VisitRequest(address: link)).get()
    let row = try library.episodeRows([try #require(visited.episode)]).first
    #expect(row?.title == "Part 2" && !visited.lacksEpisode)
    let added = try await refresher.add(link).get()
    #expect(try library.podcastDetail(added.id)?.source == .apple(collectionID: "42"))
    #expect(added.episode == visited.episode && !added.lacksEpisode)
  }

  @Test func missingEpisodeOfALinkIsReported() async throws {
    apple(moon)
    let link = "https://podcasts.apple.com/de/podcast/the-moon/id42?i=778"
    let added = try await refresher.add(link).get()
    #expect(added.episode == nil && added.lacksEpisode)
    #expect(added.text == "Added “The Moon” with 3 episodes; the episode of the link is not among them")
  }

  /// The title of a page contains more than the title of the episode.
  @Test(arguments: [
    ("Part 2", "Part 2"), ("part 2!", "Part 2"), ("Part 2 — The Moon", "Part 2"), ("Part 22", nil), ("Part", nil),
  ])
  func episodeIsFoundByItsTitle(title: String, found: String?) async throws {
    let visited = try await refresher.visit(
      VisitRequest(address: server.url("/feed"), episode: EpisodeClue(title: title))
    ).get()
    let row = try visited.episode.flatMap { try library.episodeRows([$0]).first }
    #expect(row?.title == found && visited.lacksEpisode == (found == nil))
  }

  @Test func spotifyLinkAsks() async throws {
    apple(
      moon
        + ",{\"kind\":\"podcast\",\"collectionId\":43,\"collectionName\":\"Cooking\",\"feedUrl\":\"https://c.example/\"}"
    )
    server.route("/spotify/oembed", .text("{\"title\":\"The Moon\"}"))
    server.route("/fyyd/0.2/search/podcast", .text("{\"data\":[]}"))
    server.route("/gpodder/search.json", .text("[]"))
    server.route("/index/search/byterm", .text("{\"feeds\":[]}"))
    let link = "https://open.spotify.com/show/0123456789abcdefghijAB"
    guard case .failure(.ambiguous(let matches)) = await refresher.add(link) else {
      Issue.record("it was not asked")
      return
    }
    #expect(matches.site == "Spotify" && matches.podcasts.map(\.title) == ["The Moon"])
    #expect(matches.podcasts[0].certainty == "surely (100 %)")
    let added = try await refresher.subscribe(matches.podcasts[0]).get()
    #expect(try library.podcastDetail(added.id)?.source == .spotify(id: "0123456789abcdefghijAB"))
    server.route("/spotify/oembed", .text("{\"title\":\"Nothing of the kind\"}"))
    guard case .failure(let failure) = await refresher.add(link) else {
      Issue.record("it was added")
      return
    }
    #expect(failure.text == "“Nothing of the kind” is only on Spotify: it cannot be played here")
    #expect(try library.podcasts().count == 1)
  }

  @Test func movedFeedIsRecognizedByItsGuid() async throws {
    server.route("/old", .text(Self.feed("The Moon", extra: Self.guid), type: "application/rss+xml"))
    let old = try await refresher.add(server.url("/old")).get()
    let first = try #require(try library.episodeIDs(EpisodeQuery(.podcast(old.id))).first)
    try library.savePosition(first, seconds: 30, total: 100, now: Self.now)
    server.route("/old", .status(404))
    await refresher.refresh([old.id]) { _ in }
    server.route("/new", .text(Self.feed("The Moon", extra: Self.guid), type: "application/rss+xml"))
    let new = try await refresher.add(server.url("/new")).get()
    #expect(new.id == old.id && new.wasKnown)
    #expect(try library.podcasts().map(\.feedURL) == [server.url("/new")])
    #expect(try library.episodeRows([first]).first?.position == 30)
  }

  private static let guid = "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>"

  /// Two subscriptions. The first one has an episode with a position.
  private func twins() async throws -> (old: PodcastID, new: PodcastID, heard: EpisodeID) {
    for path in ["/old", "/new"] {
      server.route(path, .text(Self.feed("The Moon \(path)", extra: Self.guid), type: "application/rss+xml"))
    }
    let old = try await refresher.add(server.url("/old")).get()
    let heard = try #require(try library.episodeIDs(EpisodeQuery(.podcast(old.id))).first)
    try library.savePosition(heard, seconds: 30, total: 100, now: Self.now)
    let new = try await refresher.add(server.url("/new")).get()
    #expect(new.duplicate == "The Moon /old" && !new.wasKnown)
    #expect(new.text.contains("it says that it is the same podcast as “The Moon /old”"))
    return (old.id, new.id, heard)
  }

  private func refreshed(_ podcasts: [PodcastID]?) async -> [RefreshNote] {
    let notes = Mutex<[RefreshNote]>([])
    await refresher.refresh(podcasts) { report in
      if case .noted(_, let note) = report { notes.withLock { $0.append(note) } }
    }
    return notes.withLock { $0 }
  }

  /// A paid feed and its public feed may have the same guid. Both are kept as long as both can be read.
  @Test func duplicateGuidIsReportedOnceAndBothAreKept() async throws {
    let twins = try await twins()
    #expect(await refreshed([twins.old, twins.new]).isEmpty, "it was said when it was added")
    #expect(try library.podcasts().count == 2)
  }

  @Test func feedThatTakesAnotherGuidIsReportedOnce() async throws {
    server.route("/other", .text(Self.feed("Other"), type: "application/rss+xml"))
    let other = try await refresher.add(server.url("/other")).get()
    server.route("/old", .text(Self.feed("The Moon", extra: Self.guid), type: "application/rss+xml"))
    _ = try await refresher.add(server.url("/old")).get()
    server.route("/other", .text(Self.feed("Other", extra: Self.guid), type: "application/rss+xml"))
    #expect(await refreshed([other.id]) == [.duplicate("The Moon")])
    server.route("/other", .text(Self.feed("Other 2", extra: Self.guid), type: "application/rss+xml"))
    #expect(await refreshed([other.id]).isEmpty)
    #expect(try library.podcasts().count == 2)
  }

  @Test func goneFeedIsMergedIntoItsDuplicate() async throws {
    let twins = try await twins()
    server.route("/old", .status(410))
    #expect(await refreshed([twins.old]) == [.joined(with: "The Moon /new")])
    #expect(try library.podcasts().map(\.id) == [twins.new])
    // The remaining episode has the position.
    let rows = try library.episodeRows(try library.episodeIDs(EpisodeQuery(.podcast(twins.new))))
    #expect(rows.count == 3 && rows.map(\.position).max() == 30)
  }

  @Test func feedThatWasAlreadyGoneIsMerged() async throws {
    server.route("/old", .text(Self.feed("The Moon", extra: Self.guid), type: "application/rss+xml"))
    server.route("/new", .text(Self.feed("New"), type: "application/rss+xml"))
    let old = try await refresher.add(server.url("/old")).get()
    let heard = try #require(try library.episodeIDs(EpisodeQuery(.podcast(old.id))).first)
    try library.savePosition(heard, seconds: 30, total: 100, now: Self.now)
    let new = try await refresher.add(server.url("/new")).get()
    server.route("/old", .status(410))
    #expect(await refreshed([old.id]).isEmpty, "nobody has its guid")
    server.route("/new", .text(Self.feed("New", extra: Self.guid), type: "application/rss+xml"))
    #expect(await refreshed([new.id]) == [.joined(with: "New")])
    #expect(try library.podcasts().map(\.id) == [new.id])
    let rows = try library.episodeRows(try library.episodeIDs(EpisodeQuery(.podcast(new.id))))
    #expect(rows.map(\.position).max() == 30)
  }

  /// If a feed moves to the address of another subscription, the two are merged.
  @Test func feedThatMovesToAnotherSubscriptionIsMerged() async throws {
    let twins = try await twins()
    let moved = """
      <itunes:new-feed-url xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">\(server.url("/new"))\
      </itunes:new-feed-url>
      """
    server.route("/old", .text(Self.feed("The Moon", extra: Self.guid + moved), type: "application/rss+xml"))
    #expect(await refreshed([twins.old]) == [.moved(to: server.url("/new"))])
    #expect(try library.podcasts().map(\.id) == [twins.new])
    let rows = try library.episodeRows(try library.episodeIDs(EpisodeQuery(.podcast(twins.new))))
    #expect(rows.count == 3 && rows.map(\.position).max() == 30)
  }

  @Test func guidWithoutAnAddressNeedsPodcastIndex() async {
    var podcast = FoundPodcast(title: "Friend")
    podcast.guid = "abc"
    let access = DirectoryAccess(DiscoverPreferences(environment: [:]), http: bench.http)
    let refresher = bench.refresher(directories: access)
    let result = await refresher.visit(VisitRequest(address: nil, podcast: podcast))
    guard case .failure(let failure) = result else {
      Issue.record("it was visited")
      return
    }
    #expect(failure.text == "Podcast Index: only it knows this podcast's address, and it needs a key")
  }
}
