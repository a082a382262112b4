import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// `earshot play` with an episode of the library uses the settings of its podcast, and only one player may play it.
@Suite(InTurn()) struct PlayedEpisodeTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast

  init() throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Shown")
  }

  /// Subscribes to the podcast with these settings, and returns the id of its newest episode.
  private func subscribed(_ change: (inout PlaybackSettings) -> Void = { _ in }) async throws -> EpisodeID {
    _ = try await earshot("add", broadcast.feedURL)
    return try home.library { library in
      let podcast = try #require(try library.podcasts().first { $0.feedURL == broadcast.feedURL })
      var playback = PlaybackSettings()
      change(&playback)
      try library.update(settingsOf: podcast.id) { $0.playback = playback }
      return try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast.id))).first)
    }
  }

  private func row(_ id: EpisodeID) throws -> EpisodeRow {
    try #require(try home.library { try $0.episodeRows([id]).first })
  }

  @Test func podcastSettingsAreUsed() async throws {
    let id = try await subscribed {
      $0.speed = 2
      $0.intro = 30
    }
    let child = try await playing("\(id)")
    try await reaches(child) { $0["speed"] as? Double == 2 && ($0["position"] as? Double ?? 0) >= 30 }
    #expect(try row(id).status == .playing)
    kill(child.id, SIGTERM)
    #expect(try await child.status() == 128 + SIGTERM)
    #expect(try row(id).status == .paused)
    #expect(try home.library { try $0.lastPlayed() } == id, "the full player offers it")
    // Options of the command line override the settings.
    let again = try await playing("\(id)", "--speed", "1", "--start", "5")
    try await reaches(again) { $0["speed"] as? Double == 1 && ($0["position"] as? Double ?? 0) > 6 }
    #expect(try await earshot("ctl", "quit").status == 0)
    _ = try await again.status()
    // The history says where the sound began, also if a busy machine reads it late. The newest event is first.
    let events = try home.library { try $0.events(limit: 20, of: id).map(\.event) }
    let beginning = events.prefix { $0.kind != .start }.compactMap { event -> Double? in
      if case .play(let from, _, _) = event.kind, event.speed == 1 { from } else { nil }
    }.last
    #expect(beginning.map { (5..<6).contains($0) } == true, "\(events)")
  }

  @Test func outroEndsTheEpisode() async throws {
    let id = try await subscribed { $0.outro = 60 }
    try home.library { try $0.enqueue([id], now: Date()) }
    let outcome = try await earshot("play", "\(id)", "--start", "3:58", "--speed", "4")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(try row(id).status == .played)
    #expect(try home.library { try $0.queue() } == [])
  }

  @Test func chaptersAreReportedAndSkippedByWords() async throws {
    let feed = Broadcast.feed("Shown", [Broadcast.threeEpisodes[1]], media: broadcast.server.baseURL)
      .replacing(
        "</item>",
        with: """
          <psc:chapters xmlns:psc="http://podlove.org/simple-chapters" version="1.2">
          <psc:chapter start="0" title="Hello"/><psc:chapter start="00:01:40" title="A word from our SPONSOR"/>
          <psc:chapter start="00:03:20" title="Rivers"/></psc:chapters></item>
          """)
    broadcast.server.route("/feed.xml", .text(feed, type: "application/rss+xml"))
    let id = try await subscribed { $0.skippedWords = ["sponsor"] }
    let child = try await playing("\(id)", "--start", "1:38")
    try await reaches(child) { $0["chapter"] as? String == "Hello" || ($0["position"] as? Double ?? 0) >= 200 }
    try await reaches(child) { $0["chapter"] as? String == "Rivers" && ($0["position"] as? Double ?? 0) >= 200 }
    #expect(try await earshot("ctl", "quit").status == 0)
    _ = try await child.status()
  }

  @Test func episodeNeedsThePlayerLockAndAFileDoesNot() async throws {
    let id = try await subscribed()
    let file = try home.file("short.wav", Broadcast.silence(seconds: 1))
    guard case .held(let lock) = try PlayerLock.acquire(library: home.directories.database) else {
      Issue.record("somebody holds the player")
      return
    }
    let refused = try await earshot("play", "\(id)")
    #expect(refused.status == 69 && refused.stderr.contains("Another Earshot (process \(getpid())) is running"))
    #expect(try await earshot("play", file).status == 0)
    withExtendedLifetime(lock) {}
  }

  /// The player would overwrite the position and the status.
  @Test func episodeOpenInAPlayerCannotBeMarked() async throws {
    let id = try await subscribed()
    let child = try await playing("\(id)")
    for arguments in [["mark", "at", "\(id)", "4:00"], ["mark", "played", "\(id)"], ["mark", "all", "Shown"]] {
      let outcome = try await BuiltProgram.run(arguments, in: home)
      #expect(outcome.status == 69, "\(arguments)")
      #expect(outcome.stderr.contains("is open in the player (process \(child.id))"), "\(outcome.stderr)")
    }
    // A player that does not answer has not ended.
    kill(child.id, SIGSTOP)
    let silent = try await earshot("mark", "played", "\(id)")
    #expect(silent.status == 69 && silent.stderr.contains("does not answer (process \(child.id))"), "\(silent.stderr)")
    kill(child.id, SIGCONT)
    #expect(try row(id).status == .playing)
    kill(child.id, SIGTERM)
    _ = try await child.status()
    #expect(try await earshot("mark", "at", "\(id)", "4:00").status == 0)
  }

  @Test func pendingSeekAtQuitIsThePosition() async throws {
    broadcast.withholdSecondHalf()
    let id = try await subscribed()
    let child = try await playing("\(id)")
    #expect(try await earshot("ctl", "seek", "4:00").status == 0)
    try await reaches(child) { $0["position"] as? Double == 240 }
    kill(child.id, SIGTERM)
    #expect(try await child.status() == 128 + SIGTERM)
    #expect(try row(id).position == 240)
  }

  @Test func missingDownloadIsStreamedAndReported() async throws {
    let id = try await subscribed()
    #expect(try await earshot("download", "\(id)").status == 0)
    let files = FileManager.default
    for file in try files.subpathsOfDirectory(atPath: home.directories.downloads) where file.hasSuffix(".wav") {
      try files.removeItem(atPath: home.directories.downloads + "/" + file)
    }
    let outcome = try await earshot("play", "\(id)", "--start", "4:59")
    #expect(outcome.status == 0 && outcome.stderr.contains("is gone: it is streamed"), "\(outcome.stderr)")
  }

  @Test func cutDownloadIsStreamedAndReported() async throws {
    let id = try await subscribed()
    #expect(try await earshot("download", "\(id)").status == 0)
    let name = try #require(try home.library { try $0.episode(id)?.fileName })
    let path = home.directories.downloads + "/" + name
    #expect(try await !earshot("doctor").text.contains("instead of"))
    #expect(truncate(path, 1000) == 0)
    let outcome = try await earshot("play", "\(id)", "--start", "4:59")
    #expect(outcome.status == 0 && outcome.stderr.contains("has 1.0 kB instead of"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("it is streamed"), "\(outcome.stderr)")
    let report = try await earshot("doctor").text
    #expect(report.contains("\(name) has 1.0 kB instead of") && report.contains("earshot download \(id)"), "\(report)")
    #expect(try await earshot("downloads").text.contains("(the file has 1.0 kB instead of"))
    #expect(try await earshot("download", "\(id)").text.contains(path))
    #expect(try await !earshot("downloads").text.contains("(the file"))
  }

  @Test func streamedPartsAreNotFetchedAgain() async throws {
    let id = try await subscribed()
    let child = try await playing("\(id)")
    #expect(try await earshot("ctl", "stop").status == 0)
    #expect(try await child.status() == 0)
    let streamed = broadcast.server.requests(to: "/1.wav").count
    #expect(try await earshot("download", "\(id)").status == 0)
    // The number of bytes before the stop is random. Those bytes are not requested again.
    #expect(broadcast.server.requests(to: "/1.wav").dropFirst(streamed).allSatisfy { ($0.byteRange?.first ?? 0) > 0 })
    let file = try #require(try await earshot("download", "\(id)").lines.first)
    let bytes = FileManager.default.contents(atPath: file).map { [UInt8]($0) }
    #expect(bytes == Broadcast.silence(seconds: Broadcast.duration))
  }

  /// The server sends neither a length nor ranges. Reading up to a chosen start is a jump, which can be undone.
  @Test func chosenStartOfAnUnseekableStreamIsAJump() async throws {
    let id = try await subscribed()
    let sound = Broadcast.silence(seconds: Broadcast.duration)
    broadcast.server.route("/1.wav", .bytes(sound, type: "audio/wav").chunked())
    try home.library { try $0.savePosition(id, seconds: 200, total: nil, now: Date()) }
    let child = try await playing("\(id)", "--start", "0:20")
    try await reaches(child) { ($0["position"] as? Double ?? 0) > 20.5 }
    #expect(try await earshot("ctl", "quit").status == 0)
    _ = try await child.status()
    let label = try home.library { try $0.undoPlan(.back)?.label }
    #expect(label?.hasPrefix("Jump from 3:20 to 0:20 in ") == true, "\(label ?? "no step")")
  }

  @Test(arguments: [500, 0]) func episodeWithAPasswordIsStreamed(cacheMegabytes: Int) async throws {
    try home.configure("stream_cache_mb = \(cacheMegabytes)\n")
    let sound = LoopbackServer.Resource(Broadcast.silence(seconds: 2), type: "audio/wav", etag: "\"s\"")
    broadcast.server.route("/1.wav") { request in
      request.basicCredentials == Array("ann:secret".utf8) ? sound.answer(request) : .unauthorized()
    }
    let id = try await subscribed()
    #expect(try await earshot("play", "\(id)").stderr.contains("the server refuses access (401)"))
    try home.library { library in
      let podcast = try #require(try library.podcasts().first { $0.feedURL == broadcast.feedURL })
      let origin = try #require(Origin(broadcast.feedURL))
      try library.addCredentials(Credentials(user: "ann", password: "secret", origin: origin), of: podcast.id)
    }
    let heard = try await earshot("play", "\(id)")
    #expect(heard.status == 0, "\(heard.stderr)")
    _ = try await earshot("clip", "add", "\(id)", "0:00", "1")
    let exported = try await earshot("clip", "export", "1", "\(home.path)/clip.wav", "--json")
    let seconds = try exported.object()["duration"] as? Double ?? 0
    #expect(abs(seconds - 1) < 0.1, "\(seconds) \(exported.stderr)")
    let agents = Set(broadcast.server.requests.map { $0.header("User-Agent") })
    #expect(agents == [Version.userAgent])
  }
}
