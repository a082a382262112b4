import AppCore
import FeedKit
import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Testing

@testable import Services
@testable import TUIApp

/// A feed's password, with servers that must not get it. Two ports of this machine are two servers.
@Suite(InTurn()) struct PasswordTests {
  private let fixture: FeedFixture
  private let server: LoopbackServer
  private let thief: LoopbackServer
  private let library: Library
  private let client: FeedClient
  private let refresher: Refresher

  init() throws {
    fixture = try FeedFixture()
    (server, library, refresher) = (fixture.server, fixture.library, fixture.refresher())
    client = FeedClient(http: fixture.http)
    thief = try LoopbackServer { _ in .unauthorized(realm: "Your password, please") }
  }

  private static func feed(_ title: String, items: String = "") -> LoopbackServer.Response {
    .text("<rss><channel><title>\(title)</title>\(items)</channel></rss>", type: "text/xml")
  }

  private var withPassword: String { "http://alice:pw@127.0.0.1:\(server.port)/f" }

  private static func isSent(_ request: LoopbackServer.Request) -> Bool { request.header("Authorization") != nil }

  /// The server sends the paid feed for a request with the password, and the public feed otherwise. It never sends 401.
  private func servePaidAndPublic() {
    server.route("/f") { request in
      Self.feed(request.basicCredentials == [UInt8]("alice:pw".utf8) ? "Paid" : "Public")
    }
  }

  private func title(_ podcast: PodcastID) throws -> String? { try library.podcastDetail(podcast)?.row.title }

  @Test func passwordIsSentToAPaidFeedWithoutAChallenge() async throws {
    servePaidAndPublic()
    let added = try await refresher.add(withPassword).get()
    #expect(added.title == "Paid")
    for _ in 0..<2 { #expect(await refresher.refresh([added.id]) { _ in }.failed == 0) }
    #expect(try title(added.id) == "Paid")
    #expect(server.requests.allSatisfy(Self.isSent))
  }

  @Test func addingAgainWithAPasswordKeepsTheSettings() async throws {
    servePaidAndPublic()
    let added = try await refresher.add(server.url("/f")).get()
    #expect(added.title == "Public")
    let settings = try library.update(settingsOf: added.id) { settings in
      settings.playback = PlaybackSettings()
      settings.playback?.speed = 2
      settings.playback?.intro = 12
      settings.keepDownloads = 4
      return settings
    }
    let again = try await refresher.add(withPassword).get()
    #expect(again.id == added.id && again.title == "Paid")
    #expect(try library.settings(of: added.id) == settings)
  }

  /// The attack: a redirect to another server, which then answers 401.
  @Test func passwordIsNotSentToARedirectedServer() async throws {
    servePaidAndPublic()
    let added = try await refresher.add(withPassword).get()
    server.route("/f", .redirect(301, to: thief.url("/f")))
    thief.route("/f", Self.feed("Stolen"))
    #expect(await refresher.refresh([added.id]) { _ in }.failed == 0)
    #expect(try library.podcastDetail(added.id)?.row.feedURL == thief.url("/f"))
    thief.route("/f", .unauthorized(realm: "Your password, please"))
    for _ in 0..<2 { #expect(await refresher.refresh([added.id]) { _ in }.failed == 1) }
    #expect(thief.requests.count == 3 && !thief.requests.contains(where: Self.isSent))
    let health = try library.podcastDetail(added.id)?.row.health
    guard case .failed(_, let message)? = health else {
      Issue.record("\(String(describing: health))")
      return
    }
    #expect(message.contains("127.0.0.1:\(server.port)"), "the listener learns whose password it is: \(message)")
    #expect(!message.contains("pw"))
  }

  @Test func passwordIsNotSentToANewFeedURL() async throws {
    let new = "<itunes:new-feed-url>\(thief.url("/new"))</itunes:new-feed-url>"
    server.route(
      "/f",
      .text(
        """
        <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>A</title>\(new)</channel></rss>
        """, type: "text/xml"))
    thief.route("/new", Self.feed("B"))
    let added = try await refresher.add(withPassword).get()
    thief.route("/new", .unauthorized())
    _ = await refresher.refresh([added.id]) { _ in }
    #expect(try library.podcastDetail(added.id)?.row.feedURL == thief.url("/new"))
    #expect(thief.requests.count >= 2 && !thief.requests.contains(where: Self.isSent))
  }

  @Test func passwordIsNotSentThroughARedirectWhenAdding() async throws {
    server.route("/f", .redirect(301, to: thief.url("/f")))
    thief.route("/f", Self.feed("Moved"))
    let added = try await refresher.add(withPassword).get()
    _ = await refresher.refresh([added.id]) { _ in }
    thief.route("/f", .unauthorized())
    _ = await refresher.refresh([added.id]) { _ in }
    #expect(server.requests.allSatisfy(Self.isSent))
    #expect(thief.requests.count == 3 && !thief.requests.contains(where: Self.isSent))
  }

  @Test func passwordIsNotSentToPagesElsewhere() async throws {
    func page(_ number: Int, next: String?) -> LoopbackServer.Response {
      let link = next.map { "<atom:link rel=\"next\" href=\"\($0)\"/>" } ?? ""
      return .text(
        """
        <rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>A</title>\(link)
        <item><title>\(number)</title><guid>\(number)</guid></item></channel></rss>
        """, type: "text/xml")
    }
    server.route("/f", page(1, next: thief.url("/2")))
    thief.route("/2", page(2, next: server.url("/3")))
    server.route("/3", page(3, next: nil))
    let added = try await refresher.add(withPassword).get()
    let outcome = try await refresher.fetchArchive(of: added.id)
    #expect(outcome.pages == 2 && outcome.new == 2)
    #expect(server.requests.allSatisfy(Self.isSent))
    #expect(thief.requests.map(Self.isSent) == [false])
  }

  @Test func passwordIsSentForDocumentsOfAnEpisode() async throws {
    let captions = LoopbackServer.Response.text("WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n", type: "text/vtt")
    for place in [server, thief] {
      place.route("/t.vtt", captions)
      place.route("/c.json", .text("{\"version\":\"1.2.0\",\"chapters\":[{\"startTime\":0,\"title\":\"One\"}]}"))
    }
    let items = [server, thief].map { place in
      """
      <item><title>T</title><guid>\(place.port)</guid><enclosure url="\(place.url("/1.mp3"))" type="audio/mpeg"/>
      <podcast:transcript url="\(place.url("/t.vtt"))" type="text/vtt"/>
      <podcast:chapters url="\(place.url("/c.json"))" type="application/json+chapters"/></item>
      """
    }.joined()
    server.route(
      "/f",
      .text(
        """
        <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>A</title>\(items)</channel></rss>
        """, type: "text/xml"))
    let added = try await refresher.add(withPassword).get()
    let ids = try library.episodeIDs(EpisodeQuery(.podcast(added.id)))
    #expect(ids.count == 2)
    let transcripts = TranscriptService(library: library, client: client, resources: Resources())
    let (delivered, deliver) = AsyncStream.makeStream(of: [Chapter].self)
    let chapters = ChapterService(
      client: client, library: library, log: LogFile.logger(fixture.home.directories), deliver: { deliver.yield($1) })
    var news = delivered.makeAsyncIterator()
    for (generation, id) in ids.enumerated() {
      #expect(try await transcripts.transcript(of: id).lines.count == 1)
      _ = try chapters.begin(generation, try #require(try library.episode(id)), address: "")
      #expect(await news.next()?.map(\.title) == ["One"])
    }
    #expect(server.requests.count == 3 && server.requests.allSatisfy(Self.isSent))
    #expect(thief.requests.count == 2 && !thief.requests.contains(where: Self.isSent))
  }
}
