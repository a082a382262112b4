import Foundation

/// How a thread steps back behind those that somebody waits for.
public enum ThreadPriority {
  /// Makes the calling thread one of background work, for the rest of its life: it may not go back up. Not for a thread
  /// of a pool, which does something else next.
  ///
  /// On Linux a nice value is a thread's own (setpriority(2), "C library/kernel differences").
  public static func stepBack() {
    #if canImport(Darwin)
      pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
      setpriority(thread, 0, niceValue + 10)
    #endif
  }

  #if os(Linux)
    /// The calling thread's, from −20 (first) to 19.
    public static var niceValue: Int32 { getpriority(thread, 0) }

    private static let thread = Int32(PRIO_PROCESS.rawValue)
  #endif
}
