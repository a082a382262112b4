import CMpv
import Synchronization

@testable import Playback

/// A libmpv whose first core does not start the sound: it is paused, and does not report that it is ready. libmpv 0.41
/// would close a paused file of which everything has been decoded, so the core keeps files open.
enum LostStart {
  private struct Plan: @unchecked Sendable {  // Holds the address of a core.
    var count = 0
    var lost: OpaquePointer?
  }

  private nonisolated(unsafe) static let nothing = MpvEvents.make(MPV_EVENT_NONE)

  private static let plan = Mutex(Plan())

  /// How many starts were lost.
  static var count: Int { plan.withLock { $0.count } }

  static func adapt(_ library: MpvLibrary) -> MpvLibrary {
    plan.withLock { $0 = Plan() }
    return AdaptedMpv.adapt(library) { real, handle, timeout in
      guard let event = real.wait_event(handle, timeout) else { return nil }
      let current = plan.withLock { $0 }
      if event.pointee.event_id == MPV_EVENT_START_FILE, current.count == 0 {
        plan.withLock { $0 = Plan(count: 1, lost: handle) }
        var flag: Int32 = 1
        for name in ["pause", "keep-open"] { _ = real.set_property(handle, name, MPV_FORMAT_FLAG, &flag) }
      }
      let isReady = event.pointee.event_id == MPV_EVENT_PLAYBACK_RESTART
      return isReady && handle == current.lost ? nothing : event
    }
  }
}
