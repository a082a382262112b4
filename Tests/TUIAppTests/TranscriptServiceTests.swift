import AppCore
import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Testing

@testable import FeedKit
@testable import Services
@testable import TUIApp

/// Transcripts that are kept to compare them with those of a changed file.
@Suite(InTurn()) struct TranscriptServiceTests {
  private let home: TemporaryHome
  private let library: Library
  private let server: LoopbackServer
  private let service: TranscriptService
  private let episode: EpisodeDetail
  private static let played = Date(timeIntervalSince1970: 1_700_000_000)

  init() throws {
    home = try TemporaryHome()
    try home.directories.create()
    library = try Library(path: home.directories.database)
    server = try LoopbackServer()
    service = TranscriptService(
      library: library, client: .standard(Configuration.load(home.directories)), resources: Resources(),
      clock: { Self.played })
    var item = FeedEpisode()
    item.guid = "1"
    item.mediaURL = "http://127.0.0.1/1.mp3"
    item.transcripts = [TranscriptLink(url: server.url("/t.vtt"), type: "text/vtt")]
    let podcast = try library.subscribe(feed: Feed(episodes: [item]), feedURL: server.url("/feed"), now: Self.played)
    let id = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
    episode = try #require(try library.episode(id))
    serve("before")
  }

  private func serve(_ words: String) {
    server.route("/t.vtt", .text("WEBVTT\n\n00:00.000 --> 00:02.000\n\(words)\n", type: "text/vtt"))
  }

  @Test func transcriptOfAPlayedEpisodeIsKeptOnce() async throws {
    try await service.fetchIfMissing(episode)
    try await service.fetchIfMissing(episode)
    #expect(server.requests.count == 1)
    #expect(try library.transcript(episode.id)?.lines.map(\.text) == ["before"])
  }

  @Test func transcriptFromBeforeThePositionIsCompared() async throws {
    try await service.fetchIfMissing(episode)
    serve("now")
    let pair = try #require(try await service.fetchAgain(episode.id, saved: Self.played + 60))
    #expect(pair.before.lines.map(\.text) == ["before"] && pair.now.lines.map(\.text) == ["now"])
  }

  /// The answer of a network that wants a login, or of a server that has no page for missing files.
  @Test func webPageIsNotStored() async throws {
    server.route("/t.vtt", .text("<!DOCTYPE html><title>Log in</title><p>Welcome.</p>", type: "text/html"))
    let expected = ReportedError("The transcript cannot be read: invalid data: transcript: a web page came instead")
    await #expect(throws: expected) { try await service.fetchIfMissing(episode) }
    #expect(try library.transcript(episode.id) == nil)
    serve("later")
    #expect(try await service.transcript(of: episode.id).lines.map(\.text) == ["later"])
  }

  /// A missing file, and a page instead of it.
  @Test(arguments: [LoopbackServer.Response.status(404), .text("<!DOCTYPE html><title>x</title>", type: "text/html")])
  func nextTranscriptIsReadInstead(answer: LoopbackServer.Response) async throws {
    server.route("/t.vtt", answer)
    server.route("/t.srt", .text("1\n00:00:00,000 --> 00:00:02,000\nother\n", type: "application/x-subrip"))
    var item = FeedEpisode()
    item.guid = "2"
    item.mediaURL = "http://127.0.0.1/2.mp3"
    item.transcripts = [
      TranscriptLink(url: server.url("/t.vtt"), type: "text/vtt"),
      TranscriptLink(url: server.url("/t.srt"), type: "application/x-subrip"),
    ]
    let podcast = try library.subscribe(feed: Feed(episodes: [item]), feedURL: server.url("/two"), now: Self.played)
    let id = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
    #expect(try await service.transcript(of: id).lines.map(\.text) == ["other"])
  }

  /// The transcript was fetched after the position was saved, so it may be that of the new file.
  @Test func laterTranscriptIsNoEvidence() async throws {
    try await service.fetchIfMissing(episode)
    #expect(try await service.fetchAgain(episode.id, saved: Self.played - 60) == nil)
  }
}
