import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// `earshot download` and `earshot downloads`, each in a separate process.
@Suite(InTurn()) struct DownloadVerbTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast

  init() throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Files")
  }

  /// Subscribes and returns the numbers of the episodes, newest first.
  private func subscribed() async throws -> [String] {
    _ = try await earshot("add", broadcast.feedURL)
    let episodes = try await earshot("episodes", broadcast.feedURL, "--json").objects()
    return try episodes.map { String(try #require($0["id"] as? Int)) }
  }

  @Test func downloadIsFetchedListedAndRemoved() async throws {
    let ids = try await subscribed()
    let fetched = try await earshot("download", ids[1], "--json")
    #expect(fetched.status == 0 && fetched.stderr.isEmpty)
    let file = try #require(try fetched.objects().first?["path"] as? String)
    let name = "Files/2026-11-08 Second hour.wav"
    #expect(file == "\(home.directories.downloads)/\(name)")
    let sound = Broadcast.silence(seconds: Broadcast.duration)
    #expect(FileManager.default.contents(atPath: file).map { [UInt8]($0) } == sound)
    #expect(try await earshot("download", ids[1]).lines == [file], "again: nothing to do")
    #expect(broadcast.server.requests(to: "/2.wav").count == 1)

    let listed = try await earshot("downloads", "--json").objects()
    #expect(listed.map { $0["downloadComplete"] as? Bool } == [true])
    #expect(listed.map { $0["bytes"] as? Int } == [sound.count])
    #expect(listed.map { $0["path"] as? String } == [file])
    let episodes = try await earshot("episodes", broadcast.feedURL, "--json").objects()
    let names = (try fetched.objects() + listed + episodes).compactMap { $0["fileName"] as? String }
    #expect(names == [name, name, name])
    let removed = try await earshot("downloads", "--remove", ids[1])
    #expect(removed.status == 0 && removed.stdout.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  /// The rule of a podcast wins, and it takes effect at once, as in the player.
  @Test func downloadRulesOfThePodcastWin() async throws {
    try home.configure("[downloads]\nkeep = 1\ndelete_played = true\n")
    let ids = try await subscribed()
    func listed() async throws -> Set<String> {
      Set(try await earshot("downloads", "--json").objects().map { String(try #require($0["id"] as? Int)) })
    }
    #expect(try await earshot("settings", "Files", "keep-downloads", "9").status == 0)
    #expect(try await earshot("settings", "Files", "auto-download", "2").status == 0)
    #expect(try await earshot("download", "--all").status == 0)
    #expect(try await listed() == Set(ids.prefix(2)))
    #expect(try await earshot("download", ids[0], ids[1]).status == 0)
    #expect(try await listed() == Set(ids.prefix(2)))
    #expect(try await earshot("settings", "Files", "keep-downloads", "1").status == 0)
    #expect(try await listed() == [ids[0]])
    #expect(try await earshot("mark", "played", ids[0]).status == 0)
    #expect(try await listed() == [])
  }

  @Test func killedDownloadResumes() async throws {
    let ids = try await subscribed()
    let sound = Broadcast.silence(seconds: Broadcast.duration)
    let resource = LoopbackServer.Resource(sound, type: "audio/wav", etag: "\"silence\"")
    broadcast.server.route("/1.wav") { request in
      let answer = resource.answer(request)
      return request.byteRange == nil ? answer.dripping(bytes: 20_000, everyMilliseconds: 1000) : answer
    }
    let child = try ChildProcess(
      BuiltProgram.path(), ["download", ids[0]], environment: home.environment, input: "/dev/null",
      output: "\(home.path)/out", errors: "\(home.path)/err")
    let part = "\(home.directories.downloads)/Files/2026-11-09 流動的資金盛宴.wav.part"
    #expect(
      try await Eventually.until { (try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int) ?? 0 > 0 })
    kill(child.id, SIGKILL)
    #expect(try await child.status() == -SIGKILL)
    #expect(try await earshot("downloads", "--json").objects().map { $0["downloadComplete"] as? Bool } == [false])

    let all = try await earshot("download", "--all", "--json")
    #expect(all.status == 0)
    let file = try #require(try all.objects().first?["path"] as? String)
    #expect(FileManager.default.contents(atPath: file).map { [UInt8]($0) } == sound)
    #expect((broadcast.server.requests(to: "/1.wav").last?.byteRange?.first ?? 0) > 0)
  }

  @Test func failuresHaveTheirExitStatus() async throws {
    let ids = try await subscribed()
    broadcast.server.route("/1.wav", .status(404))
    let missing = try await earshot("download", ids[0], "--json")
    #expect(missing.status == 69)
    #expect(missing.stderr.contains("the server does not have the file (404)"))
    #expect(try missing.objects().first?["error"] as? String != nil)
    // The reason stays.
    let reason = "the server does not have the file (404)"
    #expect(try await earshot("downloads").text.contains("failed: \(reason)"))
    #expect(try await earshot("downloads", "--json").objects().first?["error"] as? String == reason)
    let again = try await earshot("download", "--all")
    #expect(again.status == 69 && again.stderr.contains(reason))
    broadcast.server.route("/2.wav", .text("<html>log in</html>", type: "text/html"))
    #expect(try await earshot("download", ids[1]).status == 65)
    try home.configure("[downloads]\nreserve_mb = 1000000\n")
    let full = try await earshot("download", ids[2])
    #expect(full.status == 74 && full.stderr.contains("not enough space"))
    #expect(try await earshot("download", "999").status == 65)
    #expect(try await earshot("download").status == 64)
  }

  @Test func invalidSettingsAreReported() async throws {
    try home.configure("[downloads]\nat_once = 99\ntemplate = \"{nonsense}\"\nfly = true\n")
    let outcome = try await earshot("downloads")
    #expect(outcome.status == 78)
    for text in ["config.toml:2", "from 1 to 16", "there is no {nonsense}", "fly: there is no setting"] {
      #expect(outcome.stderr.contains(text), "\(text)")
    }
  }
}
