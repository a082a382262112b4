import Foundation
import Model
import TerminalKit

/// Whether this library is in sync with the listener's other devices.
public struct SyncState: Equatable, Sendable {
  public enum Phase: Equatable, Sendable {
    /// Sync is not set up.
    case off
    case inStep
    /// A sync is running, or waits for the network.
    case waiting
    /// The reason of the failure, as a sentence.
    case failed(String)
  }
  public var phase = Phase.off
  /// The podcasts in the last question about removals, so that the same question is not asked twice.
  var askedRemovals: [String] = []
  public init() {}

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

/// The listener's commands for sync.
public enum SyncCommand: Equatable, Sendable {
  case now
  case acceptRemovals
  /// The answer is `SyncReport.status`.
  case status
}

/// An event from `SyncScheduler`.
public enum SyncReport: Equatable, Sendable {
  case phase(SyncState.Phase)
  case finished(SyncSummary)
  /// The answer to `SyncCommand.status`, in lines.
  case status([String])
}

/// The result of a sync.
public struct SyncSummary: Equatable, Sendable {
  public var phase: SyncState.Phase
  /// The message to show; nil after an automatic sync.
  public var message: Message?
  /// The new positions, in seconds, of the episodes whose position changed.
  public var moved: [EpisodeID: Double]
  /// The library has changed, so the lists must be read again.
  public var hasChanges: Bool
  /// Titles of podcasts that other devices removed. They are kept until the listener confirms the removal.
  public var held: [String]
  public init(
    phase: SyncState.Phase, message: Message? = nil, moved: [EpisodeID: Double] = [:], hasChanges: Bool = false,
    held: [String] = []
  ) {
    self.phase = phase
    self.message = message
    self.moved = moved
    self.hasChanges = hasChanges
    self.held = held
  }
}

extension State {
  mutating func receive(_ report: SyncReport) -> [Effect] {
    switch report {
    case .phase(let phase):
      enter(phase)
      return []
    case .status(let lines):
      // The log shows the newest message first.
      for line in lines.dropFirst().reversed() { showMessage(Message(.note, line)) }
      if let first = lines.first { showMessage(.note, lines.count > 1 ? "\(first); :log has more" : first) }
      return []
    case .finished(let summary):
      enter(summary.phase)
      if let message = summary.message { showMessage(message) }
      return adoptPositions(summary.moved) + askAboutRemovals(summary.held)
        + (summary.hasChanges ? invalidate() : [])
    }
  }

  private mutating func enter(_ phase: SyncState.Phase) {
    // The warning is shown once. The status line shows the phase as long as it lasts.
    if case .failed(let reason) = phase, sync.phase != phase { showUnrequestedMessage(.warning, "Sync: \(reason)") }
    sync.phase = phase
  }

  /// Moves a paused episode to the position of another device. An episode that plays is never moved.
  private mutating func adoptPositions(_ moved: [EpisodeID: Double]) -> [Effect] {
    guard let episode = player.episode, let position = moved[episode.id], abs(position - player.position) >= 1 else {
      return []
    }
    if player.phase == .paused { return seek(to: position, as: .short) }
    // The episode is only offered. Playing it starts at the stored position.
    if !player.isActive { player.offer(episode, at: position, duration: player.duration) }
    return []
  }

  private mutating func askAboutRemovals(_ podcasts: [String]) -> [Effect] {
    guard !podcasts.isEmpty, podcasts != sync.askedRemovals, overlays.isEmpty else { return [] }
    sync.askedRemovals = podcasts
    return ask(
      "Other devices unsubscribed from \(podcasts.count) podcasts, more than half of yours. Unsubscribe here too?",
      yes: [.network(.sync(.acceptRemovals))], done: "Unsubscribing as on the other devices")
  }
}
