import CMpv
import Synchronization

@testable import Playback

/// A libmpv that does not know whether the file is seekable and how long it is when it is first asked, as if the file
/// had ended before.
///
/// C functions cannot capture values, so the state is global: run one test at a time.
enum EarlyEnd {
  private struct Plan: @unchecked Sendable {  // Holds function addresses.
    var real: earshot_mpv
    var withheld: Set<String> = []
  }

  private static let plan = Mutex<Plan?>(nil)

  /// The properties that were withheld, each once.
  static var withheld: Set<String> { plan.withLock { $0?.withheld ?? [] } }

  static func adapt(_ library: MpvLibrary) -> MpvLibrary {
    plan.withLock { $0 = Plan(real: library.functions) }
    var library = library
    library.functions.get_property = { EarlyEnd.value($0, $1, $2, $3) }
    return library
  }

  private static func value(
    _ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ format: mpv_format, _ data: UnsafeMutableRawPointer?
  ) -> CInt {
    let property = name.map { String(cString: $0) } ?? ""
    let (real, isWithheld) = plan.withLock { plan -> (earshot_mpv?, Bool) in
      let isConcerned = ["seekable", "duration"].contains(property)
      return (plan?.real, isConcerned && plan?.withheld.insert(property).inserted == true)
    }
    guard let real, !isWithheld else { return MPV_ERROR_PROPERTY_UNAVAILABLE.rawValue }
    return real.get_property(handle, name, format, data)
  }
}
