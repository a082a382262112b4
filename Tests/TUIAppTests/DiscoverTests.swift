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

/// Directories and what they find, against servers of our own and a real library.
@Suite struct DiscoverTests {
  private let home: TemporaryHome
  private let server: LoopbackServer
  private let library: Library
  private let refresher: Refresher
  private let service: DiscoverService
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)

  init() throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    library = try Library(path: "\(home.path)/library.sqlite")
    var options = HTTPOptions()
    options.ignoresProxies = true
    options.requestRetry = RetryPolicy(base: 0.001, longest: 0.001)
    options.now = { Self.now }
    let http = HTTPClient(options: options)
    var preferences = DiscoverPreferences(environment: [:])
    preferences.settings.appleBase = server.url("/apple")
    preferences.settings.fyydBase = server.url("/fyyd")
    preferences.settings.gpodderBase = server.url("/gpodder")
    preferences.settings.spotifyBases.open = server.url("/spotify")
    let access = DirectoryAccess(preferences, http: http)
    refresher = Refresher(
      library: library, client: FeedClient(http: http), resources: Resources(), directories: access,
      clock: { Self.now })
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

  /// What directories send, and what is said of it. Others are found meanwhile.
  @Test(arguments: [
    (LoopbackServer.Response.status(429), "takes no more questions"),
    (.text("<html>Please log in</html>", type: "text/html"), "a web page"),
    (.text("{\"data\":\"x\"}"), "cannot be read"), (.text(""), "no JSON"), (.text("{\"data\":[["), "no JSON"),
    (.zeros(20_000_000), "fyyd"), (.status(500), "fyyd"), (.raw([UInt8]("nonsense\r\n\r\n".utf8)), "fyyd"),
  ])
  func oneDirectorysTroubleIsSaidBesideTheOthers(answer: LoopbackServer.Response, said: String) async throws {
    apple(moon + ",{\"collectionName\":\"No feed\"},null,5,{\"collectionName\":[1],\"feedUrl\":{}}")
    server.route("/fyyd/0.2/search/podcast", answer)
    server.route("/gpodder/search.json", .text("[]"))
    let reports = await search(DiscoverQuery(.podcasts, "moon"))
    guard case .results(let first) = reports.first, case .results(let last) = reports.last else {
      Issue.record("\(reports)")
      return
    }
    #expect(first.waiting == ["Apple Podcasts", "fyyd", "gpodder"] && first.podcasts.isEmpty)
    #expect(last.waiting.isEmpty && reports.count == 4)
    #expect(last.podcasts.map(\.title) == ["The Moon"] && last.podcasts.first?.appleID == "42")
    #expect(last.skipped == 4)
    #expect(last.failures.count == 1 && last.failures[0].contains(said), "\(last.failures)")
  }

  @Test func aSearchThatIsCalledOffAsksNobody() async {
    let service = service
    let task = Task { await service.search(DiscoverQuery(.podcasts, "moon"), isTyped: true) { _ in } }
    task.cancel()
    await task.value
    #expect(server.requests.isEmpty)
  }

  @Test func whatIsLookedAtIsStoredAndNotSubscribedTo() async throws {
    apple(moon)
    server.route("/fyyd/0.2/search/podcast", .text("{\"data\":[]}"))
    server.route("/gpodder/search.json", .text("[]"))
    guard case .results(let found) = await search(DiscoverQuery(.podcasts, "moon")).last else { return }
    let podcast = try #require(found.podcasts.first)
    let visited = try await refresher.visit(VisitWish(address: podcast.feedURL, podcast: podcast)).get()
    #expect(visited.podcast.title == "The Moon" && visited.podcast.episodeCount == 3)
    #expect(try library.podcasts().isEmpty)
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(visited.id))).count == 3)
    let detail = try #require(try library.podcastDetail(visited.id))
    #expect(detail.source == .apple(collectionID: "42") && detail.imageURLOverride == "https://art.example/600.jpg")
    // Kept: where it was found stays with it.
    let added = try await refresher.subscribe(podcast).get()
    #expect(added.id == visited.id && !added.wasKnown)
    #expect(try library.podcastDetail(added.id)?.source == .apple(collectionID: "42"))
  }

  @Test func aLinkToAnEpisodeLeadsToIt() async throws {
    let episode = """
      {"wrapperType":"podcastEpisode","trackId":777,"trackName":"Part 2","episodeGuid":"g2","collectionName":"The Moon",
       "feedUrl":"\(server.url("/feed"))","episodeUrl":"https://cdn.example/2.mp3"}
      """
    apple(moon + "," + episode)
    let link = "https://podcasts.apple.com/de/podcast/the-moon/id42?i=777"
    let visited = try await refresher.visit(VisitWish(address: link)).get()
    let row = try library.episodeRows([try #require(visited.episode)]).first
    #expect(row?.title == "Part 2" && !visited.lacksEpisode)
    let added = try await refresher.add(link).get()
    #expect(try library.podcastDetail(added.id)?.source == .apple(collectionID: "42"))
  }

  @Test func whereALinkOfSpotifyLeadsIsAsked() async throws {
    apple(
      moon
        + ",{\"kind\":\"podcast\",\"collectionId\":43,\"collectionName\":\"Cooking\",\"feedUrl\":\"https://c.example/\"}"
    )
    server.route("/spotify/oembed", .text("{\"title\":\"The Moon\"}"))
    server.route("/fyyd/0.2/search/podcast", .text("{\"data\":[]}"))
    server.route("/gpodder/search.json", .text("[]"))
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
    guard case .failure(let failure) = await refresher.add(link) else { return }
    #expect(failure.text == "“Nothing of the kind” is only on Spotify: it cannot be played here")
    #expect(try library.podcasts().count == 1)
  }

  @Test func aFeedThatHasMovedWithoutAWordIsKnownByItsGuid() async throws {
    let guid = "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>"
    server.route("/old", .text(Self.feed("The Moon", extra: guid), type: "application/rss+xml"))
    let old = try await refresher.add(server.url("/old")).get()
    let first = try #require(try library.episodeIDs(EpisodeQuery(.podcast(old.id))).first)
    try library.savePosition(first, seconds: 30, total: 100, now: Self.now)
    server.route("/old", .status(404))
    await refresher.refresh([old.id]) { _ in }
    server.route("/new", .text(Self.feed("The Moon", extra: guid), type: "application/rss+xml"))
    let new = try await refresher.add(server.url("/new")).get()
    #expect(new.id == old.id && new.wasKnown)
    #expect(try library.podcasts().map(\.feedURL) == [server.url("/new")])
    #expect(try library.episodeRows([first]).first?.position == 30)
  }

  @Test func aPodcastOfWhichOnlyTheGuidIsKnownNeedsPodcastIndex() async {
    var podcast = FoundPodcast(title: "Friend")
    podcast.guid = "abc"
    let result = await refresher.visit(VisitWish(address: nil, podcast: podcast))
    guard case .failure(let failure) = result else { return }
    #expect(failure.text == "Podcast Index: only it knows this podcast's address, and it needs a key")
  }
}
