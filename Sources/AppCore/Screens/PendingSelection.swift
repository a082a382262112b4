import Model

/// What is to be selected as soon as a list has it.
struct PendingSelection: Equatable, Sendable {
  /// The podcast that was just added or restored, or that was selected when the program last ended.
  private var podcast: PodcastID?
  /// The episode and the playlist that were selected when the program last ended.
  private var episode: EpisodeID?
  private var playlist: PlaylistID?
  /// The title of a playlist that was just made or renamed.
  private var playlistTitle: String?
  /// What an undo or redo restored, or what a link led to.
  private var restored: Restored?

  // MARK: What is to be selected

  mutating func set(podcast id: PodcastID) { podcast = id }

  mutating func set(playlist title: String) { playlistTitle = title }

  mutating func set(_ restored: Restored) {
    self.restored = restored
    podcast = restored.podcasts.first ?? podcast
  }

  /// Where the listener was when the program ended.
  mutating func set(_ saved: SavedScreen) {
    if saved.tab == .podcasts { podcast = saved.item.map { PodcastID($0) } }
    if saved.tab == .playlists { playlist = saved.item.map { PlaylistID($0) } }
    episode = saved.episode
  }

  /// After a key, no episode is selected but the one that the listener selects.
  mutating func dropEpisodes() { (restored, episode) = (nil, nil) }

  // MARK: A new list

  mutating func takePodcast(in podcasts: [PodcastRow]) -> PodcastID? {
    guard let podcast, podcasts.contains(where: { $0.id == podcast }) else { return nil }
    self.podcast = nil
    return podcast
  }

  /// The index of the playlist.
  mutating func takePlaylist(in playlists: [Playlist]) -> Int? {
    let index =
      playlistTitle.flatMap { title in playlists.firstIndex { $0.title == title } }
      ?? playlists.firstIndex { $0.id == restored?.playlist } ?? playlists.firstIndex { $0.id == playlist }
    if index != nil { playlistTitle = nil }
    playlist = nil
    return index
  }

  mutating func takeEpisode(in ids: [EpisodeID]) -> EpisodeID? {
    guard let episode, ids.contains(episode) else { return nil }
    self.episode = nil
    return episode
  }

  /// The first of the restored episodes. Nil if one of them is selected already.
  mutating func takeRestored(in ids: [EpisodeID], selected: EpisodeID?) -> EpisodeID? {
    // The answer may belong to an earlier question.
    guard let episodes = restored.map({ Set($0.episodes) }), let first = ids.first(where: episodes.contains) else {
      return nil
    }
    restored?.episodes = []
    if let selected, episodes.contains(selected) { return nil }
    return first
  }

  /// The row of the restored playlist item. The selected item stays if it is one of them, or a clip of one.
  mutating func takeRestored(in entries: [PlaylistEntry], selected: Playlist.Item?) -> Int? {
    guard let restored else { return nil }
    let rows = entries.indices.filter {
      restored.items.contains(entries[$0].item) || restored.episodes.contains(entries[$0].episode)
    }
    if !rows.isEmpty { self.restored = nil }
    return rows.first { entries[$0].item == selected } ?? rows.first
  }
}
