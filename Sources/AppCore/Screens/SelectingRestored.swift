import Model

/// Selects what an undo or redo restored, or what a link led to, in the current list.
extension State {
  mutating func select(_ restored: Restored) {
    self.restored = restored
    if let podcast = restored.podcasts.first { selectWhenLoaded = podcast }
  }

  /// Selects a restored episode in a new list of episodes. If several were restored, the selected one stays, else the
  /// first is selected.
  mutating func selectRestoredEpisode() {
    guard let episodes = restored.map({ Set($0.episodes) }), !episodes.isEmpty else { return }
    // The answer may belong to an earlier question.
    guard let first = screen.episodes.ids.first(where: episodes.contains) else { return }
    restored?.episodes = []
    if let selected = screen.episodes.selected, episodes.contains(selected) { return }
    screen.episodes.select(first)
  }

  /// The row of a restored playlist item.
  mutating func restoredRow(in entries: [PlaylistEntry]) -> Int? {
    guard let restored else { return nil }
    let row = entries.firstIndex { restored.items.contains($0.item) || restored.episodes.contains($0.episode) }
    if row != nil { self.restored = nil }
    return row
  }
}
