import Foundation

/// Lowers the priority of background threads.
public enum ThreadPriority {
  /// Lowers the calling thread's priority for the rest of its life; it cannot be raised again. Not for pool threads,
  /// which are reused for other work.
  ///
  /// On Linux, a nice value belongs to a thread (setpriority(2), "C library/kernel differences").
  public static func lower() {
    #if canImport(Darwin)
      pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
      setpriority(thread, 0, niceValue + 10)
    #endif
  }

  #if os(Linux)
    /// The calling thread's nice value, from −20 (highest priority) to 19.
    public static var niceValue: Int32 { getpriority(thread, 0) }

    private static let thread = Int32(PRIO_PROCESS.rawValue)
  #endif
}
