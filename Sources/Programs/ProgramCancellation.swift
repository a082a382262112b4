import Synchronization

/// Ends a running program from another thread, or a request to a server that does the same work.
package final class ProgramCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var isUrgent = false
    var end: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Whether the program gets no time to end by itself.
  var isUrgent: Bool { state.withLock { $0.isUrgent } }

  /// Ends the program that runs with this value, and each that is started with it later.
  /// - Parameter isUrgent: kills it at once, because Earshot ends.
  package func cancel(isUrgent: Bool = false) {
    let end = state.withLock { state in
      state.isCancelled = true
      if isUrgent { state.isUrgent = true }
      return state.end
    }
    end?()
  }

  /// Sets what ends the running program or request. It is called at once if that is cancelled already. Nil: none runs.
  package func onCancel(_ end: (@Sendable () -> Void)?) {
    let isCancelled = state.withLock { state in
      state.end = end
      return state.isCancelled
    }
    if isCancelled { end?() }
  }
}
