import Foundation

/// What glibc's malloc is told, where it is the C library. It gives threads arenas of their own, up to eight for each
/// core, and what is freed in one is neither used by another nor given back: mpv starts a dozen threads for each file, so
/// that the memory of a player that is left running would grow with every episode. Measured by `make soak`.
enum MemoryTuning {
  /// `M_ARENA_MAX` of glibc's malloc.h (mallopt(3)).
  private static let arenaMax: Int32 = -8

  /// At the start, before there is a second thread.
  static func limitArenas() { _ = mallopt?(arenaMax, 1) }

  /// Gives pages that nothing is in back to the system (malloc_trim(3)). Takes some milliseconds; any thread may call it.
  static func giveBack() { _ = mallocTrim?(0) }

  // Looked up, since Swift's module of glibc lacks malloc.h, and other C libraries lack the functions.
  private static let mallopt = function("mallopt", as: (@convention(c) (Int32, Int32) -> Int32).self)
  private static let mallocTrim = function("malloc_trim", as: (@convention(c) (Int) -> Int32).self)

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    #if canImport(Glibc)
      // nil as a handle: all that is loaded (dlsym(3), RTLD_DEFAULT).
      dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    #else
      nil
    #endif
  }
}
