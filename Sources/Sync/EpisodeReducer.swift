/// Reads any number of actions and keeps only the newest change of each episode, so that a history of 50,000 actions is
/// never in memory at once.
public struct EpisodeReducer: Sendable {
  private struct File: Hashable {
    var podcast: String
    var mediaURL: String
  }
  /// By guid and address together: two episodes may have the same file, or the same guid.
  private var indexes: [EpisodeReference: Int] = [:]
  private var changes: [EpisodeChange] = []

  public init() {}

  public mutating func add(_ change: EpisodeChange) {
    guard let index = indexes[change.episode] else {
      indexes[change.episode] = changes.count
      changes.append(change)
      return
    }
    changes[index] = Self.newest(changes[index], change)
  }

  /// The newest changes, sorted from oldest to newest.
  public var result: [EpisodeChange] {
    // Servers drop the guid from some actions of an episode. They belong to the only guid of the same file.
    var owners: [File: Int?] = [:]
    var result = changes
    for (index, change) in changes.enumerated() where change.episode.guid != nil {
      guard let file = Self.file(change) else { continue }
      owners.updateValue(owners[file] == nil ? index : nil, forKey: file)
    }
    var merged: Set<Int> = []
    for (index, change) in changes.enumerated() where change.episode.guid == nil {
      guard let file = Self.file(change), let owner = owners[file] ?? nil else { continue }
      result[owner] = Self.newest(result[owner], change)
      merged.insert(index)
    }
    return result.indices.filter { !merged.contains($0) }.map { result[$0] }.sorted { $1.supersedes($0) }
  }

  private static func file(_ change: EpisodeChange) -> File? {
    change.episode.mediaURL.map { File(podcast: change.episode.podcast, mediaURL: $0) }
  }

  /// The newer of two changes of an episode. Servers drop the guid and the duration from some actions, so they are
  /// taken from the older one.
  private static func newest(_ old: EpisodeChange, _ new: EpisodeChange) -> EpisodeChange {
    var (first, second) = (old, new)
    if !new.supersedes(old) { swap(&first, &second) }
    second.episode.guid = second.episode.guid ?? first.episode.guid
    second.total = second.total ?? first.total
    return second
  }
}
