import Dispatch
import Foundation
import Synchronization

/// Processes inputs on all cores, a few of them ahead of the caller. The caller gets the results in the order of the
/// inputs.
struct OrderedWork<Input: Sendable, Output: Sendable> {
  private let inputs: [Input]
  private let work: @Sendable (Input) throws -> Output

  init(_ inputs: [Input], _ work: @escaping @Sendable (Input) throws -> Output) {
    self.inputs = inputs
    self.work = work
  }

  /// Calls `body` with each result. Throws the first error of the work or of `body`.
  func forEach(_ body: (Output) throws -> Void) throws {
    // One more than can be worked on, so that no core waits while `body` runs.
    let ahead = ProcessInfo.processInfo.activeProcessorCount + 1
    var started: [Pending] = inputs.prefix(ahead).map(start)
    for input in inputs.indices {
      try body(started.removeFirst().wait())
      if input + ahead < inputs.count { started.append(start(inputs[input + ahead])) }
    }
  }

  private func start(_ input: Input) -> Pending {
    let pending = Pending()
    DispatchQueue.global().async { [work] in pending.finish(Result { try work(input) }) }
    return pending
  }

  /// A result that another thread creates.
  private final class Pending: Sendable {
    private let result = Mutex<Result<Output, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func finish(_ value: Result<Output, any Error>) {
      result.withLock { $0 = value }
      isDone.signal()
    }

    func wait() throws -> Output {
      isDone.wait()
      return try result.withLock { $0! }.get()
    }
  }
}
