import Foundation

/// Settings of an `HTTPClient`. Times in seconds.
public struct HTTPOptions: Sendable {
  /// The program adds its version.
  public var userAgent = "Earshot (podcast player)"
  public var requestsPerHost = 4
  public var requestsAtOnce = 32
  public var connectTimeout = 15.0
  /// The time limit of one attempt, from start to last byte.
  public var deadline = 120.0
  /// A response slower than `lowSpeedLimit` bytes per second for this long counts as timed out. 0: no limit.
  public var lowSpeedTime = 30
  public var lowSpeedLimit = 100
  public var maxRedirects = 10
  public var maxHeadBytes = 200 * 1024
  public var requestRetry = RetryPolicy.request
  public var hostRetry = RetryPolicy.host
  /// Lowers the thread's priority, because no one waits for what it fetches.
  public var lowersPriority = true
  /// A host that answers 429 gets no requests for a while. False: the caller decides when to ask again.
  public var pausesHosts = true
  /// False: each exchange has a connection of its own. An idle connection may be dead without a sign, for example after
  /// the computer slept.
  public var reusesConnections = true
  /// Ignores `http_proxy` and similar variables.
  public var ignoresProxies = false
  /// Finds the files behind pages. Nil: pages are fetched as they are.
  public var pages: (any PageResolver)?
  public var now: @Sendable () -> Date = { Date() }
  /// 0..<1, for jitter.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  public init() {}
}
