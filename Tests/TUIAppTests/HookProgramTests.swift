import Desktop
import Foundation
import Logging
import Model
import Synchronization
import Testing

@testable import Services

/// Scripts that record, hang, fail, fork, flood and print escape sequences, run as hooks.
@Suite(InTurn()) struct HookProgramTests {
  private let home: TemporaryHome

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    home = try TemporaryHome()
  }

  /// The lines of the log.
  private final class Lines: LogHandler, @unchecked Sendable {
    // Unchecked, because the mutex protects the lines and the rest is never changed.
    let lines = Mutex<[String]>([])
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { nil }
      set {}
    }
    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
    var all: [String] { lines.withLock { $0 } }
  }

  private let log = Lines()

  /// Runs a script as a hook.
  /// - Returns: why it failed.
  private func run(_ script: String, _ words: [String] = [], timeLimit: Double = 300) async throws -> String? {
    let file = try home.file("hook.sh", Array("#!/bin/sh\n\(script)\n".utf8))
    chmod(file, 0o700)
    var event = WatchEvent(.finished)
    event.episode = .init(id: EpisodeID(7), title: "-rf $(touch pwned) \"; rm -rf ~ #\n\u{1b}[2J", podcast: "`id`")
    let hook = try Hook(.finished, [file] + words)
    let handler = log
    var program = HookProgram(
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home.path, "EARSHOT_PASSWORD": "secret"],
      log: Logger(label: "test", factory: { _ in handler }))
    program.timeLimit = timeLimit
    program.grace = 0.2
    let job = HookRunner.Job(
      program: hook.program, arguments: hook.arguments(event), input: try JSONFormat().bytes(of: event) + [10],
      environment: ["EARSHOT_EVENT": "finished"])
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { [program] in continuation.resume(returning: program.run(job)) }
    }
  }

  @Test func scriptGetsArgumentsInputAndEvent() async throws {
    let out = home.path + "/out"
    #expect(
      try await run(
        "printf '%s|' \"$EARSHOT_EVENT\" \"$EARSHOT_PASSWORD\" \"$@\" > \(out); cat >> \(out)", ["{title}", "{id}"])
        == nil)
    let text = try String(contentsOfFile: out, encoding: .utf8)
    #expect(text.hasPrefix("finished|| -rf $(touch pwned) \"; rm -rf ~ #  [2J|7|{"))
    #expect(text.hasSuffix("}\n") && text.contains("\"podcast\":\"`id`\""))
    #expect(!FileManager.default.fileExists(atPath: home.path + "/pwned"))
  }

  @Test func failingScriptIsReported() async throws {
    #expect(try await run("exit 3") == "exit status 3")
    #expect(try await run("kill -9 $$") == "signal 9 ended it")
  }

  @Test func hangingScriptIsEnded() async throws {
    #expect(
      try await run("trap '' TERM; while :; do sleep 1; done", timeLimit: 0.3)
        == "it took too long and was ended")
  }

  /// Nothing of the script's group is left when the hook has ended.
  @Test func forkingScriptLeavesNothing() async throws {
    let pids = home.path + "/pids"
    #expect(
      try await run("for i in 1 2 3; do sleep 1000 & echo $! >> \(pids); done; exit 0") == nil)
    for pid in try String(contentsOfFile: pids, encoding: .utf8).split(separator: "\n").compactMap({ Int32($0) }) {
      // A zombie of another parent may still have its number.
      #expect(try await Eventually.until { kill(pid, 0) != 0 || ProcessState.isZombie(pid) })
    }
  }

  @Test func floodIsCutAndEscapesAreRemoved() async throws {
    #expect(try await run("printf '\\033]0;x\\007\\033[2J\\n'; yes 'a line' | head -n 100000") == nil)
    #expect(log.all.count == 51)
    #expect(log.all.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } })
    #expect(log.all.last == "hook finished: 99951 more lines are left out")
  }

  @Test func missingProgramIsNamed() async throws {
    let program = HookProgram(environment: ["PATH": "/nowhere"], log: Logger(label: "test"))
    let job = HookRunner.Job(program: "no-such-hook", arguments: [], input: [], environment: [:])
    #expect(program.run(job) == "there is no such program")
  }
}

/// What the system says about a process.
private enum ProcessState {
  static func isZombie(_ pid: Int32) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    return text.split(separator: ")").last?.split(separator: " ").first == "Z"
  }
}
