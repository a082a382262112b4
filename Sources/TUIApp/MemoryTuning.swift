import Foundation

/// Settings for glibc's malloc. It creates up to eight memory arenas for each core, and memory that is freed in one
/// arena is neither reused by others nor returned to the system. mpv starts a dozen threads for each file, so that the
/// memory of a running player would grow with every episode. `make soak` measures it.
enum MemoryTuning {
  /// `M_ARENA_MAX` of glibc's malloc.h (mallopt(3)).
  private static let arenaMax: Int32 = -8

  /// Must be called at the start, before there is a second thread.
  /// - Parameter arenas: 1 for a program that plays. Threads that allocate at the same time wait for each other then.
  static func limitArenas(to arenas: Int32) { _ = mallopt?(arenaMax, arenas) }

  /// Returns free pages to the system (malloc_trim(3)). Takes some milliseconds. Any thread may call it.
  static func releaseFreeMemory() { _ = mallocTrim?(0) }

  // Found at run time, because Swift's module of glibc lacks malloc.h and other C libraries lack these functions.
  private static let mallopt = function("mallopt", as: (@convention(c) (Int32, Int32) -> Int32).self)
  private static let mallocTrim = function("malloc_trim", as: (@convention(c) (Int) -> Int32).self)

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    #if canImport(Glibc)
      // A nil handle searches everything that is loaded (dlsym(3), RTLD_DEFAULT).
      dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    #else
      nil
    #endif
  }
}
