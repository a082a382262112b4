import ChildProcesses
import Foundation
import LoopbackServer
import Model
import TemporaryFiles
import Testing

@testable import TUIApp

/// Two devices with separate libraries, and a real server.
@Suite(
  InTurn(),
  .enabled(if: SyncServer.isInstalled, "gpodder-fastapi-router cannot be installed (scripts/sync-server install)"))
struct SyncServerTests {
  private let server: SyncServer
  private let here: TemporaryHome
  private let there: TemporaryHome
  private let podcasts: [Broadcast]

  init() async throws {
    server = try await SyncServer()
    here = try TemporaryHome()
    there = try TemporaryHome()
    podcasts = [try Broadcast("First"), try Broadcast("Second")]
  }

  private func run(
    _ arguments: [String], on home: TemporaryHome, password: String? = nil
  ) async throws
    -> BuiltProgram.Outcome
  {
    try await BuiltProgram.run(
      arguments, in: home, environment: password.map { ["EARSHOT_SYNC_PASSWORD": $0] } ?? [:])
  }

  private func logIn(_ home: TemporaryHome, device: String) async throws {
    let outcome = try await run(
      ["sync", "login", server.address, "--user", "listener", "--device", device], on: home, password: server.password)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(!outcome.text.contains(server.password) && !outcome.stderr.contains(server.password))
  }

  /// Feed addresses, and status and position by title of the episode.
  private func state(_ home: TemporaryHome) throws -> (feeds: Set<String>, episodes: [String: String]) {
    try home.library { library in
      let podcasts = try library.podcasts().filter { $0.feedURL.hasPrefix("http") }
      var episodes: [String: String] = [:]
      for podcast in podcasts {
        for row in try library.episodeRows(library.episodes(named: "one", withDeleted: true))
          + library.episodeRows(library.episodes(named: "two", withDeleted: true))
          + library.episodeRows(library.episodes(named: "three", withDeleted: true))
        where row.podcast == podcast.id {
          episodes["\(podcast.title)/\(row.title)"] = "\(row.status) \(row.position.rounded())"
        }
      }
      return (Set(podcasts.map(\.feedURL)), episodes)
    }
  }

