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

/// A libmpv in which a test replaces a function.
///
/// C functions cannot capture values, so the replacement is global: run one test at a time.
enum AdaptedMpv {
  /// `mpv_wait_event`. The first argument is the real libmpv.
  typealias Wait =
    @Sendable (_ real: earshot_mpv, OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>?

  private struct Replacement: @unchecked Sendable {  // Holds function addresses.
    var real: earshot_mpv
    var wait: Wait?
    var withholds: (@Sendable (String) -> Bool)?
  }

  private static let replacement = Mutex<Replacement?>(nil)

  static func adapt(_ library: MpvLibrary, wait: @escaping Wait) -> MpvLibrary {
    replacement.withLock { $0 = Replacement(real: library.functions, wait: wait) }
    var library = library
    library.functions.wait_event = { handle, timeout in
      guard let current = AdaptedMpv.replacement.withLock({ $0 }) else { return nil }
      // The core of an earlier test may still run.
      guard let wait = current.wait else { return current.real.wait_event(handle, timeout) }
      return wait(current.real, handle, timeout)
    }
    return library
  }

  /// - Parameter withholds: whether the property with this name is unavailable now.
  static func adapt(_ library: MpvLibrary, withholds: @escaping @Sendable (String) -> Bool) -> MpvLibrary {
    replacement.withLock { $0 = Replacement(real: library.functions, withholds: withholds) }
    var library = library
    library.functions.get_property = { handle, name, format, data in
      guard let current = AdaptedMpv.replacement.withLock({ $0 }), let name,
        current.withholds?(String(cString: name)) != true
      else { return MPV_ERROR_PROPERTY_UNAVAILABLE.rawValue }
      return current.real.get_property(handle, name, format, data)
    }
    return library
  }
}
