import Foundation

/// Lowers the priority of background threads.
public enum ThreadPriority {
  public enum Level: Sendable {
    /// Threads that compute for long, such as parsing feeds.
    case work
    /// Threads that mostly wait and compute little, such as the client of a refresh. They come before `work`, or
    /// a server would wait for its next request while feeds are being parsed.
    case network

    fileprivate var niceness: Int32 { self == .work ? 10 : 5 }
  }

  /// Lowers the calling thread's priority for the rest of its life; it cannot be raised again. Not for pool threads,
  /// which are reused for other work.
  ///
  /// On Linux, a nice value belongs to a thread (setpriority(2), "C library/kernel differences").
  public static func lower(to level: Level = .work) {
    #if canImport(Darwin)
      pthread_set_qos_class_self_np(level == .work ? QOS_CLASS_UTILITY : QOS_CLASS_DEFAULT, 0)
    #else
      setpriority(thread, 0, niceValue + level.niceness)
    #endif
  }

  #if os(Linux)
    /// The calling thread's nice value, from −20 (highest priority) to 19.
    public static var niceValue: Int32 { getpriority(thread, 0) }

    private static let thread = Int32(PRIO_PROCESS.rawValue)
  #endif
}
