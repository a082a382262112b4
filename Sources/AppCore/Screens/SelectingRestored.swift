import Model

/// What an undo, or a redo, has brought back, or a link has led to, gets the selection, where it is in the list that is shown.
extension State {
  mutating func select(_ restored: Restored) {
    self.restored = restored
    if let podcast = restored.podcasts.first { selectWhenLoaded = podcast }
  }

  /// The list of episodes has come anew. Of many that came back the one that is selected stays, else the first is.
  mutating func selectRestoredEpisode() {
    guard let episodes = restored.map({ Set($0.episodes) }), !episodes.isEmpty else { return }
    // The list may be one that was asked for before.
    guard let first = screen.episodes.ids.first(where: episodes.contains) else { return }
    restored?.episodes = []
    if let selected = screen.episodes.selected, episodes.contains(selected) { return }
    screen.episodes.select(first)
  }

  /// The row of a playlist's entries that came back.
  mutating func restoredRow(in entries: [PlaylistEntry]) -> Int? {
    guard let restored else { return nil }
    let row = entries.firstIndex { restored.items.contains($0.item) || restored.episodes.contains($0.episode) }
    if row != nil { self.restored = nil }
    return row
  }
}
