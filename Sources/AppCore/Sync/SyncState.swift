import Foundation
import Model
import TerminalKit

/// Whether this library is in sync with the listener's other devices.
public struct SyncState: Equatable, Sendable {
  public var phase = SyncPhase.off
  /// The podcasts in the last question about removals, so that the same question is not asked twice.
  var askedRemovals: [String] = []

  /// The text in the status line. It differs for each phase, so that colour is never the only sign.
  var mark: String? {
    switch phase {
    case .off: nil
    case .inStep: "sync ok"
    case .waiting: "sync …"
    case .failed: "sync !"
    }
  }
}

extension State {
  mutating func receive(_ report: SyncReport) -> [Effect] {
    switch report {
    case .phase(let phase): enter(phase)
    case .status(let lines):
      // The log shows the newest message first.
      for line in lines.dropFirst().reversed() { showMessage(Message(.info, line)) }
      if let first = lines.first { showMessage(.info, lines.count > 1 ? "\(first) (see :log)" : first) }
    case .message(let message): showMessage(message)
    case .grantPage(let link):
      showMessage(.info, "Grant access at \(link)")
      return [.terminal(.openLink(link))]
    case .finished(let summary):
      enter(summary.phase)
      if let message = summary.message { showMessage(message, while: message.kind == .warning ? .failedSync : nil) }
      return adoptPositions(summary.moved) + askAboutRemovals(summary.held)
        + (summary.hasChanges ? invalidate() : [])
    }
    return []
  }

  private mutating func enter(_ phase: SyncPhase) {
    guard sync.phase != phase else { return }
    sync.phase = phase
    // The warning is shown once. The status line shows the phase as long as it lasts.
    if case .failed(let reason) = phase { showUnrequestedMessage(.warning, "Sync: \(reason)", while: .failedSync) }
  }

  /// Moves a paused episode to the position of another device. An episode that plays, or a clip, is never moved.
  mutating func adoptPositions(_ moved: [EpisodeID: Double]) -> [Effect] {
    guard let episode = player.episode, let position = moved[episode.id], abs(position - player.position) >= 1,
      player.excerptRange == nil
    else { return [] }
    if player.phase == .paused { return seek(to: position, as: .short) }
    // The episode is only offered. Playing it starts at the stored position.
    if !player.isActive { player.offer(episode, at: position, duration: player.duration) }
    return []
  }

  private mutating func askAboutRemovals(_ podcasts: [String]) -> [Effect] {
    guard !podcasts.isEmpty, podcasts != sync.askedRemovals, overlays.isEmpty else { return [] }
    sync.askedRemovals = podcasts
    askLater(
      Confirm(
        question:
          "Other devices unsubscribed from \(podcasts.count) podcasts, more than half of yours. Unsubscribe here too?",
        yes: [.network(.sync(.acceptRemovals))], done: "Unsubscribing here too"))
    return []
  }
}
