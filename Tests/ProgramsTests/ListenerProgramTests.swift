import ChildProcesses
import Foundation
import Synchronization
import TemporaryFiles
import Testing

@testable import Programs

@Suite(.serialized) struct ListenerProgramTests {
  private let directory: TemporaryDirectory

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    directory = try TemporaryDirectory()
  }

  private func program(_ script: String, _ words: String...) -> ListenerProgram {
    var program = ListenerProgram(
      ["/bin/sh", "-c", script, "test"] + words, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    program.directory = directory.path
    program.grace = 0.2
    return program
  }

  @Test func outputErrorsAndStatusArrive() async throws {
    let lines = Mutex<[String]>([])
    let outcome = try await run(program("echo one; printf 'two\\rthree\\n\\n'; echo bad >&2; exit 3")) { stream, line in
      lines.withLock { $0.append(stream == .output ? line : "!" + line) }
    }
    #expect(outcome.ending == .exited(3))
    #expect(String(decoding: outcome.output, as: UTF8.self) == "one\ntwo\rthree\n\n")
    #expect(outcome.errors == Data("bad\n".utf8))
    #expect(outcome.peakBytes > 100_000)
    #expect(Set(lines.withLock { $0 }) == ["one", "two", "three", "!bad"])
  }

  @Test func argumentsAreNotReadByAShell() async throws {
    let outcome = try await run(program("printf '%s|' \"$@\"", "-rf", "$(id)", "a b; exit 1", "*"))
    #expect(String(decoding: outcome.output, as: UTF8.self) == "-rf|$(id)|a b; exit 1|*|")
  }

  @Test func inputIsGivenWhole() async throws {
    var program = program("wc -c")
    program.input = Data(repeating: 65, count: 3_000_000)
    let outcome = try await run(program)
    #expect(String(decoding: outcome.output, as: UTF8.self).contains("3000000"))
  }

  @Test func inputNeedNotBeRead() async throws {
    var program = program("exit 0")
    program.input = Data(repeating: 65, count: 3_000_000)
    #expect(try await run(program).ending == .exited(0))
  }

  @Test func muchOutputIsCut() async throws {
    var program = program("head -c 30000000 /dev/zero; echo; tail -c 2000000 /dev/zero >&2; printf end >&2")
    program.outputLimit = 1000
    let longest = Mutex(0)
    let outcome = try await run(program) { _, line in longest.withLock { $0 = max($0, line.utf8.count) } }
    #expect(outcome.output.count == 1000)
    #expect(outcome.errors.count <= 1000)
    #expect(longest.withLock { $0 } == ProgramOutput.lineLimit)
  }

  @Test func timeLimitEndsAProgramThatIgnoresTerm() async throws {
    var program = program("trap '' TERM; while :; do sleep 1; done")
    program.timeLimit = 0.3
    #expect(try await run(program).ending == .timedOut)
  }

  @Test func cancellationEndsIt() async throws {
    let cancellation = ProgramCancellation()
    let outcome = try await run(program("echo begun; sleep 1000"), cancellation) { _, _ in cancellation.cancel() }
    #expect(outcome.ending == .cancelled)
    let second = try await run(program("sleep 1000"), cancellation)
    #expect(second.ending == .cancelled)
  }

  @Test func checkEndsItWithAReason() async throws {
    let outcome = try await run(program("sleep 1000"), check: { "too large" })
    #expect(outcome.ending == .stopped("too large"))
  }

  @Test func signalIsReported() async throws {
    #expect(try await run(program("kill -9 $$")).ending == .signalled(9))
  }

  /// A child that stays is ended with the program, and does not delay its end by keeping the pipes open.
  @Test func childrenEndWithTheProgram() async throws {
    let outcome = try await run(program("sleep 1000 & echo $!"))
    #expect(outcome.ending == .exited(0))
    let child = try #require(pid_t(String(decoding: outcome.output, as: UTF8.self).trimmingCharacters(in: .newlines)))
    #expect(try await isGone(child))
  }

  /// A program may wait for all of its children. The guard is none of them.
  @Test func guardIsNoChildOfTheProgram() async throws {
    #if os(Linux)
      let outcome = try await run(program("sleep 1000 & cat /proc/$$/task/$$/children"))
      // Only `sleep` and `cat` themselves.
      #expect(String(decoding: outcome.output, as: UTF8.self).split(separator: " ").count == 2)
    #endif
  }

  @Test func idleProgramHasTheLowestPriority() async throws {
    #if os(Linux)
      var program = program("cut -d' ' -f19,41 /proc/self/stat")
      program.isIdle = true
      // proc(5): the nice value and the policy. 5 is SCHED_IDLE.
      #expect(String(decoding: try await run(program).output, as: UTF8.self) == "19 5\n")
    #endif
  }

  @Test func missingProgramIsNotFound() {
    #expect(ListenerProgram.locate("no-such-program", path: "/usr/bin:/bin") == nil)
    #expect(ListenerProgram.locate("sh", path: "/nowhere:/bin") == "/bin/sh")
    #expect(ListenerProgram.locate("/bin", path: nil) == nil)
    #expect(ListenerProgram.locate("/etc/passwd", path: nil) == nil)
    #expect(ListenerProgram.locate("", path: nil) == nil)
  }

  @Test func missingDirectoryIsAFailure() async throws {
    var program = program("true")
    program.directory = "/no/such/directory"
    let outcome = try await run(program)
    #expect(outcome.ending == .exited(125))
    #expect(String(decoding: outcome.errors, as: UTF8.self).contains("/no/such/directory"))
  }

  /// After `kill -9` of Earshot, neither the program nor its child is left, even if both ignore other signals.
  @Test func nothingOutlivesAKilledEarshot() async throws {
    let file = directory.path + "/ids"
    try ExitTestValues.send(file)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let file = try ExitTestValues.receive(String.self)
      let script = "trap '' TERM HUP INT; sleep 1000 & echo $! $$ > \"$1\"; echo begun; sleep 1000"
      _ = try ListenerProgram(["/bin/sh", "-c", script, "test", file], environment: ["PATH": "/usr/bin:/bin"]).run {
        _, _ in kill(getpid(), SIGKILL)
      }
    }
    let ids = try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isWhitespace).compactMap {
      pid_t($0)
    }
    #expect(ids.count == 2)
    for id in ids { #expect(try await isGone(id)) }
  }

  // MARK: Helpers

  /// Runs the program on a thread of its own, because Swift's thread pool must not be blocked.
  private func run(
    _ program: ListenerProgram, _ cancellation: ProgramCancellation = ProgramCancellation(),
    onLine: @escaping @Sendable (ListenerProgram.Stream, String) -> Void = { _, _ in },
    check: (@Sendable () -> String?)? = nil
  ) async throws -> ListenerProgram.Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try program.run(cancellation, onLine: onLine, check: check) })
      }
    }
  }

  /// Waits until the process is gone. A zombie whose parent does not wait for it counts as gone.
  private func isGone(_ id: pid_t) async throws -> Bool {
    for _ in 0..<15_000 {
      let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
      if kill(id, 0) != 0 || status?.contains(") Z ") == true { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }
}
