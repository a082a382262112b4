import Model

/// Collects episodes by podcast, in the order of the other program.
struct ForeignCollector<Key: Hashable> {
  private var order: [Key] = []
  private var podcasts: [Key: ForeignPodcast] = [:]

  mutating func add(_ key: Key, _ podcast: ForeignPodcast) {
    if podcasts[key] == nil { order.append(key) }
    podcasts[key] = podcast
  }

  /// Adds an episode. Episodes without data of the listener are left out, because the first refresh adds them. Episodes
  /// of unknown podcasts are dropped.
  mutating func add(_ episode: ForeignEpisode, to key: Key) {
    guard episode.hasListenerData else { return }
    podcasts[key]?.episodes.append(episode)
  }

  var all: [ForeignPodcast] { order.compactMap { podcasts[$0] } }
}

extension ForeignLibrary {
  /// Adds a sentence about something that could not be imported, unless `count` is 0.
  mutating func addNote(_ count: Int, one: String, many: String) {
    guard count > 0 else { return }
    notes.append(Counted.text(count, one, many))
  }
}
