/// Keeps the newest that is said of each episode, from however many actions: a history of 50,000 is never in memory.
public struct EpisodeReducer: Sendable {
  private struct Key: Hashable, Sendable {
    var podcast: String
    var episode: String
  }
  private var places: [Key: Int] = [:]
  private var changes: [EpisodeChange] = []

  public init() {}

  /// - Returns: false when something newer was there.
  @discardableResult
  public mutating func add(_ change: EpisodeChange) -> Bool {
    guard let name = change.episode.mediaURL ?? change.episode.guid else { return false }
    let key = Key(podcast: change.episode.podcast, episode: name)
    guard let place = places[key] else {
      places[key] = changes.count
      changes.append(change)
      return true
    }
    let old = changes[place]
    guard change.supersedes(old) else { return false }
    changes[place] = change
    // Servers lose guids and lengths in some actions of an episode and keep them in others.
    if change.episode.guid == nil { changes[place].episode.guid = old.episode.guid }
    if change.total == nil { changes[place].total = old.total }
    return true
  }

  /// The oldest first, whatever the server's order is.
  public var result: [EpisodeChange] { changes.sorted { $1.supersedes($0) } }
}
