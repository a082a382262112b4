import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import Services
@testable import TUIApp

/// The user agent that a listener sets for one podcast: which requests carry it.
@Suite(InTurn()) struct UserAgentSettingTests: ProgramTesting {
  let home: TemporaryHome
  private let server: LoopbackServer
  private static let agent = "Mozilla/5.0 (X11; Linux x86_64)"

  init() throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    for (name, title) in [("/feed", "Picky"), ("/other", "Other")] {
      server.route(
        name,
        .text(
          """
          <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>\(title)</title>
          <item><title>One</title><guid>\(title)-1</guid><pubDate>1 Jan 2024 10:00:00 GMT</pubDate>
          <enclosure url="\(server.url("/moved.wav"))" type="audio/wav"/>
          <podcast:chapters url="\(server.url("/1.json"))" type="application/json+chapters"/>
          <podcast:transcript url="\(server.url("/1.vtt"))" type="text/vtt"/></item></channel></rss>
          """, type: "text/xml"))
    }
    server.route("/moved.wav", .redirect(302, to: server.url("/1.wav")))
    server.route(
      "/1.wav", LoopbackServer.Resource(Broadcast.silence(seconds: 1), type: "audio/wav", etag: "\"1\"").answer)
    server.route(
      "/1.json", .text(#"{"version":"1.2.0","chapters":[{"startTime":0,"title":"A"}]}"#, type: "application/json"))
    server.route("/1.vtt", .text("WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n", type: "text/vtt"))
  }

  private func agents(of path: String) -> Set<String?> {
    Set(server.requests(to: path).map { $0.header("User-Agent") })
  }

  @Test func allRequestsOfThePodcastCarryIt() async throws {
    for name in ["/feed", "/other"] { #expect(try await earshot("add", server.url(name)).status == 0) }
    #expect(agents(of: "/feed") == [Version.userAgent])
    let set = try await earshot("settings", "Picky", "user-agent", Self.agent, "--json")
    #expect(try set.object()["userAgent"] as? String == Self.agent, "\(set.stderr)")
    server.forgetRequests()
    let id = try #require(try await earshot("episodes", "Picky", "--json").objects().first?["id"] as? Int)
    for words in [
      ["refresh"], ["chapters", "\(id)"], ["transcript", "\(id)"], ["play", "\(id)"], ["download", "\(id)"],
    ] {
      let outcome = try await BuiltProgram.run(words, in: home)
      #expect(outcome.status == 0, "\(words) \(outcome.stderr)")
    }
    for path in ["/feed", "/moved.wav", "/1.wav", "/1.json", "/1.vtt"] {
      #expect(agents(of: path) == [Self.agent], "\(path)")
    }
    #expect(agents(of: "/other") == [Version.userAgent])
    #expect(try await earshot("settings", "Picky", "user-agent", "default").status == 0)
    server.forgetRequests()
    _ = try await earshot("refresh")
    #expect(agents(of: "/feed") == [Version.userAgent])
  }

  /// A host that refuses what it does not know would not even let the podcast in.
  @Test func podcastCanBeAddedWithIt() async throws {
    let added = try await earshot("add", server.url("/feed"), "--user-agent", Self.agent)
    #expect(added.status == 0 && agents(of: "/feed") == [Self.agent], "\(added.stderr)")
    #expect(try await earshot("settings", "Picky", "--json").object()["userAgent"] as? String == Self.agent)
    #expect(try await earshot("add", server.url("/other"), "--user-agent", "é").status == 64)
  }

  @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "é", ""]) func headersCannotBeInjected(value: String) async throws {
    #expect(try await earshot("add", server.url("/feed")).status == 0)
    #expect(try await earshot("settings", "Picky", "user-agent", value).status == 64)
    // Even if it gets into the library in another way.
    try home.library { library in
      let podcast = try #require(try library.podcastID(feedURL: server.url("/feed")))
      #expect(try library.access(of: podcast).userAgent == nil)
    }
  }

  @Test func coversOfTheSameServerCarryIt() throws {
    let library = try {
      try home.directories.create(); return try Library(path: home.directories.database)
    }()
    var feed = Feed()
    feed.podcast.title = "Picky"
    let podcast = try library.subscribe(feed: feed, feedURL: "https://a.example/feed", now: Date())
    try library.subscribe(feed: feed, feedURL: "https://a.example/other", now: Date())
    try library.update(settingsOf: podcast) { $0.userAgent = UserAgent(Self.agent) }
    let (own, other) = (try #require(Origin("https://a.example")), try #require(Origin("https://b.example")))
    #expect(try library.access(at: own).userAgent == UserAgent(Self.agent))
    #expect(try library.access(at: other).isEmpty)
  }
}
