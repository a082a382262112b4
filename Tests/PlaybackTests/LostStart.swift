import CMpv
import Synchronization

@testable import Playback

/// A libmpv whose first core does not start the sound: it is paused, and does not report that it is ready.
///
/// C functions cannot capture values, so the state is global: run one test at a time.
enum LostStart {
  private struct Plan: @unchecked Sendable {  // Holds function addresses.
    var real: earshot_mpv
    var count = 0
    var lost: OpaquePointer?
  }

  private nonisolated(unsafe) static let nothing = MpvEvents.make(MPV_EVENT_NONE)

  private static let plan = Mutex<Plan?>(nil)

  /// How many starts were lost.
  static var count: Int { plan.withLock { $0?.count ?? 0 } }

  static func adapt(_ library: MpvLibrary) -> MpvLibrary {
    plan.withLock { $0 = Plan(real: library.functions) }
    var library = library
    library.functions.wait_event = { handle, timeout in LostStart.wait(handle, timeout) }
    return library
  }

  private static func wait(_ handle: OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>? {
    guard let current = plan.withLock({ $0 }), let event = current.real.wait_event(handle, timeout) else { return nil }
    if event.pointee.event_id == MPV_EVENT_START_FILE, current.count == 0 {
      plan.withLock { plan in
        plan?.count = 1
        plan?.lost = handle
      }
      var isPaused: Int32 = 1
      _ = current.real.set_property(handle, "pause", MPV_FORMAT_FLAG, &isPaused)
    }
    let isReady = event.pointee.event_id == MPV_EVENT_PLAYBACK_RESTART
    return isReady && handle == current.lost ? nothing : event
  }
}
