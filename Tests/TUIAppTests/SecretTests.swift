import AppCore
import Foundation
import LoopbackServer
import Model
import Store
import Synchronization
import Testing

@testable import TUIApp

/// The built program neither prints passwords nor writes them to files that others can read.
@Suite(InTurn()) struct SecretTests: ProgramTesting {
  let home: TemporaryHome
  private let server: LoopbackServer

  init() throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    let base = "http://bob:sesame1@127.0.0.1:\(server.port)"
    let feed = """
      <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Paid</title>
      <link>\(base)/?token=sesame2</link>
      <item><title>One</title><guid>\(base)/1.wav</guid><link>\(base)/one</link>
      <enclosure url="\(base)/1.wav?auth=sesame3" type="audio/wav" length="10"/>
      <podcast:chapters url="\(base)/c.json?key=sesame4" type="application/json"/>
      <podcast:transcript url="\(base)/t.vtt" type="text/vtt"/></item></channel></rss>
      """
    server.route("/f") { request in
      request.basicCredentials == Array("alice:sesame5".utf8) ? .text(feed, type: "text/xml") : .unauthorized()
    }
    server.route(
      "/1.wav", LoopbackServer.Resource(Broadcast.silence(seconds: Broadcast.duration), type: "audio/wav").answer)
    server.route("/c.json", .status(500))
  }

  private var url: String { server.url("/f?auth=sesame6") }

  private func add() async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run(
      ["add", "--user", "alice", url], in: home, environment: ["EARSHOT_PASSWORD": "sesame5"])
  }

  @Test func passwordArgumentIsRefused() async throws {
    let refused = try await earshot("add", url)
    #expect(refused.status == 69 && refused.stderr.contains("earshot add --user NAME URL"))
    #expect(try await add().status == 0)
    let piped = try await BuiltProgram.run(
      ["add", "--user", "alice", url], in: home, input: Data("sesame5\nrest".utf8))
    #expect(piped.status == 0 && piped.text.contains("Known already"))
    let wrong = try await BuiltProgram.run(["add", "--user", "alice", url], in: home, input: Data("wrong\n".utf8))
    #expect(wrong.status == 69 && wrong.stderr.contains("does not accept this user name and password"))
    #expect(try await earshot("add", "--user", "alice", url, url).status == 64)
    #expect(try await earshot("refresh").status == 0)
    let typed = try await earshot("add", "http://alice:sesame5@127.0.0.1:\(server.port)/f")
    #expect(typed.status == 0 && typed.stderr.contains("--user NAME"))
  }

  /// A change that fails is in the log.
  @Test func logNamesAChangeWithoutWhatTheListenerWrote() {
    #expect(EffectRunner.kind(of: Write.writeNote(.episode(EpisodeID(1)), "private")) == "writeNote")
    #expect(EffectRunner.kind(of: Write.undo) == "undo" && EffectRunner.kind(of: "downloads") == "downloads")
  }

  @Test func outputContainsNoSecrets() async throws {
    #expect(try await add().status == 0)
    let ids = try home.library { library in
      let podcast = try library.podcasts().first { $0.title == "Paid" }
      return try podcast.map { try library.episodeIDs(EpisodeQuery(.podcast($0.id))) } ?? []
    }
    let id = try #require(ids.first)
    let child = try await playing("\(id)")
    try await reaches(child) { $0["status"] as? String == "playing" }
    for arguments in [
      ["list"], ["list", "--json"], ["episodes", "--json"], ["ctl", "status", "--json"], ["ctl", "status"],
      ["search", "One", "--json"], ["refresh", "--json"],
      ["feed", "http://alice:sesame5@127.0.0.1:\(server.port)/f", "--json"],
      ["history", "--json"], ["queue", "--json"], ["doctor", "--json"],
      ["add", "http://x:sesame7@127.0.0.1:1/f?auth=sesame8"],
      ["add", "ftp://x:sesame7@host/f"], ["add", "http://x:sesame7@ho st/f"],
      ["remove", "http://x:sesame7@h/?auth=sesame8"],
      ["play", "http://x:sesame7@127.0.0.1:1/a.mp3"], ["export"], ["export", "--json"],
    ] {
      let outcome = try await BuiltProgram.run(arguments, in: home)
      let isFeed = arguments[0] == "feed" || arguments[0] == "export"
      // The JSON of a feed and an export keep the keys in addresses. Neither contains user names and passwords.
      let secrets = isFeed ? ["sesame1", "sesame5", "sesame7"] : ["sesame"]
      for secret in secrets {
        #expect(!(outcome.text + outcome.stderr).contains(secret), "\(arguments): \(outcome.text)\(outcome.stderr)")
      }
    }
    #expect(try await earshot("ctl", "quit").status == 0)
    _ = try await child.status()
    let log = FileManager.default.contents(atPath: home.directories.logFile) ?? Data()
    #expect(!String(decoding: log, as: UTF8.self).contains("sesame"))
    for name in ["out", "err"] {
      let said = FileManager.default.contents(atPath: "\(home.path)/\(name)") ?? Data()
      #expect(!String(decoding: said, as: UTF8.self).contains("sesame"))
    }
  }

  /// A terminal that shows the log must not obey it.
  @Test func logHasNoControlCharacters() throws {
    let directory = (home.directories.logFile as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    LogFile.logger(home.directories).warning("a\u{1B}[2J b\u{202E}c\n\nd")
    let log = try String(contentsOfFile: home.directories.logFile, encoding: .utf8)
    let unsafe = log.dropLast().unicodeScalars.filter { [.control, .format].contains($0.properties.generalCategory) }
    #expect(log.hasSuffix("d\n") && unsafe.isEmpty)
  }

  @Test func feedJSONAndExportKeepKeysInAddresses() async throws {
    #expect(try await add().status == 0)
    #expect(try await earshot("list", "--json", "--secrets").text.contains("auth=sesame6"))
    #expect(try await earshot("episodes", "--json", "--secrets").text.contains("bob:sesame1@"))
    let plain = try await earshot("export")
    #expect(plain.stderr.contains("private key") && plain.stderr.contains("--passwords"))
    #expect(plain.text.contains("auth=sesame6"))
    #expect(try await earshot("export", "--json").text.contains("auth=sesame6"))
    let whole = try await earshot("export", "--passwords")
    #expect(whole.text.contains("alice:sesame5@127.0.0.1"))
    #expect(try await earshot("export", "--json", "--passwords").text.contains("alice:sesame5@127.0.0.1"))
    // An import stores the keys for their server.
    let other = try TemporaryHome()
    let file = try other.file("all.opml", whole.stdout)
    #expect(try await BuiltProgram.run(["import", file], in: other).status == 0)
    #expect(try await BuiltProgram.run(["refresh"], in: other).status == 0)
    let rows = try other.library { try $0.podcasts().filter { $0.title == "Paid" } }
    #expect(rows.map(\.feedURL) == [url])
  }

  /// A list shows an address without its key. The podcast is still found by that address.
  @Test func addressWithoutItsKeyFindsThePodcast() async throws {
    #expect(try await add().status == 0)
    let shown = try #require(try await earshot("list", "--json").objects().first { $0["title"] as? String == "Paid" })
    #expect(try await earshot("remove", try #require(shown["feedURL"] as? String)).status == 0)
  }

  @Test func filesAreReadableOnlyByTheOwner() async throws {
    let directories = home.directories
    #expect(try await add().status == 0)
    #expect(try await earshot("backup").status == 0)
    #expect(try await earshot("export", "\(home.path)/list.opml").status == 0)
    func modes() throws -> [String: Int] {
      var modes: [String: Int] = [:]
      for root in [directories.data, directories.state, "\(home.path)/list.opml"] {
        let below = FileManager.default.enumerator(atPath: root)?.compactMap { "\(root)/\($0)" } ?? []
        for path in [root] + below {
          modes[path] = (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? -1
        }
      }
      return modes
    }
    #expect(try modes().count >= 5)
    #expect(try modes().filter { $0.value & 0o077 != 0 } == [:])
    #expect(try await earshot("doctor", "--json").text.contains("readable by you alone"))
    // The modes of files of an older version.
    for path in try modes().keys { chmod(path, path.contains(".") ? 0o644 : 0o755) }
    let found = try await earshot("doctor", "--json")
    #expect(found.text.contains("others can use"))
    #expect(try await earshot("list").status == 0)
    let after = try modes().filter { $0.value & 0o077 != 0 && !$0.key.hasSuffix("list.opml") }
    #expect(after == [:])
  }

  /// The arguments as ps(1) shows them, while the program waits for the server.
  @Test func argumentsAreOverwritten() async throws {
    #if os(Linux)
      // The server reads the arguments before it answers, because the program may have ended before this test
      // continues.
      let started = DispatchSemaphore(value: 0)
      let process = Mutex<Int32>(0)
      let seen = Mutex<Data?>(nil)
      server.route("/slow") { _ in
        started.wait()
        started.signal()
        let id = process.withLock { $0 }
        seen.withLock { $0 = $0 ?? FileManager.default.contents(atPath: "/proc/\(id)/cmdline") }
        return .status(404)
      }
      let files = try ["in", "out", "err"].map { try home.file("slow.\($0)", []) }
      let child = try ChildProcess(
        BuiltProgram.path(), ["add", "http://alice:sesame9@127.0.0.1:\(server.port)/slow?auth=sesame9"],
        environment: home.environment, input: files[0], output: files[1], errors: files[2])
      process.withLock { $0 = child.id }
      started.signal()
      _ = try await child.status()
      #expect(server.requests.first?.basicCredentials == Array("alice:sesame9".utf8))
      let line = try #require(seen.withLock { $0 })
      let text = String(decoding: line, as: UTF8.self)
      #expect(text.contains("/slow?auth=*******") && !text.contains("sesame"), "\(text)")
    #endif
  }
}

/// `earshot add` in a real terminal asks for the user name and the password if the server wants them.
@Suite(.withTmux, InTerminal()) struct AskedLoginTests {
  @Test func addAsksForTheLogin() async throws {
    let home = try TemporaryHome()
    let server = try LoopbackServer()
    server.route("/f") { request in
      request.basicCredentials == Array("alice:sesame5".utf8)
        ? .text("<rss><channel><title>Paid</title></channel></rss>", type: "text/xml") : .unauthorized()
    }
    let session = try await TmuxSession.shell(home)
    try await session.type("earshot add \(server.url("/f"))")
    try await session.press("Enter", shows: "User name for http://127.0.0.1:\(server.port):")
    try await session.type("alice")
    try await session.press("Enter", shows: "Password of alice:")
    try await session.type("sesame5")
    try await session.press("Enter")
    let screen = try await session.waitFor("Added Paid")
    #expect(!screen.contains("sesame"))
  }
}
