import Foundation

/// Limits and manners of an `HTTPClient`. Times in seconds.
public struct HTTPOptions: Sendable {
  /// The program gives its version, too.
  public var userAgent = "Earshot (podcast player)"
  public var requestsPerHost = 4
  public var requestsAtOnce = 32
  public var connectTimeout = 15.0
  /// Of one attempt, from its start to its last byte.
  public var deadline = 120.0
  /// An answer slower than `lowSpeedLimit` bytes a second for that long has timed out; 0: it may take as long as it likes.
  public var lowSpeedTime = 30
  public var lowSpeedLimit = 100
  public var maxRedirects = 10
  public var maxHeadBytes = 200 * 1024
  public var requestRetry = RetryPolicy.request
  public var hostRetry = RetryPolicy.host
  /// The thread stands back behind the others: nobody waits for what it fetches.
  public var stepsBack = true
  /// Ignores `http_proxy` and its like.
  public var ignoresProxies = false
  public var now: @Sendable () -> Date = { Date() }
  /// 0..<1, for jitter.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  public init() {}
}
