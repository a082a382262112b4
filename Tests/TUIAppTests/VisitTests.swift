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

/// Visiting found podcasts and shared links, with loopback servers.
@Suite(InTurn()) struct VisitTests {
  private let fixture: DiscoverFixture
  private var server: LoopbackServer { fixture.server }
  private var library: Library { fixture.library }
  private var refresher: Refresher { fixture.refresher }

  init() throws { fixture = try DiscoverFixture() }

  @Test func visitedPodcastIsStoredAndNotSubscribed() async throws {
    fixture.answerOnlyFromApple(fixture.moon)
    guard case .results(let found) = await fixture.search(DiscoverQuery(.podcasts, "moon")).last else {
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
    fixture.apple(fixture.moon + "," + episode)
    let link = "https://podcasts.apple.com/de/podcast/the-moon/id42?i=777"
    let visited = try await refresher.visit(VisitRequest(address: link)).get()
    let row = try library.episodeRows([try #require(visited.episode)]).first
    #expect(row?.title == "Part 2" && !visited.lacksEpisode)
    let added = try await refresher.add(link).get()
    #expect(try library.podcastDetail(added.id)?.source == .apple(collectionID: "42"))
    #expect(added.episode == visited.episode && !added.lacksEpisode)
  }

  /// The screen asks for the password of an address that is added, but not of a podcast that is only opened.
  @Test func feedBehindAPasswordNamesTheCommand() async throws {
    server.route("/members", .unauthorized(realm: "Members"))
    guard case .failure(let failure) = await refresher.add(server.url("/members")) else {
      Issue.record("it was added without a password")
      return
    }
    let text = ReportedError(failure).text
    #expect(
      text.contains("(Members)")
        && text.hasSuffix("in the shell, run “earshot add --user NAME URL” to enter the password"))
    let (address, origin) = (server.url("/members"), try #require(Origin(server.baseURL)))
    let asked = ReportedError(failure, adding: address, nil)
    #expect(
      asked.loginProblem == ReportedError.LoginProblem(server: origin, isRefused: false)
        && asked.text.hasSuffix("(Members)"))
    let refused = ReportedError(failure, adding: address, FeedLogin(user: "alice", password: "wrong"))
    #expect(refused.loginProblem == ReportedError.LoginProblem(server: origin, isRefused: true))
    #expect(refused.text == "\(address): \(Refresher.AddFailure.refusedLogin)")
    let link = ReportedError(failure, adding: "https://podcasts.apple.com/de/podcast/the-moon/id42", nil)
    #expect(link == ReportedError(failure), "the password would be sent to the site of the link")
    guard case .failure(let missing) = await refresher.add(server.url("/nothing")) else { return }
    #expect(ReportedError(missing).text == missing.description)
  }

  /// The server that the screen names is the one that has asked and that gets the password.
  @Test func passwordIsAskedForTheServerThatGetsIt() async throws {
    let feed = DiscoverFixture.feed("The Moon")
    let other = try LoopbackServer {
      $0.header("Authorization") == "Basic YWxpY2U6cHc=" ? .text(feed, type: "application/rss+xml") : .unauthorized()
    }
    server.route("/members", .unauthorized())
    server.route("/moved", .redirect(302, to: other.url("/f")))
    func problem(_ address: String, _ login: FeedLogin? = nil) async throws -> ReportedError {
      let added = await refresher.add(address, login: login)
      guard case .failure(let failure) = added else { throw ReportedError("\(address) was added without a password") }
      return ReportedError(failure, adding: address, login)
    }
    let (origin, otherOrigin) = (try #require(Origin(server.baseURL)), try #require(Origin(other.baseURL)))
    let host = "127.0.0.1:\(server.port)"
    let link = try await problem("https://antennapod.org/deeplink/subscribe?url=\(other.url("/f"))")
    #expect(link.loginProblem == ReportedError.LoginProblem(server: otherOrigin, isRefused: false))
    var login = FeedLogin(user: "alice", password: "pw")
    let moved = try await problem(server.url("/moved"), login)
    #expect(moved.loginProblem == nil && moved.text.contains("\(otherOrigin.name) asks"), "\(moved)")
    let bare = try await problem("\(host)/members")
    #expect(bare.loginProblem == nil && bare.text.contains("write http:// before the address"), "\(bare)")
    let typed = try await problem("http://alice:wrong@\(host)/members")
    #expect(typed.loginProblem == ReportedError.LoginProblem(server: origin, isRefused: true))
    #expect(!other.requests.contains { $0.header("Authorization") != nil })
    // A server to which the address leads gets a password that was typed for it, and the first server does not.
    func given() -> Int { server.requests.count { $0.header("Authorization") != nil } }
    let before = given()
    let led = try await problem(server.url("/moved"))
    #expect(led.loginProblem == ReportedError.LoginProblem(server: otherOrigin, isRefused: false))
    login.server = led.loginProblem?.server
    let wrong = try await problem(server.url("/moved"), FeedLogin(user: "bob", password: "pw", server: login.server))
    #expect(wrong.loginProblem == ReportedError.LoginProblem(server: otherOrigin, isRefused: true))
    let added = try await refresher.add(server.url("/moved"), login: login).get()
    #expect(try library.credentials(of: added.id)?.origin == otherOrigin)
    #expect(given() == before)
  }

  @Test func missingEpisodeOfALinkIsReported() async throws {
    fixture.apple(fixture.moon)
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
    fixture.answerOnlyFromApple(
      fixture.moon
        + ",{\"kind\":\"podcast\",\"collectionId\":43,\"collectionName\":\"Cooking\",\"feedUrl\":\"https://c.example/\"}"
    )
    server.route("/spotify/oembed", .text("{\"title\":\"The Moon\"}"))
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
    #expect(failure.description == "“Nothing of the kind” is only on Spotify: it cannot be played here")
    #expect(try library.podcasts().count == 1)
  }

  /// Why the feed of a subscription cannot be read, although it is still there.
  enum Obstacle: CaseIterable {
    case lostConnection, password
  }

  @Test(arguments: Obstacle.allCases)
  func addedFeedDoesNotReplaceOneThatIsStillThere(obstacle: Obstacle) async throws {
    let guid = "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>"
    let feed = LoopbackServer.Response.text(
      DiscoverFixture.feed("The Moon", extra: guid), type: "application/rss+xml")
    let other = try LoopbackServer(routes: ["/old": feed])
    let old = try await refresher.add(other.url("/old")).get()
    switch obstacle {
    case .lostConnection: other.stop()
    case .password: other.route("/old", .unauthorized())
    }
    #expect(await refresher.refresh([old.id]) { _ in }.failed == 1)
    server.route("/new", feed)
    let new = try await refresher.add(server.url("/new")).get()
    #expect(new.id != old.id && !new.wasKnown && new.duplicate == "The Moon")
    #expect(try Set(library.podcasts().map(\.feedURL)) == [other.url("/old"), server.url("/new")])
  }

  /// Another feed, such as that of a podroll, may name an old address.
  @Test func guidWinsOverTheAddress() async throws {
    let guid = "917393e3-1b1e-5cef-ace4-edaa54e1f810"
    let moon = DiscoverFixture.feed("The Moon", extra: "<podcast:guid>\(guid)</podcast:guid>")
    server.route("/feed", .text(moon, type: "application/rss+xml"))
    server.route("/old", .text(DiscoverFixture.feed("Another"), type: "application/rss+xml"))
    var podcast = FoundPodcast(title: "Friend")
    podcast.guid = guid.uppercased()
    let request = VisitRequest(address: server.url("/old"), podcast: podcast)
    let unknown = try await refresher.visit(request).get()
    #expect(unknown.podcast.title == "Another", "no subscription has this guid")
    let added = try await refresher.add(server.url("/feed")).get()
    #expect(try await refresher.visit(request).get().id == added.id)
    // Podcast Index is asked if the address leads nowhere.
    podcast.guid = "another"
    let feed = "{\"title\":\"The Moon\",\"url\":\"\(server.url("/feed"))\"}"
    server.route("/index/podcasts/byguid", .text("{\"status\":\"true\",\"feed\":\(feed)}"))
    let found = try await refresher.visit(VisitRequest(address: server.url("/nothing"), podcast: podcast)).get()
    #expect(found.id == added.id)
  }

  @Test func guidWithoutAnAddressNeedsPodcastIndex() async {
    var podcast = FoundPodcast(title: "Friend")
    podcast.guid = "abc"
    let access = DirectoryAccess(DiscoverPreferences(environment: [:]), http: fixture.feeds.http)
    let refresher = fixture.feeds.refresher(directories: access)
    let result = await refresher.visit(VisitRequest(address: nil, podcast: podcast))
    guard case .failure(let failure) = result else {
      Issue.record("it was visited")
      return
    }
    #expect(failure.description == "Podcast Index: only it knows this podcast's address, and it needs a key")
  }
}
