/// Passes a number on at most once per interval, without losing the last one. Seconds of a monotonic clock.
struct Throttled {
  let interval: Double
  /// Smaller changes are ignored.
  let step: Double
  private var sent: (value: Double, at: Double)?
  private var waiting: Double?

  init(interval: Double, step: Double) {
    self.interval = interval
    self.step = step
  }

  /// The value if it may be passed on now. Otherwise it is kept for `due`.
  mutating func submit(_ value: Double, now: Double) -> Double? {
    if let sent, abs(value - sent.value) < step {
      waiting = nil
      return nil
    }
    waiting = value
    return due(now: now)
  }

  /// The kept value once its time has come.
  mutating func due(now: Double) -> Double? {
    guard let value = waiting, now >= deadline ?? now else { return nil }
    sent = (value, now)
    waiting = nil
    return value
  }

  /// When `due` returns a value. Nil: not before the next `submit`.
  var deadline: Double? {
    guard waiting != nil else { return nil }
    return (sent?.at ?? -.infinity) + interval
  }
}
