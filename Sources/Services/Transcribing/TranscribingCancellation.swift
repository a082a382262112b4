import Programs
import Synchronization

/// Ends a job from another thread: its program, or its request to a server.
package final class TranscribingCancellation: Sendable {
  let program = ProgramCancellation()
  private let request = Mutex<(@Sendable () -> Void)?>(nil)

  package init() {}

  package var isCancelled: Bool { program.isCancelled }

  /// - Parameter isUrgent: a program gets no time to end by itself.
  package func cancel(isUrgent: Bool = false) {
    program.cancel(isUrgent: isUrgent)
    request.withLock { $0 }?()
  }

  /// Sets what ends the running request. It is called at once if the job is cancelled already.
  func onCancel(_ end: (@Sendable () -> Void)?) {
    request.withLock { $0 = end }
    if isCancelled { end?() }
  }
}
