import CMpv
import Synchronization

@testable import Playback

/// Events that a test returns in place of mpv's.
enum MpvEvents {
  /// An event without data. It is never freed.
  static func make(_ id: mpv_event_id) -> UnsafeMutablePointer<mpv_event> {
    let event = UnsafeMutablePointer<mpv_event>.allocate(capacity: 1)
    event.initialize(to: mpv_event())
    event.pointee.event_id = id
    return event
  }
}

/// A libmpv that reports the first sound only after FFmpeg has logged an HTTP error, as on a busy machine with a fast
/// connection.
///
/// C functions cannot capture values, so the state is global: run one test at a time.
enum LateSound {
  private struct Plan: @unchecked Sendable {  // Holds function addresses.
    var real: earshot_mpv
    var isHeldBack = false
    var isDue = false
    var isTold = false
  }

  private static let plan = Mutex<Plan?>(nil)
  private nonisolated(unsafe) static let nothing = MpvEvents.make(MPV_EVENT_NONE)
  private nonisolated(unsafe) static let sound = MpvEvents.make(MPV_EVENT_PLAYBACK_RESTART)

  static func adapt(_ library: MpvLibrary) -> MpvLibrary {
    plan.withLock { $0 = Plan(real: library.functions) }
    var library = library
    library.functions.wait_event = { handle, timeout in LateSound.wait(handle, timeout) }
    return library
  }

  private static func wait(_ handle: OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>? {
    guard let current = plan.withLock({ $0 }) else { return nothing }
    if current.isDue {
      plan.withLock { plan in
        plan?.isDue = false
        plan?.isTold = true
      }
      return sound
    }
    guard let event = current.real.wait_event(handle, timeout) else { return nil }
    guard !current.isTold else { return event }
    switch event.pointee.event_id {
    case MPV_EVENT_PLAYBACK_RESTART:
      plan.withLock { $0?.isHeldBack = true }
      return nothing
    case MPV_EVENT_LOG_MESSAGE:
      let message = event.pointee.data.assumingMemoryBound(to: mpv_event_log_message.self).pointee
      if current.isHeldBack, String(cString: message.text).contains("HTTP error") {
        plan.withLock { $0?.isDue = true }
      }
      return event
    default: return event
    }
  }
}
