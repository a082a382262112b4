import Foundation

/// How long to wait before asking again. Pure: the random number is handed in.
public struct RetryPolicy: Sendable, Equatable {
  /// Seconds of the first wait, before jitter.
  public var base: Double
  /// No wait is longer, whatever the server says.
  public var longest: Double
  /// How often one request is repeated by itself after a 5xx, a timeout or a broken line.
  public var repeats: Int

  public init(base: Double, longest: Double, repeats: Int = 1) {
    self.base = base
    self.longest = longest
    self.repeats = repeats
  }

  /// Repeating a request that failed just now.
  public static let request = RetryPolicy(base: 1, longest: 30)
  /// A host that said 429 without saying until when.
  public static let host = RetryPolicy(base: 60, longest: 86_400)
  /// Exponential back-off with equal jitter: between a half and the whole of `base · 2^(failures − 1)` seconds.
  /// `random`: 0..<1.
  public func delay(afterFailures failures: Int, random: Double) -> Double {
    let doublings = Double(min(max(failures, 1) - 1, 62))
    let whole = min(longest, base * pow(2, doublings))
    return whole / 2 + whole / 2 * min(max(random, 0), 1)
  }
}
