import Foundation

extension Process {
  /// Starts the process and waits for its end. Foundation's `waitUntilExit` runs a run loop, which may wait forever on
  /// a thread of Swift's thread pool.
  /// - Parameter meanwhile: called after the start. It can read what the process writes.
  /// - Returns: the exit status.
  @discardableResult
  public func runToEnd(_ meanwhile: () -> Void = {}) throws -> Int32 {
    let hasEnded = DispatchSemaphore(value: 0)
    terminationHandler = { _ in hasEnded.signal() }
    try run()
    meanwhile()
    hasEnded.wait()
    return terminationStatus
  }
}
