import Foundation
import Model

/// Many failures of podcasts in a few lines: a line each as long as they are few, else a line for each cause. When a network
/// is down, 500 podcasts say the same.
struct FailureSummary {
  private struct Failure {
    var title: String
    /// With `FailureSummary.host` in place of the server's name.
    var cause: String
    var host: String
  }
  private static let host = "{host}"
  private var failures: [Failure] = []

  /// So many are said one by one.
  static let few = 10
  /// So many causes are said; the others are counted.
  static let mostCauses = 12
  /// So many podcasts are named for a cause.
  static let mostNames = 3

  /// - Parameters:
  ///   - message: "Title: cause", or the cause alone.
  ///   - feedURL: its host is what the causes of different podcasts differ in.
  mutating func add(title: String, message: String, feedURL: String) {
    let prefix = title + ": "
    let cause = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    let host = URLComponents(string: feedURL)?.host ?? ""
    failures.append(
      Failure(title: title, cause: host.isEmpty ? cause : cause.replacing(host, with: Self.host), host: host))
  }

  var lines: [String] {
    if failures.count <= Self.few {
      return failures.map { "\($0.title): \($0.cause.replacing(Self.host, with: $0.host))" }
    }
    var causes: [(cause: String, titles: [String])] = []
    var places: [String: Int] = [:]
    for failure in failures {
      if let place = places[failure.cause] {
        causes[place].titles.append(failure.title)
      } else {
        places[failure.cause] = causes.count
        causes.append((failure.cause, [failure.title]))
      }
    }
    // The commonest first; of equal ones the first.
    let ranked = causes.enumerated().sorted {
      ($1.element.titles.count, $0.offset) < ($0.element.titles.count, $1.offset)
    }.map(\.element)
    let left = ranked.dropFirst(Self.mostCauses).reduce(0) { $0 + $1.titles.count }
    return ranked.prefix(Self.mostCauses).map { Self.line($0.cause, $0.titles) }
      + (left > 0 ? ["\(Counted.text(left, "further podcast")) failed for other causes"] : [])
  }

  private static func line(_ cause: String, _ titles: [String]) -> String {
    let cause = cause.replacing(host, with: "its server")
    guard titles.count > 1 else { return "\(titles[0]): \(cause)" }
    return "\(titles.count) podcasts: \(cause) (\(names(titles)))"
  }

  /// `A, B, C and 7 more`.
  static func names(_ titles: [String]) -> String {
    let more = titles.count - mostNames
    return titles.prefix(mostNames).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
