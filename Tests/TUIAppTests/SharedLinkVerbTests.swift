import Foundation
import LoopbackServer
import Testing

@testable import TUIApp

/// Verbs with links to other players' sites. The test's server is the proxy for the requests to these sites.
@Suite(InTurn()) struct SharedLinkVerbTests {
  private let home: TemporaryHome
  private let broadcast: Broadcast
  private var server: LoopbackServer { broadcast.server }

  init() throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Linked")
    try home.configure(
      """
      refresh_on_start = false
      [discover]
      directories = ["apple"]
      apple_url = "\(broadcast.server.url("/apple"))"
      spotify_open_url = "\(broadcast.server.url("/spotify"))"
      """)
    let feed = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(broadcast.feedURL)\">"
    page("http://pca.st/abcd", .redirect(302, to: "http://pca.st/episode/u-2"))
    page("http://pca.st/episode/u-2", .text("<meta property=\"og:title\" content=\"Second hour\">\(feed)"))
    page("http://pca.st/old", .redirect(302, to: "http://pca.st/episode/u-9"))
    page("http://pca.st/episode/u-9", .text("<meta property=\"og:title\" content=\"Ninth hour\">\(feed)"))
    page("http://pca.st/podcast/u-1", .text("<title>Linked</title>\(feed)"))
    page("http://pca.st/huge", .zeros(20_000_000))
  }

  private func page(_ address: String, _ answer: LoopbackServer.Response) { server.route(address, answer) }

  private func earshot(_ arguments: String...) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run(
      arguments, in: home, environment: ["http_proxy": server.baseURL, "no_proxy": "127.0.0.1"])
  }

  @Test func addReportsTheLinkedEpisode() async throws {
    let outcome = try await earshot("add", "http://pca.st/abcd")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.lines.first == "Added Linked (3 episodes)")
    #expect(outcome.lines.last?.hasPrefix("The link's episode: Second hour. Run “earshot play ") == true)
    let again = try await earshot("add", "http://pca.st/abcd", "--json")
    let episode = try #require(try again.objects().first?["episode"] as? [String: Any])
    #expect(episode["title"] as? String == "Second hour" && episode["id"] is Int)
  }

  @Test func addReportsAMissingEpisode() async throws {
    let outcome = try await earshot("add", "http://pca.st/old")
    #expect(outcome.status == 0 && outcome.lines == ["Added Linked (3 episodes)"])
    #expect(outcome.stderr.contains("the feed does not have the episode of the link"))
  }

  @Test func playPlaysTheEpisodeOfTheLinkWithoutSubscribing() async throws {
    let samples = "\(home.path)/out.raw"
    let outcome = try await earshot("play", "http://pca.st/abcd", "--start", "4:58", "--pcm", samples)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let bytes = try FileManager.default.attributesOfItem(atPath: samples)[.size] as? Int ?? 0
    #expect(bytes > 0)
    #expect(server.requests(to: "/2.wav").isEmpty == false && server.requests(to: "/1.wav").isEmpty)
    #expect(try home.library { try $0.podcasts().map(\.title) } == ["Welcome to Earshot"])
  }

  @Test(arguments: [
    ("http://pca.st/podcast/u-1", 65, "The link leads to the podcast “Linked”, and to none of its episodes"),
    ("http://pca.st/old", 65, "The feed of “Linked” does not have the episode of the link"),
    ("http://pca.st/gone", 69, "Pocket Casts: "), ("http://pca.st/huge", 69, "Pocket Casts: "),
  ])
  func playReportsWhyALinkFails(link: String, status: Int32, said: String) async throws {
    let outcome = try await earshot("play", link)
    #expect(outcome.status == status && outcome.stderr.contains(said), "\(outcome.stderr)")
  }

  @Test(arguments: [("http://pca.st/gone", "Pocket Casts: "), ("http://pca.st/huge", "Pocket Casts: ")])
  func addReportsWhyALinkFails(link: String, said: String) async throws {
    let outcome = try await earshot("add", link)
    #expect(outcome.status == 69 && outcome.stderr.contains(said), "\(outcome.stderr)")
    #expect(try home.library { try $0.podcasts().map(\.title) } == ["Welcome to Earshot"])
  }
}
