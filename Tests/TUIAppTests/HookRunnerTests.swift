import Desktop
import Foundation
import Logging
import Model
import Synchronization
import Testing

@testable import Services

/// How hooks are scheduled. The programs are closures here.
@Suite(InTurn()) struct HookRunnerTests {
  /// Programs that wait until the test lets them go on.
  private final class Programs: Sendable {
    struct State {
      var started: [HookRunner.Job] = []
      var running = 0
      var mostRunning = 0
      var told: [String] = []
    }
    let state = Mutex(State())
    let gate = DispatchSemaphore(value: 0)
    let hasStarted = DispatchSemaphore(value: 0)

    func run(_ job: HookRunner.Job) -> String? {
      state.withLock { state in
        state.started.append(job)
        state.running += 1
        state.mostRunning = max(state.mostRunning, state.running)
      }
      hasStarted.signal()
      gate.wait()
      state.withLock { $0.running -= 1 }
      return job.program == "fails" ? "exit status 1" : nil
    }

    func runner(_ hooks: [Hook]) -> HookRunner {
      HookRunner(
        hooks, log: Logger(label: "test"), run: { self.run($0) },
        tell: { text in self.state.withLock { $0.told.append(text) } })
    }
  }

  private func event(_ kind: WatchEvent.Kind, _ count: Int = 0) -> WatchEvent {
    var event = WatchEvent(kind)
    event.count = count
    return event
  }

  @Test func twoRunAtOnceAndAHundredWait() throws {
    let programs = Programs()
    let runner = programs.runner([try Hook(.queue, ["p", "{count}"])])
    for number in 0..<200 { runner.handle(event(.queue, number)) }
    for _ in 0..<2 { programs.hasStarted.wait() }
    #expect(programs.state.withLock { $0.started.count } == 2)
    #expect(programs.state.withLock { $0.told } == ["Hooks are too slow: 100 wait, and events are left out"])
    for _ in 0..<102 { programs.gate.signal() }
    runner.finish(atMost: 300)
    let state = programs.state.withLock { $0 }
    #expect(state.mostRunning == 2)
    let numbers = state.started.compactMap { Int($0.arguments[0]) }.sorted()
    #expect(numbers == Array(0..<102))
  }

  @Test func failureIsToldOnceUntilItWorksAgain() throws {
    let programs = Programs()
    let runner = programs.runner([try Hook(.playing, ["fails"]), try Hook(.paused, ["works"])])
    for _ in 0..<9 { programs.gate.signal() }
    for _ in 0..<3 { runner.handle(event(.playing)) }
    runner.handle(event(.paused))
    runner.handle(event(.stopped))
    runner.finish(atMost: 300)
    #expect(
      programs.state.withLock { $0.told }
        == ["The hook playing (fails) failed: exit status 1. The log has its output."])
    #expect(programs.state.withLock { $0.started.count } == 4)
  }

  @Test func programGetsTheEventAsOneLine() throws {
    let programs = Programs()
    let runner = programs.runner([try Hook(.finished, ["p"])])
    programs.gate.signal()
    var finished = event(.finished)
    finished.episode = .init(id: EpisodeID(1), title: "a\nb\u{1b}[2J", podcast: "$(id)")
    runner.handle(finished)
    runner.finish(atMost: 300)
    let job = try #require(programs.state.withLock { $0.started.first })
    #expect(job.environment == ["EARSHOT_EVENT": "finished"])
    #expect(job.input.last == 10 && !job.input.dropLast().contains { $0 < 0x20 })
    #expect(try JSONDecoder().decode(WatchEvent.self, from: Data(job.input)) == finished)
  }
}
