import Foundation

/// How times of this device become times that all devices compare.
///
/// A server's clock counts, where there is a server: `offset` is measured from its `Date` header. Every value also
/// remembers the newest time that was seen of it (`Versioned.seen`), so that what the listener does after having seen
/// something is later than it, even when a clock is wrong.
public struct SyncClock: Sendable, Equatable {
  /// Seconds that the others' clock is ahead of this device's.
  public var offset: Double
  /// Seconds between two times that the back end can tell apart: 1 for servers, 0.001 for a folder.
  public var step: Double
  /// Seconds since 1970, on this device.
  public var now: Double

  /// A difference up to this is left alone: `Date` has whole seconds, and an answer takes its time.
  public static let tolerance = 5.0
  /// Seconds. A server's time that lies further in the future than this is a mistake: it counts as one without a time. Were it
  /// read as “now”, it would undo, at each pull, what the listener has done since.
  public static let farthestFuture = 86_400.0
  /// Seconds, for times that devices tell each other: a device that has seen a later time counts on from there, even when that
  /// clock is wrong. A time further in the future than this is no clock's at all, and is ignored.
  public static let farthestClock = 10 * 365 * 86_400.0
  /// When something without a time happened: before all else. The year 2000, in seconds since 1970.
  public static let timeless = 946_684_800.0

  public init(offset: Double = 0, step: Double, now: Double) {
    self.offset = abs(offset) <= Self.tolerance ? 0 : offset
    self.step = step
    self.now = now
  }

  /// A time of this device as the others write it: never later than it was, nor later than now. A clock that was put
  /// back has left times in the future, and servers hide those.
  public func shared(_ local: Double) -> Double {
    ((min(local, now) + offset) / step + 1e-6).rounded(.down) * step
  }

  /// A shared time on this device's clock; what lies in the future becomes now, less a moment, so that whatever the
  /// listener does next is later.
  public func local(_ shared: Double) -> Double { min(shared - offset, now - 0.001) }

  /// A time that comes from elsewhere; one that no clock can have is none.
  public func plausible(_ shared: Double) -> Double {
    shared.isFinite && shared <= now + offset + Self.farthestClock ? shared : Self.timeless
  }
}
