/// Lets a number through at most once an interval, and never loses the last one. Seconds of any clock that does not
/// run backwards.
struct Throttled {
  let interval: Double
  /// A smaller change is none.
  let step: Double
  private var sent: (value: Double, at: Double)?
  private var waiting: Double?

  init(interval: Double, step: Double) {
    self.interval = interval
    self.step = step
  }

  /// The value, when it may pass now. Otherwise it waits for `due`.
  mutating func offer(_ value: Double, now: Double) -> Double? {
    if let sent, abs(value - sent.value) < step {
      waiting = nil
      return nil
    }
    waiting = value
    return due(now: now)
  }

  /// The value that waited, when its time has come.
  mutating func due(now: Double) -> Double? {
    guard let value = waiting, now >= deadline ?? now else { return nil }
    sent = (value, now)
    waiting = nil
    return value
  }

  /// When `due` will have something; nil: not before the next `offer`.
  var deadline: Double? {
    guard waiting != nil else { return nil }
    return (sent?.at ?? -.infinity) + interval
  }
}
