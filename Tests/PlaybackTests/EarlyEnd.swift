import Synchronization

@testable import Playback

/// A libmpv that does not know whether the file is seekable and how long it is when it is first asked, as if the file
/// had ended before.
enum EarlyEnd {
  private static let names = Mutex<Set<String>>([])

  /// The properties that were withheld, each once.
  static var withheld: Set<String> { names.withLock { $0 } }

  static func adapt(_ library: MpvLibrary) -> MpvLibrary {
    names.withLock { $0 = [] }
    return AdaptedMpv.adapt(library) { name in
      ["seekable", "duration"].contains(name) && names.withLock { $0.insert(name).inserted }
    }
  }
}
