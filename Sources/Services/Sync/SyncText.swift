import Foundation
import Model
import Store
import Sync

/// Texts about sync for the screen and the command line.
package enum SyncText {
  static let notSetUp = "Sync is not set up. Run “earshot sync login URL”, or type :sync-login in the player."

  package static func summary(_ outcome: SyncService.Outcome, isDryRun: Bool = false) -> String {
    let (pulled, pushed) = (changes(outcome.report.pulled), changes(outcome.report.pushed))
    var text = isDryRun ? "Would get " : "Got "
    text += "\(pulled), \(isDryRun ? "send" : "sent") \(pushed)"
    if outcome.waiting > 0 { text += "; \(waiting(outcome.waiting))" }
    return text
  }

  private static func changes(_ changes: SyncChanges) -> String {
    var parts: [String] = []
    if changes.subscribed > 0 { parts.append(Counted.text(changes.subscribed, "subscription")) }
    if changes.unsubscribed > 0 { parts.append(Counted.text(changes.unsubscribed, "removal")) }
    if changes.episodes > 0 { parts.append(Counted.text(changes.episodes, "episode")) }
    if changes.registers > 0 { parts.append(Counted.text(changes.registers, "change") + " of lists") }
    return parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
  }

  package static func held(_ podcasts: [String]) -> String {
    let names = podcasts.prefix(3).joined(separator: ", ") + (podcasts.count > 3 ? ", …" : "")
    return """
      Other devices unsubscribed from \(podcasts.count) podcasts (\(names)), more than half of yours. They are kept until \
      you decide. Run “earshot sync --accept-removals” to unsubscribe here, too, or “earshot sync --refuse-removals” to \
      add them on the server again.
      """
  }

  package static func status(
    _ account: SyncAccount?, _ backlog: SyncBacklog, devices: [SyncedDevice] = []
  ) -> [String] {
    guard let account else { return [notSetUp] }
    let last = account.lastSuccess.map { "Last synced \(MinuteText.text($0))" }
    var lines = [
      "\(last ?? "Never synced") with \(account.shownServer) (\(account.isWebDAV ? "WebDAV" : account.kind))",
      "This device is “\(account.deviceName)”" + (account.user.isEmpty ? "" : ", the user \(account.user)"),
    ]
    // First, because the player shows only the first line.
    if let error = account.lastError { lines.insert("The last sync failed: \(error)", at: 0) }
    if let notice = account.notice { lines.append("The last check found: \(notice)") }
    if backlog.unsent > 0 { lines.append("\(Counted.text(backlog.unsent, "change")) to send") }
    if backlog.waiting > 0 { lines.append(waiting(backlog.waiting)) }
    for podcast in backlog.waitingFor.prefix(shownPodcasts) {
      lines.append("  \(Counted.text(podcast.actions, "action")) of \(podcast.title)")
    }
    if backlog.waitingFor.count > shownPodcasts {
      lines.append("  … and of \(Counted.text(backlog.waitingFor.count - shownPodcasts, "more podcast"))")
    }
    for device in devices {
      let seen = device.seen.map { "seen \(MinuteText.text($0))" } ?? "not seen yet"
      lines.append("The device “\(device.name)”, \(seen)")
    }
    if !backlog.held.isEmpty { lines.append(held(backlog.held)) }
    return lines
  }

  private static let shownPodcasts = 20

  private static func waiting(_ actions: Int) -> String {
    Counted.text(actions, "action waits for its episode", "actions wait for their episodes")
  }
}
