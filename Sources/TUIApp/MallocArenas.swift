import Foundation

/// The number of memory arenas of glibc's malloc. It creates up to eight for each core, and memory that is freed in one
/// arena is neither reused by others nor returned to the system. mpv starts a dozen threads for each file, so that the
/// memory of a running player would grow with every episode: 119 MB after ten short files instead of 88 MB, measured
/// with `earshot play`. `make soak` checks it.
enum MallocArenas {
  /// Must be called at the start, before there is a second thread.
  /// - Parameter count: 1 for a program that plays. Threads that allocate at the same time wait for each other then.
  static func limit(to count: Int32) {
    #if canImport(Glibc)
      // Found at run time, because Swift's module of glibc lacks malloc.h. A nil handle searches everything that is
      // loaded (dlsym(3), RTLD_DEFAULT).
      guard let mallopt = dlsym(nil, "mallopt") else { return }
      // `M_ARENA_MAX` (mallopt(3)).
      _ = unsafeBitCast(mallopt, to: (@convention(c) (Int32, Int32) -> Int32).self)(-8, count)
    #endif
  }
}
