import Model
import Store

/// The desktop notification about what rules with the action `notify` have found.
package enum RuleNotice {
  private static let listed = 5

  /// Nil if there is nothing to announce.
  package static func text(
    _ acts: [RuleAct], _ library: Library
  ) throws(StoreError) -> (title: String, body: String)? {
    guard !acts.isEmpty else { return nil }
    let rows = try library.episodeRows(acts.prefix(listed).map(\.episode))
    let names = rows.map { "\($0.podcastTitle): \($0.title)" }
    let more = acts.count > listed ? ["and \(acts.count - listed) more"] : []
    let rules = acts.map(\.rule).uniqued()
    return (rules.prefix(3).joined(separator: ", "), (names + more).joined(separator: "\n"))
  }
}
