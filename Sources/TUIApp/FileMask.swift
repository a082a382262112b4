import Foundation

/// The umask(2) of the program: its files are readable for their owner only.
enum FileMask {
  /// The listener's own umask in octal, for programs that Earshot starts. Set once at the start. Unsafe because it is a
  /// global variable that is written before other threads exist.
  private(set) nonisolated(unsafe) static var listenersMask = "022"

  /// Must be called first, before there are other threads.
  static func restrict() { listenersMask = String(umask(0o077), radix: 8) }
}