  private func episode(_ title: String, of podcast: String, on home: TemporaryHome) throws -> String {
    try home.library { library in
      let id = try #require(try library.podcasts().first { $0.title == podcast }?.id)
      let rows = try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(id))))
      let row = try #require(rows.first { $0.title == title })
      return row.id.description
    }
  }

  @Test func twoDevicesReachTheSameState() async throws {
    _ = try await run(["add", podcasts[0].feedURL], on: here)
    _ = try await run(["add", podcasts[1].feedURL], on: there)
    _ = try await run(["mark", "at", episode("Second hour", of: "First", on: here), "1:33"], on: here)
    _ = try await run(["mark", "played", episode("Third hour", of: "Second", on: there)], on: there)
    try await logIn(here, device: "here")
    try await logIn(there, device: "there")
    for home in [here, there, here] { try await sync(home) }
    #expect(try state(here).feeds == Set(podcasts.map(\.feedURL)))
    #expect(try state(there).episodes["First/Second hour"] == "paused 93.0")
    #expect(try state(here).episodes["Second/Third hour"] == "played 0.0")
    #expect(try state(here).episodes == state(there).episodes)

    // Changes on both devices, with statuses that some servers do not store.
    _ = try await run(["mark", "deleted", episode("Second hour", of: "First", on: there)], on: there)
    _ = try await run(["mark", "new", episode("Third hour", of: "Second", on: here)], on: here)
    for home in [here, there, here] { try await sync(home) }
    #expect(try state(here).episodes["First/Second hour"] == "deleted 93.0")
    #expect(try state(there).episodes["Second/Third hour"] == "new 0.0")

    _ = try await run(["remove", podcasts[1].feedURL], on: there)
    for home in [there, here] { try await sync(home) }
    #expect(try state(here).feeds == [podcasts[0].feedURL])

    // The change is undone on this device, and so on both.
    _ = try await run(["undo"], on: here)
    for home in [here, there] { try await sync(home) }
    #expect(try state(there).feeds == Set(podcasts.map(\.feedURL)))
    let quiet = try await sync(here)
    #expect((quiet["pushed"] as? [String: Int])?.values.allSatisfy { $0 == 0 } == true)
    #expect(quiet["held"] as? Int == 0 && quiet["waiting"] as? Int == 0 && quiet["kind"] as? String == "gpodder")
  }

  @Test func loginReportsAWrongPasswordAndAMissingServer() async throws {
    let wrong = try await run(
      ["sync", "login", server.address, "--user", "listener"], on: here, password: "not-this-one")
    #expect(wrong.status == 77 && !wrong.stderr.contains("not-this-one"))
    #expect(try await run(["sync"], on: here).status == 78)
    let unnamed = try await run(["sync", "login", "folder:"], on: here)
    #expect(unnamed.status == 64 && unnamed.stderr.contains("“folder:” names no folder"))
    let nowhere = try await run(["sync", "login", "http://127.0.0.1:9", "--user", "x"], on: here, password: "p")
    #expect(nowhere.status == 69)
    let open = try await run(["sync", "login", "http://sync.example", "--user", "x"], on: here, password: "p")
    #expect(open.status == 78 && open.stderr.contains("https"))
    try await logIn(here, device: "here")
    let file = here.directories.data + "/sync-password"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    for name in try FileManager.default.subpathsOfDirectory(atPath: here.path) where !name.hasSuffix("sync-password") {
      let data = FileManager.default.contents(atPath: here.path + "/" + name) ?? Data()
      #expect(data.range(of: Data(server.password.utf8)) == nil, "\(name) holds the password")
    }
    #expect(try await run(["sync", "logout"], on: here).status == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}

/// Devices that sync through a folder.
@Suite(InTurn()) struct SyncFolderTests {
  private let here: TemporaryHome
  private let there: TemporaryHome

  init() throws { (here, there) = (try TemporaryHome(), try TemporaryHome()) }

  /// A new device gets the subscriptions first, and then the feeds with the episodes.
  @Test func countsIncludeEpisodesThatHaveComeInTheSameRun() async throws {
    let podcast = try Broadcast("First")
    _ = try await BuiltProgram.run(["add", podcast.feedURL], in: here)
    let episodes = try here.library { library in
      try library.episodeIDs(EpisodeQuery(.podcast(library.podcasts().first { $0.title == "First" }!.id)))
    }
    _ = try await BuiltProgram.run(["mark", "at", episodes[0].description, "1:33"], in: here)
    _ = try await BuiltProgram.run(["mark", "played", episodes[1].description], in: here)
    // A device that has never touched an episode has it as new, too.
    for status in ["played", "new"] {
      _ = try await BuiltProgram.run(["mark", status, episodes[2].description], in: here)
    }
    for home in [here, there] {
      let login = try await BuiltProgram.run(["sync", "login", "folder:\(here.path)/folder"], in: home)
      #expect(login.status == 0, "\(login.stderr)")
    }
    _ = try await sync(here)
    let first = try await sync(there)
    #expect((first["pulled"] as? [String: Int])?["episodes"] == 2)
    #expect(first["waiting"] as? Int == 0)
    #expect((try await sync(there)["pulled"] as? [String: Int])?["episodes"] == 0)
  }

  @Test func folderThatCannotBeMadeHasItsExitStatus() async throws {
    let file = try here.file("file", [])
    for (path, cause) in [(file, "it is not a folder"), (here.path + "/missing/folder", "is its disk mounted?")] {
      let outcome = try await BuiltProgram.run(["sync", "login", "folder:" + path], in: here)
      #expect(outcome.status == 73 && outcome.stderr.contains(cause), "\(path): \(outcome.stderr)")
    }
    #expect(!FileManager.default.fileExists(atPath: here.path + "/missing"))
    #expect(try await BuiltProgram.run(["sync"], in: here).status == 78)
  }
}

/// Syncs a device, and returns the answer.
@discardableResult
private func sync(_ home: TemporaryHome) async throws -> [String: Any] {
  let outcome = try await BuiltProgram.run(["sync", "--json"], in: home)
  #expect(outcome.status == 0, "\(outcome.stderr)")
  return try outcome.object()
}

/// A gpodder server for one test.
final class SyncServer: Sendable {
  let address: String
  let password = "correct horse battery"
  private let process: ChildProcess
  private let directory: TemporaryDirectory

  fileprivate static var script: String { SourceTree.root + "/scripts/sync-server" }

  /// The first test installs the server, in a virtual environment in `.build`.
  static let isInstalled: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: SyncServer.script)
    process.arguments = ["install"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.runToEnd()) == 0
  }()

  init() async throws {
    directory = try TemporaryDirectory()
    let output = directory.path + "/out"
    process = try ChildProcess(
      Self.script, ["serve", directory.path + "/server.db", "listener", password],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": directory.path],
      input: "/dev/null", output: output, errors: directory.path + "/errors")
    var address = ""
    _ = try await Eventually.until {
      let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
      address = text.hasSuffix("\n") ? text.trimmingCharacters(in: .whitespacesAndNewlines) : ""
      return !address.isEmpty
    }
    try #require(address.hasPrefix("http://127.0.0.1:"))
    self.address = address
  }

  deinit {
    kill(process.id, SIGKILL)
    var status: Int32 = 0
    waitpid(process.id, &status, 0)
  }
}
