import CMpv
import Foundation
import Synchronization

@testable import Playback

/// A libmpv whose events arrive late, as on a busy machine: mpv has reached the end of the second file before the
/// player gets the events from before.
///
/// C functions cannot capture values, so the state is global: run one test at a time.
enum LateMpv {
  /// The last event of the second file that is delivered in time.
  enum LastEvent: CaseIterable, Sendable {
    /// No event of it: only the end of the first file.
    case none
    case start, loaded, sound
  }

  private struct Plan: @unchecked Sendable {  // Holds function addresses and numbers.
    var real: earshot_mpv
    var lastEvent: LastEvent
    var starts = 0
    /// The first file has ended, and the player has called mpv since.
    var hasEnded = false
    var isAsked = false
    var isHolding = false
    /// How many further polls get no event.
    var silences = 20
  }

  private static let plan = Mutex<Plan?>(nil)
  /// The event that mpv returns when it has none.
  private nonisolated(unsafe) static let nothing = MpvEvents.make(MPV_EVENT_NONE)

  static func adapt(_ library: MpvLibrary, lastEvent: LastEvent) -> MpvLibrary {
    plan.withLock { $0 = Plan(real: library.functions, lastEvent: lastEvent) }
    var library = library
    library.functions.wait_event = { handle, timeout in LateMpv.wait(handle, timeout) }
    library.functions.wakeup = { handle in LateMpv.wake(handle) }
    return library
  }

  private static func wake(_ handle: OpaquePointer?) {
    let wakeup = plan.withLock { plan in
      if plan?.hasEnded == true { plan?.isAsked = true }
      return plan?.real.wakeup
    }
    wakeup?(handle)
  }

  private static func wait(_ handle: OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>? {
    guard let current = plan.withLock({ $0 }) else { return nothing }
    if current.isHolding {
      // A poll without a timeout gets no event.
      guard timeout != 0 else { return nothing }
      while plan.withLock({ $0?.isAsked }) != true { usleep(1000) }
      let isOver = plan.withLock { plan in
        plan?.silences -= 1
        return (plan?.silences ?? 0) < 0
      }
      guard isOver else { return nothing }
      plan.withLock { $0?.isHolding = false }
    }
    guard let event = current.real.wait_event(handle, timeout) else { return nil }
    // Once the player knows that the first file has ended, it may seek back or stop. So the end is awaited before.
    if event.pointee.event_id == MPV_EVENT_END_FILE, !current.hasEnded {
      while !isAtEnd(current.real, handle) { usleep(1000) }
    }
    note(event.pointee.event_id)
    return event
  }

  private static func isAtEnd(_ real: earshot_mpv, _ handle: OpaquePointer?) -> Bool {
    var flag: Int32 = 0
    return real.get_property(handle, "eof-reached", MPV_FORMAT_FLAG, &flag) >= 0 && flag != 0
  }

  private static func note(_ event: mpv_event_id) {
    plan.withLock { plan in
      guard let current = plan else { return }
      switch event {
      case MPV_EVENT_END_FILE: plan?.hasEnded = true
      case MPV_EVENT_START_FILE: plan?.starts += 1
      default: break
      }
      guard current.silences == 20 else { return }
      let isLast =
        switch current.lastEvent {
        case .none: event == MPV_EVENT_END_FILE
        case .start: event == MPV_EVENT_START_FILE && current.starts == 1
        case .loaded: event == MPV_EVENT_FILE_LOADED && current.starts == 2
        case .sound: event == MPV_EVENT_PLAYBACK_RESTART && current.starts == 2
        }
      if isLast { plan?.isHolding = true }
    }
  }
}
