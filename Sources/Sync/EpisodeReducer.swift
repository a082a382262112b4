/// Reads any number of actions and keeps only the newest change of each episode, so that a history of 50,000 actions is
/// never in memory at once.
public struct EpisodeReducer: Sendable {
  private struct Key: Hashable, Sendable {
    var podcast: String
    var episode: String
  }
  private var places: [Key: Int] = [:]
  private var changes: [EpisodeChange] = []

  public init() {}

  /// - Returns: false if a newer change is already known.
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
    // Servers drop the guid and the duration from some actions of an episode, so they are taken from the older
    // action.
    if change.episode.guid == nil { changes[place].episode.guid = old.episode.guid }
    if change.total == nil { changes[place].total = old.total }
    return true
  }

  /// The newest changes, sorted from oldest to newest.
  public var result: [EpisodeChange] { changes.sorted { $1.supersedes($0) } }
}
