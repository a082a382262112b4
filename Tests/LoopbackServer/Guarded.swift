import Foundation

/// A value behind a lock that threads can also wait on.
/// `@unchecked`: `value` is only touched while `condition` is locked.
final class Guarded<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value

  init(_ value: Value) { self.value = value }

  @discardableResult
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return body(&value)
  }

  /// Waits until `test` is true.
  /// - Returns: false when `seconds` ran out first. The time in which the machine sleeps does not count.
  func wait(within seconds: Double, until test: (Value) -> Bool) -> Bool {
    let clock = SuspendingClock()
    let deadline = clock.now + .seconds(seconds)
    condition.lock()
    defer { condition.unlock() }
    while !test(value) {
      let left = (deadline - clock.now) / .seconds(1)
      guard left > 0 else { return false }
      _ = condition.wait(until: Date(timeIntervalSinceNow: min(left, 1)))
    }
    return true
  }
}
