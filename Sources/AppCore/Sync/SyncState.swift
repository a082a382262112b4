import Foundation
import Model
import TerminalKit

/// How this library stands to those of the listener's other devices.
public struct SyncState: Equatable, Sendable {
  public enum Phase: Equatable, Sendable {
    /// It is not set up.
    case off
    case inStep
    /// A sync is under way, or will be when there is a network again.
    case waiting
    /// What is wrong, in words.
    case trouble(String)
  }
  public var phase = Phase.off
  /// Podcasts about which the listener was asked.
  var asked: [String] = []
  public init() {}

  /// In words, so that colour is never alone.
  var mark: String? {
    switch phase {
    case .off: nil
    case .inStep: "sync ok"
    case .waiting: "sync …"
    case .trouble: "sync !"
    }
  }
}

/// What is asked of sync.
public enum SyncWish: Equatable, Sendable {
  case now
  case acceptRemovals
  /// Answered by `SyncReport.status`.
  case status
}

/// What sync tells.
public enum SyncReport: Equatable, Sendable {
  case phase(SyncState.Phase)
  case finished(SyncSummary)
  /// How sync stands, a line each.
  case status([String])
}

/// How a sync ended.
public struct SyncSummary: Equatable, Sendable {
  public var phase: SyncState.Phase
  /// What to say; nil: nothing, because nobody asked.
  public var message: Message?
  /// Where episodes are now that were moved. Seconds.
  public var moved: [EpisodeID: Double]
  /// Something is to be shown anew.
  public var hasChanges: Bool
  /// Podcasts that the other devices removed, and that are kept until the listener says otherwise.
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
      // The log has the newest at its top.
      for line in lines.dropFirst().reversed() { note(Message(.note, line)) }
      if let first = lines.first { say(.note, lines.count > 1 ? "\(first); :log has more" : first) }
      return []
    case .finished(let summary):
      enter(summary.phase)
      if let message = summary.message { say(message) }
      return followElsewhere(summary.moved) + askAboutRemovals(summary.held)
        + (summary.hasChanges ? invalidate() : [])
    }
  }

  private mutating func enter(_ phase: SyncState.Phase) {
    // Said once: it is on the screen as long as it holds.
    if case .trouble(let reason) = phase, sync.phase != phase { mention(.warning, "Sync: \(reason)") }
    sync.phase = phase
  }

  /// A pause goes on where another device has left off. What is heard is never moved.
  private mutating func followElsewhere(_ moved: [EpisodeID: Double]) -> [Effect] {
    guard let episode = player.episode, let position = moved[episode.id], abs(position - player.position) >= 1 else {
      return []
    }
    if player.phase == .paused { return seek(to: position, as: .nudge) }
    // It only stands ready; playing goes by what is stored.
    if !player.isActive { player.offer(episode, at: position, duration: player.duration) }
    return []
  }

  private mutating func askAboutRemovals(_ podcasts: [String]) -> [Effect] {
    guard !podcasts.isEmpty, podcasts != sync.asked, overlays.isEmpty else { return [] }
    sync.asked = podcasts
    return ask(
      "Other devices unsubscribed from \(podcasts.count) podcasts, more than half of what is here. Unsubscribe here too?",
      yes: [.network(.sync(.acceptRemovals))], done: "Unsubscribing as on the other devices")
  }
}
