import Foundation
import HTTP

extension RetryPolicy {
  /// For a failed feed: retried after ten minutes, then less and less often, at last once a day.
  public static let feed = RetryPolicy(base: 600, maximum: 86_400)

  /// When to request a feed again that has failed `failures` times in a row. Nil: never automatically.
  public func nextAttempt(after error: FeedError, failures: Int, now: Date, random: Double) -> Date? {
    switch error {
    case .http(.gone), .http(.unsupportedScheme), .http(.badAddress), .http(.unencodedLogin), .http(.unauthorized): nil
    case .http(.rateLimited(let until, _)): min(until, now.addingTimeInterval(maximum))
    case .http(.cancelled): now
    default: now.addingTimeInterval(delay(afterFailures: failures, random: random))
    }
  }
}
