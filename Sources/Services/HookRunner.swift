import Desktop
import Foundation
import Logging
import Model
import Synchronization

/// Runs the listener's hooks: at most two at once, in the order of the events. At most 100 events wait; more are
/// dropped.
package final class HookRunner: Sendable {
  /// A program to run.
  package struct Job: Sendable, Equatable {
    package var program: String
    package var arguments: [String]
    /// The event as one line of JSON.
    package var input: [UInt8]
    package var environment: [String: String]
  }

  /// Runs a program to its end.
  /// - Returns: why it failed; nil if it did not.
  package typealias Run = @Sendable (Job) -> String?

  private struct State {
    /// The events whose hooks have failed. Each is told once, until it works again.
    var failed: Set<WatchEvent.Kind> = []
    /// How many hooks run or wait.
    var count = 0
    var isFull = false
  }

  private let hooks: [Hook]
  private let run: Run
  private let log: Logger
  /// Tells the listener about a failing hook.
  private let tell: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let threads = WorkerThreads("earshot.hooks", atOnce: HookRunner.atOnce, lowersPriority: false)
  /// Entered while hooks run or wait.
  private let busy = DispatchGroup()

  private static let atOnce = 2
  private static let mostWaiting = 100

  package init(
    _ hooks: [Hook], log: Logger, run: @escaping Run, tell: @escaping @Sendable (String) -> Void
  ) {
    (self.hooks, self.log, self.run, self.tell) = (hooks, log, run, tell)
  }

  /// Starts the hooks of the event, or lets them wait. Returns at once.
  package func handle(_ event: WatchEvent) {
    for hook in hooks where hook.event == event.event {
      guard let input = try? JSONFormat().bytes(of: event) else { continue }
      add(
        hook,
        Job(
          program: hook.program, arguments: hook.arguments(event), input: input + [10],
          environment: ["EARSHOT_EVENT": event.event.rawValue]))
    }
  }

  /// Waits for the hooks that run or wait, at most so many seconds.
  package func finish(atMost seconds: Double) {
    if busy.wait(timeout: .now() + seconds) == .timedOut { log.warning("hooks did not end in time") }
  }

  private func add(_ hook: Hook, _ job: Job) {
    let (isFull, wasFull) = state.withLock { state -> (Bool, Bool) in
      let wasFull = state.isFull
      state.isFull = state.count >= Self.atOnce + Self.mostWaiting
      if !state.isFull { state.count += 1 }
      return (state.isFull, wasFull)
    }
    guard !isFull else {
      guard !wasFull else { return }
      let text = "Hooks are too slow: \(Self.mostWaiting) wait, and events are left out"
      log.warning("\(text)")
      return tell(text)
    }
    busy.enter()
    threads.add { [self] in
      report(run(job), of: hook)
      state.withLock { $0.count -= 1 }
      busy.leave()
    }
  }

  private func report(_ failure: String?, of hook: Hook) {
    guard let failure else {
      _ = state.withLock { $0.failed.remove(hook.event) }
      return
    }
    let text = "The hook \(hook.event.rawValue) (\(hook.program)) failed: \(failure)"
    log.warning("\(text)")
    if state.withLock({ $0.failed.insert(hook.event).inserted }) { tell(text + ". The log has its output.") }
  }
}
