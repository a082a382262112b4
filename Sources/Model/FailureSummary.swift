import Foundation

/// Summarizes failures of many podcasts: one line each if there are few, else one line for each cause. When the network
/// is down, 500 podcasts fail for the same cause.
public struct FailureSummary: Equatable, Sendable {
  private struct Failure: Equatable, Sendable {
    var title: String
    /// With `FailureSummary.host` instead of the server's name.
    var cause: String
    var host: String
  }
  private static let host = "{host}"
  private var failures: [Failure] = []

  public init() {}

  /// Up to this number, each failure has a line.
  public static let maxListed = 10
  /// The maximum number of causes that are listed. The others are counted.
  public static let causeLimit = 12
  /// The maximum number of podcasts that are named for a cause.
  private static let nameLimit = 3

  /// - Parameters:
  ///   - title: empty for a failure that is not of one podcast.
  ///   - message: "Title: cause", or only the cause.
  ///   - feedURL: its host is removed from the cause, so that equal causes can be grouped.
  public mutating func add(title: String, message: String, feedURL: String) {
    let prefix = title + ": "
    let cause = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    let host = URLComponents(string: feedURL)?.host ?? ""
    failures.append(
      Failure(title: title, cause: host.isEmpty ? cause : cause.replacing(host, with: Self.host), host: host))
  }

  public var lines: [String] {
    if failures.count <= Self.maxListed {
      return failures.map { failure in
        let cause = failure.cause.replacing(Self.host, with: failure.host)
        return failure.title.isEmpty ? cause : "\(failure.title): \(cause)"
      }
    }
    // Most frequent first. Equal ones keep their order.
    let ranked = failures.grouped(by: \.cause).sorted { $0.elements.count > $1.elements.count }
    let left = ranked.dropFirst(Self.causeLimit).reduce(0) { $0 + $1.elements.count }
    return ranked.prefix(Self.causeLimit).map { Self.line($0.key, $0.elements.map(\.title)) }
      + (left > 0 ? ["\(Counted.text(left, "further podcast")) failed for other causes"] : [])
  }

  private static func line(_ cause: String, _ titles: [String]) -> String {
    let cause = cause.replacing(host, with: "its server")
    guard titles.count > 1 else { return "\(titles[0]): \(cause)" }
    return "\(titles.count) podcasts: \(cause) (\(titles.listed(nameLimit)))"
  }
}
