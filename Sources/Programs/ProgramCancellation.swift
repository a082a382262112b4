import LoopbackSocket
import Synchronization

/// Ends a running program from another thread.
package final class ProgramCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var waiting: WakePipe?
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the program that runs with this value, and each that is started with it later.
  package func cancel() {
    let waiting = state.withLock { state in
      state.isCancelled = true
      return state.waiting
    }
    waiting?.wake()
  }

  /// Sets the pipe that wakes the thread of the running program. Nil: none runs.
  func wake(_ pipe: WakePipe?) { state.withLock { $0.waiting = pipe } }
}
