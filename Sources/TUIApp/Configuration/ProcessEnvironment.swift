import Foundation

/// The environment variables of the program.
enum ProcessEnvironment {
  /// Read once, because Foundation copies all variables for each call, which takes a millisecond.
  static let variables = ProcessInfo.processInfo.environment
}
