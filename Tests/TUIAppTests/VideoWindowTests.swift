import Foundation
import LoopbackSocket
import Model
import Programs
import Synchronization
import Testing

@testable import Desktop
@testable import Services
@testable import TUIApp

/// The window with a video, with a script as the player and a fake of mpv's JSON IPC.
@Suite(InTurn()) struct VideoWindowTests {
  private let home: TemporaryHome
  private let events = Events()

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    home = try TemporaryHome()
  }

  /// What the window has reported.
  private final class Events: Sendable {
    private let state = Mutex((reports: [VideoReport](), failures: [String]()))
    var reports: [VideoReport] { state.withLock { $0.reports } }
    var failures: [String] { state.withLock { $0.failures } }
    var isClosed: Bool { reports.contains { if case .closed = $0 { true } else { false } } }
    func add(_ report: VideoReport) { state.withLock { $0.reports.append(report) } }
    func add(_ failure: String) { state.withLock { $0.failures.append(failure) } }
  }

  /// Answers questions about properties, with an event of mpv before each answer.
  private final class FakeMpv: Sendable {
    let values = Mutex<[String: Double]>([:])

    func serve(_ path: String) throws {
      let listener = try UnixSocket.listen(path)
      Thread.detachNewThread { [self] in
        defer { close(listener) }
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        var buffered: [UInt8] = []
        while let line = UnixSocket.readLine(connection, &buffered),
          let request = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
          let id = request["request_id"] as? Int, let words = request["command"] as? [String]
        {
          let value = values.withLock { $0[words[1]] }
          let answer = value.map { "{\"data\":\($0),\"error\":\"success\",\"request_id\":\(id)}" }
          UnixSocket.writeLine(connection, #"{"event":"playback-restart"}"#.utf8)
          UnixSocket.writeLine(
            connection, (answer ?? "{\"error\":\"property unavailable\",\"request_id\":\(id)}").utf8)
        }
      }
    }
  }

  private func window(_ words: [String], environment: [String: String] = ["DISPLAY": ":7"]) -> VideoWindow {
    VideoWindow(words: words, home: home.path, environment: home.environment.merging(environment) { $1 }) {
      [events] in
      events.add($0)
    } fail: {
      [events] in
      events.add($0)
    }
  }

  private func script(_ text: String, name: String = "player") throws -> String {
    let file = try home.file(name, Array("#!/bin/sh\n\(text)\n".utf8))
    chmod(file, 0o700)
    return file
  }

  private let request = VideoWindow.Request(
    episode: EpisodeID(7), title: "-rf $(id)\u{1b}[2J", address: "https://a.example/v.mp4?a=$(id)&b", start: 93.25)

  private func contents(_ name: String) -> String? {
    try? String(contentsOfFile: home.path + "/" + name, encoding: .utf8)
  }

  @Test func placeComesBack() async throws {
    let program = try script(
      """
      printf '%s\\n' "$@" > \(home.path)/arguments.new && mv \(home.path)/arguments.new \(home.path)/arguments
      while [ ! -e \(home.path)/stop ]; do sleep 0.05; done
      """)
    let window = window([program, "--at={position}", "{url}", "{title}", "{ipc}"])
    window.open(request)
    try #require(try await Eventually.until { contents("arguments") != nil })
    let lines = try #require(contents("arguments")).split(separator: "\n").map(String.init)
    #expect(lines.prefix(2) == ["--at=93.25", "https://a.example/v.mp4?a=$(id)&b"])
    #expect(lines[2].hasPrefix(" -rf $(id)") && !lines[2].contains("\u{1b}"))
    let directory = (lines[3] as NSString).deletingLastPathComponent
    let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    let mpv = FakeMpv()
    mpv.values.withLock { $0 = ["time-pos": 93, "duration": 600] }
    try mpv.serve(lines[3])
    let id = request.episode
    #expect(try await Eventually.until { events.reports.contains(.position(id, 93, total: 600)) })
    mpv.values.withLock { $0["time-pos"] = 96 }
    #expect(try await Eventually.until { events.reports.contains(.position(id, 96, total: 600)) })
    window.open(request)
    #expect(events.failures == ["A window with a video is open already"])
    mpv.values.withLock { $0["time-pos"] = 300 }
    #expect(try await Eventually.until { events.reports.contains(.position(id, 300, total: 600)) })
    try home.file("stop", [])
    #expect(try await Eventually.until { events.isClosed })
    #expect(events.reports.first == .opened(id) && events.reports.last == .closed(id, 300, total: 600))
    #expect(events.reports.contains(.seen(id, from: 93, to: 96, total: 600)))
    #expect(try await Eventually.until { !FileManager.default.fileExists(atPath: directory) })
  }

  @Test func crashKeepsTheLastPlace() async throws {
    let loop = "while :; do sleep 0.05; done"
    let program = try script("echo $$ > \(home.path)/pid; echo \"$1\" > \(home.path)/socket; \(loop)")
    window([program, "{ipc}", "{url}"]).open(request)
    try #require(try await Eventually.until { contents("socket")?.hasSuffix("\n") == true })
    let mpv = FakeMpv()
    mpv.values.withLock { $0 = ["time-pos": 40] }
    try mpv.serve(try #require(contents("socket")).trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(try await Eventually.until { events.reports.contains(.position(request.episode, 40, total: nil)) })
    let id = contents("pid")?.trimmingCharacters(in: .whitespacesAndNewlines)
    kill(try #require(id.flatMap { pid_t($0) }), SIGKILL)
    #expect(try await Eventually.until { events.isClosed })
    #expect(events.reports.last == .closed(request.episode, 40, total: nil))
  }

  @Test func mpvGetsTheSocketAndNeedsADisplay() async throws {
    let program = try script("echo \"$@\" > \(home.path)/arguments; exit 2", name: "mpv")
    window([program, "{url}"], environment: ["DISPLAY": ""]).open(request)
    #expect(events.failures.count == 1 && events.failures[0].contains("no display"))
    #expect(contents("arguments") == nil && events.reports.isEmpty)
    window([program, "{url}"]).open(request)
    #expect(try await Eventually.until { events.isClosed })
    #expect(contents("arguments")?.hasPrefix("--input-ipc-server=/tmp/earshot-video-") == true)
    #expect(events.failures.count == 2 && events.reports.last == .closed(request.episode, nil, total: nil))
  }

  @Test func absentProgramIsTold() {
    window(["/no/such/player", "{url}"]).open(request)
    #expect(events.failures.count == 1 && events.failures[0].contains("[video] open"))
  }

  @Test func partsEndAtJumps() {
    let id = EpisodeID(1)
    var parts = SeenParts(episode: id, from: 60)
    #expect(
      parts.add(10, total: 100) == [.jumped(id, from: 60, to: 10), .position(id, 10, total: 100)],
      "the server sends it only from its beginning")
    for place in [11, 12.5, 12.5, 14] as [Double] { _ = parts.add(place, total: 100) }
    #expect(
      parts.add(50, total: 100) == [
        .seen(id, from: 10, to: 14, total: 100), .jumped(id, from: 14, to: 50), .position(id, 50, total: 100),
      ])
    #expect(parts.add(49, total: nil) == [.position(id, 49, total: 100)], "less than a second was seen there")
    #expect(parts.finish() == [.closed(id, 49, total: 100)])
  }

  @Test func videosAreFound() {
    var episode = FeedEpisode()
    #expect(episode.video == nil)
    (episode.mediaURL, episode.mediaType) = ("https://a.example/a.mp3", "audio/mpeg")
    #expect(episode.video == nil)
    episode.alternateEnclosures = [AlternateEnclosure(type: "video/mp4", sources: ["https://a.example/a.mp4"])]
    #expect(episode.video?.url == "https://a.example/a.mp4")
    (episode.mediaURL, episode.mediaType) = ("https://www.youtube.com/v/abcdefghijk?version=3", nil)
    episode.link = "https://www.youtube.com/watch?v=abcdefghijk"
    #expect(episode.video?.url == "https://www.youtube.com/watch?v=abcdefghijk")
  }

  @Test func commandIsChecked() {
    func problem(_ text: String) -> String? {
      var configuration = Configuration(directories: home.directories)
      configuration.read("[video]\nopen = \(text)\n", file: "config.toml")
      return configuration.problems.first?.text
    }
    #expect(problem(#""mpv {url}""#) == nil && problem(#"["mpv", "{url}", "{position}"]"#) == nil)
    #expect(problem(#""mpv""#)?.contains("must contain {url}") == true)
    #expect(problem(#""mpv {url} {nothing}""#)?.contains("there is no {nothing}") == true)
    #expect(problem(#""mpv {url} | cat""#)?.contains("no shell") == true && problem("7") != nil)
  }
}
