import Foundation

/// The umask(2) of the program: its files are readable for their owner only.
enum FileMask {
  /// The listener's own umask in octal, for programs that Earshot starts. Set once at the start. Unsafe because it is a
  /// global variable that is written before other threads exist.
  private(set) nonisolated(unsafe) static var listenersMask = "022"

  /// Must be called first, before there are other threads.
  static func restrict() { listenersMask = String(umask(0o077), radix: 8) }
}

/// Keeps requests to this machine from a proxy. mpv reads streams from the relay, which is a port of this machine, and
/// a proxy would look for that port on its own machine.
enum ProxyBypass {
  /// Must be called at the start, before there is a second thread.
  static func addLoopback() {
    guard let proxy = getenv("http_proxy"), proxy.pointee != 0 else { return }
    // curl reads both names, FFmpeg only the first.
    let own = (getenv("no_proxy") ?? getenv("NO_PROXY")).map { String(cString: $0) } ?? ""
    // "*" is valid only by itself.
    guard own != "*" else { return }
    setenv("no_proxy", own.isEmpty ? "127.0.0.1" : own + ",127.0.0.1", 1)
  }
}

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
