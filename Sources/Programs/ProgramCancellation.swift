import LoopbackSocket
import Synchronization

/// Ends a running program from another thread.
package final class ProgramCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var isUrgent = false
    var waiting: WakePipe?
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Whether the program gets no time to end by itself.
  var isUrgent: Bool { state.withLock { $0.isUrgent } }

  /// Ends the program that runs with this value, and each that is started with it later.
  /// - Parameter isUrgent: kills it at once, because Earshot ends.
  package func cancel(isUrgent: Bool = false) {
    let waiting = state.withLock { state in
      state.isCancelled = true
      if isUrgent { state.isUrgent = true }
      return state.waiting
    }
    waiting?.wake()
  }

  /// Sets the pipe that wakes the thread of the running program. Nil: none runs.
  func wake(_ pipe: WakePipe?) { state.withLock { $0.waiting = pipe } }
}
