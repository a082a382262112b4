import Foundation
import Testing

@testable import TUIApp

#if os(Linux)
  /// The CPU time of the idle program.
  @Suite(.withTmux, InTerminal()) struct IdleTests {
    @Test func programSleepsWhenStoppedAndWhenPaused() async throws {
      let home = try TemporaryHome()
      let session = try await TmuxSession(home)
      try await session.waitFor("Playing and seeking")
      let process = try await session.processID()
      #expect(try await isIdle(process), "before the first sound")
      try await session.press("Enter")
      // mpv calls it "mpv/mpv core" or, since a newer version, "core".
      let isWarm = try await Eventually.until { try threads(process).contains { $0.hasSuffix("core") } }
      #expect(isWarm, "at an episode, the player gets ready")
      #expect(try await isIdle(process), "ready for sound")
      try await session.press("Enter")
      try await session.waitForBar("playing") { $0.phase == .playing && $0.elapsed >= 1 }
      try await session.press("Space")
      try await session.waitForBar("paused") { $0.phase == .paused }
      #expect(try await isIdle(process), "paused")
      try await session.quit()
    }

    /// Whether the program used no CPU time, and its main thread was not woken, for 1.5 s and in 20 checks. CPU time
    /// is counted in units of 10 ms. A program that polls ten times a second is detected by its wake-ups.
    private func isIdle(_ process: pid_t) async throws -> Bool {
      let clock = ContinuousClock()
      var last = (ticks: -1, wakes: -1)
      var quiet = (since: clock.now, checks: 0)
      return try await Eventually.until(every: 15) {
        let now = (ticks: try ticks(process), wakes: try wakes(process))
        quiet = now == last ? (quiet.since, quiet.checks + 1) : (clock.now, 0)
        last = now
        return quiet.checks >= 20 && quiet.since.duration(to: clock.now) >= .seconds(1.5)
      }
    }

    /// The names of its threads.
    private func threads(_ process: pid_t) throws -> [String] {
      let tasks = "/proc/\(process)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
        // A thread may end before its name is read.
        try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
      }
    }

    /// utime + stime of the whole process (proc(5)).
    private func ticks(_ process: pid_t) throws -> Int {
      let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      // The second field is the name, which may contain any characters. It ends with the last parenthesis.
      let fields = try #require(text.lastIndex(of: ")").map { text[$0...].split(separator: " ") })
      return try #require(Int(fields[12])) + #require(Int(fields[13]))
    }

    /// How often the main thread was woken.
    private func wakes(_ process: pid_t) throws -> Int {
      let text = try String(contentsOfFile: "/proc/\(process)/task/\(process)/status", encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") })
      return try #require(line.split(separator: "\t").last.flatMap { Int($0) })
    }
  }
#endif
