import Model

/// Collects episodes under their podcasts, in the order in which the other program has them.
struct ForeignCollector<Key: Hashable> {
  private var order: [Key] = []
  private var podcasts: [Key: ForeignPodcast] = [:]

  mutating func add(_ key: Key, _ podcast: ForeignPodcast) {
    if podcasts[key] == nil { order.append(key) }
    podcasts[key] = podcast
  }

  /// One that nobody touched is left to the refresh, and one of no known podcast is nobody's.
  mutating func add(_ episode: ForeignEpisode, to key: Key) {
    guard episode.isTouched else { return }
    podcasts[key]?.episodes.append(episode)
  }

  var all: [ForeignPodcast] { order.compactMap { podcasts[$0] } }
}
