import AppCore
import Foundation
import Model
import Services
import Store

/// The listener's rules: changes of them, and what they want outside of the library.
extension EffectRunner {
  /// - Returns: the event to post.
  func write(_ change: RuleChange, now: Date) throws(StoreError) -> LibraryEvent {
    var changed: RuleID?
    switch change {
    case .add(let name, let filter, let action):
      changed = try library.addRule(name: name, filter: filter, action: action, now: now)
    case .update(let id, let change):
      try library.changeRule(id, now: now, change.apply)
      changed = id
    case .remove(let id): try library.removeRule(id, now: now)
    case .move(let id, let index):
      try library.moveRule(id, to: index, now: now)
      return .rulesChanged(selected: id, nil)
    case .run(let id, let episodes):
      let report = try library.runRules(id, among: episodes, now: now)
      // Replaces the message that the change can be undone.
      if report.isEmpty { mailbox.post(.message(Message(.info, "The rule changes no episode now"))) }
      show(report)
      return .changed
    }
    let rule = try changed.flatMap { id throws(StoreError) in try library.rules().first { $0.id == id } }
    return .rulesChanged(
      selected: changed, try rule.flatMap { rule throws(StoreError) in try library.preview(rule, now: now) })
  }

  /// Runs the rules whose conditions change with time: at the start, and once on each later day.
  func runTimedRules(isStart: Bool = false) {
    guard refusal == nil, !library.isReadOnly else { return }
    writes.async { [self] in
      do throws(StoreError) {
        let report = try library.runTimedRules(isDue: isStart, now: Date())
        guard !report.isEmpty else { return }
        show(report)
        mailbox.post(.library(.changed))
      } catch {
        log.error("rules: \(error)")
      }
    }
  }

  /// Shows what rules did, and does what they want outside of the library. Called on the queue for writes.
  private func show(_ report: RuleReport) {
    for line in report.lines { log.info("\(line)") }
    mailbox.post(.ruled(report))
    finishRules()
  }

  /// Starts downloads of rules, deletes files, and shows what rules announce.
  func finishRules() {
    fetchNewDownloads()
    writes.async { [self] in
      do throws(StoreError) {
        let notices = try library.takeRuleNotices(now: Date())
        guard let text = try RuleNotice.text(notices, library), let desktop = desktop.withLock({ $0 }) else { return }
        desktop.notify(title: text.title, body: text.body)
        desktop.announce(.notify, notices.map(\.episode), text: text.title)
      } catch {
        log.error("rules: \(error)")
      }
    }
  }
}
