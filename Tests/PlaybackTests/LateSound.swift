import CMpv
import Synchronization

@testable import Playback

/// A libmpv that reports the first sound only after FFmpeg has logged an HTTP error, as on a busy machine with a fast
/// connection.
enum LateSound {
  private struct Plan {
    var isHeldBack = false
    var isDue = false
    var isTold = false
  }

  private static let plan = Mutex(Plan())
  private nonisolated(unsafe) static let nothing = MpvEvents.make(MPV_EVENT_NONE)
  private nonisolated(unsafe) static let sound = MpvEvents.make(MPV_EVENT_PLAYBACK_RESTART)

  static func adapt(_ library: MpvLibrary) -> MpvLibrary {
    plan.withLock { $0 = Plan() }
    return AdaptedMpv.adapt(library) { LateSound.wait($0, $1, $2) }
  }

  private static func wait(
    _ real: earshot_mpv, _ handle: OpaquePointer?, _ timeout: Double
  ) -> UnsafeMutablePointer<mpv_event>? {
    let current = plan.withLock { $0 }
    if current.isDue {
      plan.withLock { plan in
        plan.isDue = false
        plan.isTold = true
      }
      return sound
    }
    guard let event = real.wait_event(handle, timeout) else { return nil }
    guard !current.isTold else { return event }
    switch event.pointee.event_id {
    case MPV_EVENT_PLAYBACK_RESTART:
      plan.withLock { $0.isHeldBack = true }
      return nothing
    case MPV_EVENT_LOG_MESSAGE:
      let message = event.pointee.data.assumingMemoryBound(to: mpv_event_log_message.self).pointee
      if current.isHeldBack, String(cString: message.text).contains("HTTP error") {
        plan.withLock { $0.isDue = true }
      }
      return event
    default: return event
    }
  }
}
