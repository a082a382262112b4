import Foundation

/// How long to wait before a retry. Pure: the random number is passed in.
public struct RetryPolicy: Sendable, Equatable {
  /// Seconds of the first wait, before jitter.
  public var base: Double
  /// The longest wait in seconds, whatever the server says.
  public var maximum: Double
  /// How often a request is retried automatically after a 5xx, a timeout or a broken connection.
  public var repeats: Int

  public init(base: Double, maximum: Double, repeats: Int = 1) {
    self.base = base
    self.maximum = maximum
    self.repeats = repeats
  }

  /// For retrying a failed request.
  public static let request = RetryPolicy(base: 1, maximum: 30)
  /// For a host that answered 429 without a time.
  public static let host = RetryPolicy(base: 60, maximum: 86_400)
  /// Exponential back-off with equal jitter: between half and all of `base · 2^(failures − 1)` seconds.
  /// - Parameter random: 0..<1.
  public func delay(afterFailures failures: Int, random: Double) -> Double {
    let doublings = Double(min(max(failures, 1) - 1, 62))
    let whole = min(maximum, base * pow(2, doublings))
    return whole / 2 + whole / 2 * min(max(random, 0), 1)
  }
}
