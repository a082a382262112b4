/// Decides conflicts: if two devices changed the same value at the same time, the value that outranks the other wins on
/// all devices.
public protocol SyncComparable: Sendable, Equatable {
  func outranks(_ other: Self) -> Bool
}

/// A value with its sync state, as a device stores it between syncs. The latest change of all devices wins.
public struct Versioned<Value: SyncComparable>: Sendable, Equatable {
  /// Nil: this device does not have the value yet.
  public private(set) var value: Value?
  /// When the value changed: seconds since 1970, on this device's clock.
  public private(set) var time: Double
  /// A number that differs for every change, so that changes with equal times are noticed.
  public private(set) var version: Double
  /// The newest shared time seen for this value, from any device.
  public private(set) var seen: Double?
  /// The `version` that was last synced at `seen`. Equal to `version` if nothing has changed here since.
  public private(set) var agreed: Double?

  public init(value: Value?, time: Double, version: Double, seen: Double? = nil, agreed: Double? = nil) {
    self.value = value
    self.time = time
    self.version = version
    self.seen = seen
    self.agreed = agreed
  }

  /// The result of receiving a change from another device.
  public enum Outcome: Sendable, Equatable {
    /// The change is later and was applied.
    case applied
    /// This device already has the value.
    case same
    /// This device has a later change, which is still to be pushed.
    case outdated
    /// This device has a later change that it had already pushed: the server has lost it.
    case lostByServer
  }

  /// Whether there is a local change to push.
  public var isPending: Bool { value != nil && agreed != version }

  /// The shared time of the value. It is later than every time seen before the change.
  public func sharedTime(_ clock: SyncClock) -> Double {
    guard let seen = possibleSeen(clock) else {
      // The clock was wrong when the value changed, so nobody knows when that was.
      return seen != nil && time > clock.now ? SyncClock.unknownTime : clock.shared(time)
    }
    return isPending ? max(clock.shared(time), seen + clock.step) : seen
  }

  public mutating func receive(_ other: Value, at shared: Double, _ clock: SyncClock) -> Outcome {
    let shared = clock.plausible(shared)
    let mine = sharedTime(clock)
    seen = possibleSeen(clock)
    guard let value else {
      adopt(other, shared, clock)
      return .applied
    }
    // Differences below half a step are ignored, because times are exchanged as decimals.
    let isEqual = abs(mine - shared) < clock.step / 2
    if isEqual, value == other {
      seen = max(seen ?? mine, mine)
      agreed = version
      return .same
    }
    if isEqual ? other.outranks(value) : shared > mine {
      adopt(other, shared, clock)
      return .applied
    }
    defer { seen = max(seen ?? shared, shared) }
    return isPending ? .outdated : .lostByServer
  }

  /// Nil if this device's own clock was wrong when it sent the value: other devices have ignored that.
  private func possibleSeen(_ clock: SyncClock) -> Double? { seen.flatMap { clock.plausible($0) == $0 ? $0 : nil } }

  private mutating func adopt(_ other: Value, _ shared: Double, _ clock: SyncClock) {
    value = other
    time = clock.local(shared)
    version = time
    seen = max(seen ?? shared, shared)
    agreed = version
  }

  /// Records a change by the listener on this device.
  public mutating func change(to value: Value, at time: Double) {
    self.value = value
    self.time = time
    version = time == version ? time.nextUp : time
  }
}
