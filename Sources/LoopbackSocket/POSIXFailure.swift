import Foundation

/// A failed system call, with the reason.
public struct POSIXFailure: Error, CustomStringConvertible {
  public let call: String
  public let code: Int32

  /// Takes the reason from `errno`.
  public init(_ call: String) {
    self.call = call
    code = errno
  }

  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
