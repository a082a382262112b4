import Foundation
import GRDB
import LoopbackServer
import Model
import Testing

@testable import Desktop
@testable import Store
@testable import TUIApp

/// `earshot play`, and `earshot ctl`, which controls it.
@Suite(InTurn()) struct PlayVerbTests: ProgramTesting {
  let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  private func sound() throws -> String { try home.file("sound.wav", Broadcast.silence(seconds: 300)) }

  @Test func signalSavesThePosition() async throws {
    let file = try sound()
    let child = try await playing(file, "--start", "1:40")
    try await reaches(child) { ($0["position"] as? Double ?? 0) > 100 }
    kill(child.id, SIGTERM)
    #expect(try await child.status() == 128 + SIGTERM)
    let said = try String(contentsOfFile: "\(home.path)/out", encoding: .utf8).split(separator: "\n")
    #expect(said.count > 1, "a line for each change")
    let again = try await playing(file)
    try await reaches(again) { (100...300).contains($0["position"] as? Double ?? 0) }
    #expect(try await earshot("ctl", "stop").status == 0)
    #expect(try await again.status() == 0)
    let remains = try FileManager.default.contentsOfDirectory(atPath: home.directories.state + "/run")
    #expect(remains == [], "no socket stays")
  }

  @Test func ctlControlsPlayback() async throws {
    let child = try await playing(try sound())
    // Paused, so that only the commands change the position.
    #expect(try await earshot("ctl", "pause").status == 0)
    try await reaches(child) { $0["status"] as? String == "paused" }
    #expect(try await earshot("ctl", "seek", "2:00").status == 0)
    try await reaches(child) { $0["position"] as? Double == 120 }
    #expect(try await earshot("ctl", "seek", "-100").status == 0)
    try await reaches(child) { $0["position"] as? Double == 20 }
    #expect(try await earshot("ctl", "seek", "--", "+20").status == 0)
    try await reaches(child) { $0["position"] as? Double == 40 }
    #expect(try await earshot("ctl", "play").status == 0)
    try await reaches(child) { $0["status"] as? String == "playing" }
    #expect(try await earshot("ctl", "speed", "2").status == 0)
    #expect(try await earshot("ctl", "volume", "50").status == 0)
    try await reaches(child) { $0["speed"] as? Double == 2 && $0["volume"] as? Double == 50 }
    #expect(try await earshot("ctl", "pause").status == 0)
    try await reaches(child) { $0["status"] as? String == "paused" }
    #expect(try await earshot("ctl", "sleep", "chapter").status == 65, "it has no chapters")
    #expect(try await earshot("ctl", "sleep", "episode").status == 0)
    let line = try await earshot("ctl", "status", "--format", "{icon} {title} {duration} {speed} {sleep}")
    #expect(line.text == "Ⅱ sound.wav 5:00 2× end of episode\n")
    #expect(try await earshot("ctl", "sleep", "off").status == 0)
    try await reaches(child) { $0["sleepsAfter"] == nil && $0["sleep"] == nil }
    #expect(try await earshot("ctl", "toggle").status == 0)
    try await reaches(child) { $0["status"] as? String == "playing" }
    #expect(try await earshot("ctl", "quit").status == 0)
    #expect(try await child.status() == 0)
  }

  @Test func ctlWithoutAPlayerFails() async throws {
    let outcome = try await earshot("ctl", "pause")
    #expect(outcome.status == 69 && outcome.stderr.contains("no Earshot is playing"))
    #expect(try await earshot("ctl", "status", "--json").status == 69)
    let bar = try await earshot("ctl", "status", "--tmux")
    #expect(bar.status == 0 && bar.stdout.isEmpty && bar.stderr.isEmpty)
    for wrong in [["seek"], ["seek", "soon"], ["pause", "now"], ["speed", "9"], ["fly"], ["status", "--nonsense"]] {
      #expect(try await BuiltProgram.run(["ctl"] + wrong, in: home).status == 64, "\(wrong)")
    }
    #expect(try await earshot("ctl", "status", "--format", "{x}").status == 64)
    let (speed, volume) = (try await earshot("ctl", "speed", "fast"), try await earshot("ctl", "volume"))
    #expect(speed.stderr.contains("“fast” is not a speed: write a number from 0.5 to 4, such as 1.5"))
    #expect(volume.stderr.contains("earshot ctl volume 80"))
    #expect(try await earshot("ctl", "volume", "+10").status == 64)
  }

  @Test func episodePlaysToItsEndAndIsMarkedPlayed() async throws {
    let broadcast = try Broadcast("Short")
    let short = LoopbackServer.Resource(Broadcast.silence(seconds: 2), type: "audio/wav", etag: "\"s\"")
    broadcast.server.route("/1.wav", short.answer)
    _ = try await earshot("add", broadcast.feedURL)
    let episodes = try await earshot("episodes", broadcast.feedURL, "--json").objects()
    let id = try #require(episodes.first?["id"] as? Int)
    let outcome = try await earshot("play", "\(id)")
    #expect(outcome.status == 0 && outcome.stdout.isEmpty, "\(outcome.stderr)")
    let row = try home.library { try $0.episodeRows([EpisodeID(Int64(id))]).first }
    #expect(row?.status == .played)
    let kinds = try home.library { try $0.events(limit: 9).map(\.event.kind) }
    #expect(kinds.contains(.start) && kinds.contains { if case .play = $0 { true } else { false } })
  }

  /// As in the full-screen player. The next episode is the same one, and keeps its file until it has been heard again.
  @Test(arguments: [1, 2]) func playedDownloadIsDeletedByTheRule(times: Int) async throws {
    try home.configure("[downloads]\ndelete_played = true\n")
    let broadcast = try Broadcast("Short")
    let short = LoopbackServer.Resource(Broadcast.silence(seconds: 1), type: "audio/wav", etag: "\"s\"")
    broadcast.server.route("/1.wav", short.answer)
    broadcast.server.route("/2.wav", short.answer)
    _ = try await earshot("add", broadcast.feedURL)
    let ids = try await earshot("episodes", broadcast.feedURL, "--json").objects().compactMap { $0["id"] as? Int }
    #expect(try await earshot("download", "\(ids[0])", "\(ids[1])").status == 0)
    let outcome = try await BuiltProgram.run(["play"] + Array(repeating: "\(ids[0])", count: times), in: home)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(try await earshot("downloads", "--json").objects().map { $0["id"] as? Int } == [ids[1]])
    #expect(broadcast.server.requests(to: "/1.wav").count == 1, "the second time, the file was played")
  }

  /// The files play one after the other. A file that cannot be played is skipped, and the exit status reports it.
  @Test func severalFilesPlayAndABadOneIsSkipped() async throws {
    let broadcast = try Broadcast("Short")
    for number in [1, 2] {
      let short = LoopbackServer.Resource(Broadcast.silence(seconds: 2), type: "audio/wav", etag: "\"s\(number)\"")
      broadcast.server.route("/\(number).wav", short.answer)
    }
    broadcast.server.route("/absent.mp3", .status(404))
    _ = try await earshot("add", broadcast.feedURL)
    let ids = try await earshot("episodes", broadcast.feedURL, "--json").objects().compactMap { $0["id"] as? Int }
    let file = try home.file("short.wav", Broadcast.silence(seconds: 1))
    let outcome = try await earshot(
      "play", "\(ids[0])", "/no/such/file", broadcast.server.url("/absent.mp3"), file, "\(ids[1])", "--json")
    #expect(outcome.status == 65, "of the first that failed")
    #expect(outcome.stderr.contains("/no/such/file") && outcome.stderr.contains("absent.mp3: the server does not have"))
    let titles = outcome.text.split(separator: "\n").compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["title"] as? String
    }
    var order: [String] = []
    for title in titles where order.last != title { order.append(title) }
    #expect(order.count == 4 && order[1...2] == ["absent.mp3", "short.wav"], "\(order)")
    let rows = try home.library { try $0.episodeRows(ids.prefix(2).map { EpisodeID(Int64($0)) }) }
    #expect(rows.count == 2 && rows.allSatisfy { $0.status == .played })
  }

  @Test func pausedEpisodeContinuesWhereAnotherDeviceStopped() async throws {
    let broadcast = try Broadcast("Elsewhere")
    _ = try await earshot("add", broadcast.feedURL)
    let ids = try await earshot("episodes", broadcast.feedURL, "--json").objects().compactMap { $0["id"] as? Int }
    let child = try await playing("\(ids[0])")
    #expect(try await earshot("ctl", "pause").status == 0)
    try await reaches(child) { $0["status"] as? String == "paused" }
    try hearOnAnotherDevice(ids[0], to: 200)
    #expect(try await earshot("ctl", "play").status == 0)
    try await reaches(child) { $0["status"] as? String == "playing" && $0["position"] as? Double ?? 0 >= 200 }
    #expect(try await earshot("ctl", "stop").status == 0)
    #expect(try await child.status() == 0)
  }

  /// `^Z` and `fg` of a shell.
  @Test func stoppedProcessContinuesWhereAnotherDeviceStopped() async throws {
    let broadcast = try Broadcast("Elsewhere")
    _ = try await earshot("add", broadcast.feedURL)
    let ids = try await earshot("episodes", broadcast.feedURL, "--json").objects().compactMap { $0["id"] as? Int }
    let child = try await playing("\(ids[0])")
    try await reaches(child) { $0["position"] as? Double ?? 0 >= 1 }
    kill(child.id, SIGTSTP)
    let isStopped = try await Eventually.until {
      try String(contentsOfFile: "/proc/\(child.id)/stat", encoding: .utf8).contains(") T ")
    }
    #expect(isStopped)
    try hearOnAnotherDevice(ids[0], to: 200)
    kill(child.id, SIGCONT)
    try await reaches(child) { $0["status"] as? String == "playing" && $0["position"] as? Double ?? 0 >= 200 }
    #expect(try await earshot("ctl", "stop").status == 0)
    #expect(try await child.status() == 0)
    #expect(try home.library { try $0.episode(EpisodeID(Int64(ids[0])))?.row.position } ?? 0 >= 200)
  }

  /// As `earshot sync` stores it.
  private func hearOnAnotherDevice(_ id: Int, to second: Double) throws {
    try home.library {
      try $0.write { db in
        let now = Date().seconds
        try db.execute(
          sql: "UPDATE episode SET position = ?1, positionUpdated = ?2, statusUpdated = ?2 WHERE id = ?3",
          arguments: [second, now, id])
        let event = ListeningEvent(
          episode: EpisodeID(Int64(id)), kind: .play(from: 0, to: second, total: 300),
          timestamp: Date(timeIntervalSince1970: now))
        try Library.insert(db, event, deviceID: "phone", sent: true)
      }
    }
  }

  @Test func nextPlaysTheNextFileAndStopEnds() async throws {
    let long = try sound()
    let other = try home.file("other.wav", Broadcast.silence(seconds: 300))
    let child = try await playing(long, other)
    #expect(try await earshot("ctl", "speed", "2").status == 0)
    #expect(try await earshot("ctl", "next").status == 0)
    // A file that is stopped before it is heard has no place to keep.
    try await reaches(child) {
      $0["title"] as? String == "other.wav" && $0["status"] as? String == "playing" && $0["speed"] as? Double == 2
    }
    #expect(try await earshot("ctl", "stop").status == 0)
    #expect(try await child.status() == 0)
    #expect(try home.library { try $0.settings().keys.count { $0.hasPrefix("place:") } } == 2, "each keeps its place")
  }

  @Test func startOfAMissingFileIsNotThatOfTheNext() async throws {
    let child = try await playing("/no/such/file", try sound(), "--start", "1:40")
    try await reaches(child) { $0["position"] as? Double ?? 100 < 100 }
    #expect(try await earshot("ctl", "stop").status == 0)
    #expect(try await child.status() == 65)
  }

  /// The podcast's own speed, or the one of the command line.
  @Test(arguments: [true, false]) func changedSpeedHoldsForTheNextEpisode(isOwn: Bool) async throws {
    let broadcast = try Broadcast("Fast")
    _ = try await earshot("add", broadcast.feedURL)
    let episodes = try await earshot("episodes", broadcast.feedURL, "--json").objects()
    let ids = episodes.compactMap { $0["id"] as? Int }
    let child: ChildProcess
    if isOwn {
      #expect(try await earshot("settings", broadcast.feedURL, "speed", "1.5").status == 0)
      child = try await playing("\(ids[0])", "\(ids[1])")
    } else {
      child = try await playing("\(ids[0])", "\(ids[1])", "--speed", "1.5")
    }
    try await reaches(child) { $0["speed"] as? Double == 1.5 }
    #expect(try await earshot("ctl", "speed", "2").status == 0)
    #expect(try await earshot("ctl", "next").status == 0)
    let title = try #require(episodes[1]["title"] as? String)
    try await reaches(child) {
      $0["title"] as? String == title && $0["status"] as? String == "playing" && $0["speed"] as? Double == 2
    }
    #expect(try await earshot("ctl", "stop").status == 0)
    #expect(try await child.status() == 0)
  }

  @Test func quitOfTheIPCSocketEndsPlayback() async throws {
    let (file, other) = (try sound(), try home.file("other.wav", Broadcast.silence(seconds: 300)))
    let socket = "\(home.path)/ipc"
    let child = try await playing(file, other, "--start", "1:40", "--ipc", socket)
    guard case .open(let descriptor) = UnixSocket.connect(socket, timeout: 60) else {
      Issue.record("mpv does not listen on \(socket)")
      return
    }
    defer { close(descriptor) }
    #expect(UnixSocket.writeLine(descriptor, #"{"command":["quit"]}"#.utf8))
    #expect(try await child.status() == 0)
    let places = try home.library { try $0.settings().filter { $0.key.hasPrefix("place:") } }
    #expect(places.count == 1 && places.first?.value.hasPrefix("1") == true, "\(places)")
  }

  /// The exit status that ends a loop of the shell.
  @Test func interruptIsReported() async throws {
    let child = try await playing(try sound())
    kill(child.id, SIGINT)
    #expect(try await child.status() == 128 + SIGINT)
  }

  @Test func samplesCanBeWrittenToStandardOutput() async throws {
    let file = try sound()
    let raw = "\(home.path)/raw"
    let outcome = try await earshot("play", file, "--start", "4:50", "--pcm", raw)
    #expect(outcome.status == 0 && outcome.stdout.isEmpty, "\(outcome.stderr)")
    // 10 s of 4000 samples of 16 bits, in one channel or two.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
    #expect(
      [80_000, 160_000].contains { abs(bytes.count - $0) <= 16 } && bytes.allSatisfy { $0 == 0 }, "\(bytes.count)")
    #expect(try home.library { try $0.settings().keys.filter { $0.hasPrefix("place:") } } == [], "nobody listened")
    for wrong in [["--ao", "pcm"], ["--ao", "a b"], ["--ao", "null", "--pcm", raw]] {
      #expect(try await BuiltProgram.run(["play", file] + wrong, in: home).status == 64, "\(wrong)")
    }
  }

  @Test func liveStreamHasNoLengthAndNoEnd() async throws {
    let server = try LoopbackServer()
    // The response has no length and no end: the connection stays open.
    let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nConnection: close\r\n\r\n"
    server.route("/live.mp3", .raw([UInt8](head.utf8) + Broadcast.silentMP3(seconds: 120), closes: false))
    // The second time there is a stored position, but such a stream cannot be sought.
    for round in 1...2 {
      let child = try await playing(server.url("/live.mp3"))
      try await reaches(child) { $0["duration"] == nil && ($0["position"] as? Double ?? 0) >= 1 }
      kill(child.id, SIGTERM)
      #expect(try await child.status() == 128 + SIGTERM, "round \(round)")
    }
  }

  @Test func unplayableFilesAreReported() async throws {
    let none = try await earshot("play", "/no/such/file")
    #expect(none.status == 65 && none.stderr.contains("no such file"))
    let text = try home.file("text.txt", "not audio".utf8)
    let noise = try await earshot("play", text)
    #expect(noise.status == 65 && noise.stderr.contains("text.txt: "))
    let server = try LoopbackServer()
    let absent = try await earshot("play", server.url("/absent.mp3"))
    #expect(absent.status == 69 && absent.stderr.contains("absent.mp3: ") && absent.stderr.contains("404"))
    #expect(try await earshot("play", "edl://x").status == 65)
    #expect(try await earshot("play", text, "--speed", "9").status == 64)
  }
}
