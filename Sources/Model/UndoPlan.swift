import Foundation

/// Undo or redo.
public enum UndoDirection: String, Sendable, Equatable, Codable, CaseIterable {
  /// Undo: reverses the latest change.
  case back
  /// Redo: repeats the change that was undone last.
  case forward
}

/// What the next undo or redo will do.
public struct UndoPlan: Sendable, Equatable {
  /// The id of the step. A confirmation contains it, so that it cannot undo another step.
  public var id: Int64
  public var direction: UndoDirection
  /// A description of the change, such as "Delete “An episode”".
  public var label: String
  /// When it was done.
  public var timestamp: Date
  /// How many podcasts, episodes, queue items, clips, tags and playlists would change.
  public var count: Int
  /// A description of the effect, such as "Unsubscribe from 120 podcasts."
  public var consequence: String

  public init(
    id: Int64, direction: UndoDirection, label: String, timestamp: Date, count: Int, consequence: String
  ) {
    self.id = id
    self.direction = direction
    self.label = label
    self.timestamp = timestamp
    self.count = count
    self.consequence = consequence
  }

  /// The maximum number of changes without a confirmation.
  public static let confirmationThreshold = 5

  /// Whether the listener must confirm it, because it changes much or the step is old.
  /// - Parameter start: steps before this time are old.
  public func needsConfirmation(since start: Date) -> Bool { count > Self.confirmationThreshold || timestamp < start }

  /// - Parameter date: the date of the step as text.
  public func question(date: String) -> String {
    let verb = direction == .back ? "Undo" : "Redo"
    return "\(verb) “\(label)” (\(date))? \(consequence)"
  }
}

/// What an undo or redo has restored or changed, so that it can be selected.
public struct Restored: Sendable, Equatable {
  public var episodes: [EpisodeID] = []
  public var podcasts: [PodcastID] = []
  public var playlist: PlaylistID?
  /// The restored items of playlists.
  public var items: [Playlist.Item] = []
  /// Those of `episodes` that are played or deleted now.
  public var over: Set<EpisodeID> = []
  public init() {}
}
