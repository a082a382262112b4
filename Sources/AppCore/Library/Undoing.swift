import Model

/// The confirmation before an undo or redo that changes many things or something old.
extension State {
  mutating func askUndo(_ plan: UndoPlan) -> [Effect] {
    let question = plan.withSingleQuotes.question(date: calendar.listDay(plan.timestamp, now: now))
    let key = keymap.hint(plan.direction == .back ? .undo : .redo)
    // The library took a moment to answer. Keys meant for another overlay must not confirm. If undo was pressed twice,
    // the question is not shown twice.
    guard overlays.isEmpty else {
      if !overlays.contains(where: { ($0.content as? Confirm)?.question == question }) {
        showMessage(.note, "Nothing was changed: \(key) asks first")
      }
      return []
    }
    let word = plan.direction == .back ? "Undoing" : "Redoing"
    return ask(question, yes: [.write(.undoConfirmed(plan))], done: "\(word) “\(plan.withSingleQuotes.label)”")
  }
}

extension UndoPlan {
  /// The plan with single quotes in its label, for sentences that put the label in double quotes.
  public var withSingleQuotes: UndoPlan {
    var plan = self
    plan.label = label.replacing("“", with: "‘").replacing("”", with: "’")
    return plan
  }
}

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
  /// - Parameter selected: the item that was selected. It stays selected if it is one of them, or a clip of one.
  mutating func restoredRow(in entries: [PlaylistEntry], selected: Playlist.Item?) -> Int? {
    guard let restored else { return nil }
    let rows = entries.indices.filter {
      restored.items.contains(entries[$0].item) || restored.episodes.contains(entries[$0].episode)
    }
    if !rows.isEmpty { self.restored = nil }
    return rows.first { entries[$0].item == selected } ?? rows.first
  }
}
