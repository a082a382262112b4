import Foundation

/// Which way through the changes of the library.
public enum UndoDirection: String, Sendable, Equatable, Codable, CaseIterable {
  /// Undo: takes back the newest change.
  case back
  /// Redo: does again what was taken back last.
  case forward
}

/// What undo or redo would do next.
public struct UndoPlan: Sendable, Equatable {
  /// Of the step; who agreed to it names it, so that no other one is done.
  public var id: Int64
  public var direction: UndoDirection
  /// What was done then, for people: "Delete “An episode”".
  public var label: String
  /// When it was done.
  public var timestamp: Date
  /// Podcasts, episodes, queue places, clips, tags and playlists that would change.
  public var count: Int
  /// What would happen, for people: "Unsubscribe from 120 podcasts."
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

  /// So many things change without a question.
  public static let handful = 5

  /// Whether the listener is asked first: much would change, or it was done so long ago that it may be forgotten.
  /// - Parameter start: steps before this moment are old.
  public func needsQuestion(since start: Date) -> Bool { count > Self.handful || timestamp < start }

  /// - Parameter date: of the step, in the listener's words.
  public func question(date: String) -> String {
    let verb = direction == .back ? "This takes back" : "This does again"
    return "\(verb) “\(label)” (\(date)). \(consequence)"
  }
}

/// What an undo, or a redo, has brought back or changed, for the selection to go there.
public struct Restored: Sendable, Equatable {
  public var episodes: [EpisodeID] = []
  public var podcasts: [PodcastID] = []
  public var playlist: PlaylistID?
  /// Of playlists: those that are there again.
  public var items: [Playlist.Item] = []
  public init() {}
}
