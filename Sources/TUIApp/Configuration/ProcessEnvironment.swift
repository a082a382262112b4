import Foundation

/// The variables that the program was started with.
enum ProcessEnvironment {
  /// Read once: Foundation copies all of them each time that it is asked, which takes a millisecond.
  static let variables = ProcessInfo.processInfo.environment
}
