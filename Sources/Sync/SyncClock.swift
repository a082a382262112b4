import Foundation

/// Converts times of this device to shared times, which all devices can compare.
///
/// If there is a server, its clock is the shared one: `offset` is measured from its `Date` header. Each value also
/// stores the newest shared time seen for it (`Versioned.seen`), so that a later action of the listener gets a later
/// time even if a clock is wrong.
public struct SyncClock: Sendable, Equatable {
  /// How many seconds the shared clock is ahead of this device's clock.
  public var offset: Double
  /// The resolution of the back end's times in seconds: 1 for servers, 0.001 for a folder.
  public var step: Double
  /// Seconds since 1970 on this device.
  public var now: Double

  /// Differences of the clocks up to this many seconds are ignored, because `Date` has whole seconds and a response
  /// takes time.
  public static let tolerance = 5.0
  /// Seconds. A server's time that is further in the future than this is treated as unknown. If it were treated as
  /// "now", each pull would undo what the listener has done since.
  public static let maxServerFuture = 86_400.0
  /// Seconds, for times exchanged between devices. A device that has seen a later time continues from there, even if
  /// that clock is wrong. A time further in the future than this is invalid and ignored.
  public static let maxClockFuture = 10 * 365 * 86_400.0
  /// The time for changes without a time: the year 2000, earlier than all others. Seconds since 1970.
  public static let unknownTime = 946_684_800.0

  public init(offset: Double = 0, step: Double, now: Double) {
    self.offset = abs(offset) <= Self.tolerance ? 0 : offset
    self.step = step
    self.now = now
  }

  /// Converts a local time to a shared one, rounded down and not later than now. A clock that was set back may have
  /// left times in the future, which servers hide.
  public func shared(_ local: Double) -> Double {
    ((min(local, now) + offset) / step + 1e-6).rounded(.down) * step
  }

  /// Converts a shared time to this device's clock. A time in the future becomes the millisecond before now, so that
  /// the listener's next action is later.
  public func local(_ shared: Double) -> Double { min(shared - offset, now - 0.001) }

  /// Checks a time from another device. An impossible one becomes `unknownTime`.
  public func plausible(_ shared: Double) -> Double {
    shared.isFinite && shared <= now + offset + Self.maxClockFuture ? shared : Self.unknownTime
  }
}
