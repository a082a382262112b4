/// What two devices compare when they changed the same thing at the same time: the larger one stays, everywhere alike.
public protocol SyncComparable: Sendable, Equatable {
  func outranks(_ other: Self) -> Bool
}

/// One value of the listener's as a device keeps it between two syncs. The latest change of all devices wins.
public struct Versioned<Value: SyncComparable>: Sendable, Equatable {
  /// nil: this device knows nothing of it yet.
  public private(set) var value: Value?
  /// When it became so. Seconds since 1970, on this device's clock.
  public private(set) var time: Double
  /// Another number for every change, so that one at an equal time is noticed.
  public private(set) var version: Double
  /// The newest shared time that was seen of it, here or elsewhere.
  public private(set) var seen: Double?
  /// `version` when value and `seen` last belonged together: equal to `version` while nothing has changed here since.
  public private(set) var agreed: Double?

  public init(value: Value?, time: Double, version: Double, seen: Double? = nil, agreed: Double? = nil) {
    self.value = value
    self.time = time
    self.version = version
    self.seen = seen
    self.agreed = agreed
  }

  /// What hearing of a change elsewhere does.
  public enum Outcome: Sendable, Equatable {
    /// It is later: this device follows.
    case applied
    /// It is what this device has.
    case same
    /// This device has something later, which waits to be sent.
    case outdated
    /// This device has something later, which it had sent already: the server has lost it.
    case forgotten
  }

  /// Something has changed here since the others last heard of it.
  public var isPending: Bool { value != nil && agreed != version }

  /// The shared time of the value: always later than all that was seen before it changed.
  public func sharedTime(_ clock: SyncClock) -> Double {
    guard let seen else { return clock.shared(time) }
    return isPending ? max(clock.shared(time), seen + clock.step) : seen
  }

  public mutating func receive(_ other: Value, at shared: Double, _ clock: SyncClock) -> Outcome {
    let shared = clock.plausible(shared)
    guard let value else {
      follow(other, shared, clock)
      return .applied
    }
    let mine = sharedTime(clock)
    // Half a step is nothing: times are written as decimals.
    let isEqual = abs(mine - shared) < clock.step / 2
    if isEqual, value == other {
      seen = max(seen ?? mine, mine)
      agreed = version
      return .same
    }
    if isEqual ? other.outranks(value) : shared > mine {
      follow(other, shared, clock)
      return .applied
    }
    defer { seen = max(seen ?? shared, shared) }
    return isPending ? .outdated : .forgotten
  }

  private mutating func follow(_ other: Value, _ shared: Double, _ clock: SyncClock) {
    value = other
    time = clock.local(shared)
    version = time
    seen = max(seen ?? shared, shared)
    agreed = version
  }

  /// The listener changed it here.
  public mutating func change(to value: Value, at time: Double) {
    self.value = value
    self.time = time
    version = time == version ? time.nextUp : time
  }

  /// The server has taken what was sent of it.
  /// - Parameters:
  ///   - shared: the time under which it was sent.
  ///   - version: of what was sent; what changed meanwhile is still to be sent.
  public mutating func sent(at shared: Double, version: Double) {
    seen = max(seen ?? shared, shared)
    if self.version == version { agreed = version }
  }

  /// To be sent once more, as something later.
  public mutating func resend() { agreed = nil }
}
