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
  /// - Returns: false when `seconds` ran out first.
  func wait(within seconds: Double, until test: (Value) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !test(value) {
      if !condition.wait(until: deadline) { return test(value) }
    }
    return true
  }
}
