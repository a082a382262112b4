import Model

/// Which episodes of the list that is shown are marked as played. One that arrives while the picker is open is not.
public struct MarkPlayedPicker: PickerPurpose {
  public struct Choice: Equatable, Sendable {
    var text: String
    var episodes: [EpisodeID]
    /// They are all of New. Of serials nothing follows until a new episode arrives.
    var emptiesNew = false
  }

  var list: String
  public var title: String { "Mark \(list.hasPrefix("“") ? list : "“\(list)”") as played" }

  public func text(_ choice: Choice, _ state: State) -> String { choice.text }
  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    state.markPlayed(choice.episodes, emptiesNew: choice.emptiesNew)
  }

  public var hints: [(CommandName, String)] { [(.open, "mark"), (.back, "close")] }
}

extension State {
  /// `M`: marks the list that is shown as played, or a part of it.
  mutating func markListPlayed() -> [Effect] {
    let list = screen.episodes
    let cursor = focusedPane == .episodes ? list.list.selection : nil
    let isNew = list.query.filter == nil && list.query.scope == .new
    return [ask(MarkPlayedQuestion(ids: list.ids, cursor: cursor, isNew: isNew))]
  }

  fileprivate mutating func markPlayed(_ ids: [EpisodeID], emptiesNew: Bool) -> [Effect] {
    showMessage(.info, "Played: \(Counted.text(ids.count, "episode")). \(keymap.press(.undo)) to undo.")
    return mark(ids, .played, emptiesNew: emptiesNew)
  }
}

/// Asks which episodes of a list are not played yet, to offer them in the picker.
struct MarkPlayedQuestion: LibraryQuestion {
  /// The whole list, in its order.
  var ids: [EpisodeID]
  var cursor: Int?
  /// It is the list of what is new.
  var isNew = false

  func read(_ library: any LibraryReader) throws -> [UnplayedEpisode]? { try library.unplayed(ids.uniqued()) }

  func receive(_ unplayed: [UnplayedEpisode], _ state: inout State) -> [Effect] {
    let all = unplayed.map(\.id)
    guard !all.isEmpty else { return state.tell(.info, "All of this list is played already") }
    var choices = [
      MarkPlayedPicker.Choice(text: "All \(Counted.text(all.count, "episode"))", episodes: all, emptiesNew: isNew)
    ]
    if let cursor, ids.indices.contains(cursor), let row = state.library.rows[ids[cursor]] {
      let here = row.pubDate
      let older = unplayed.filter { episode in
        guard let here, let date = episode.pubDate else { return false }
        return date < here
      }.map(\.id)
      let before = Set(ids[...cursor])
      let upToHere = all.filter(before.contains)
      let parts = [("older than “\(row.title)”", older), ("from the top up to here", upToHere)]
      for (words, part) in parts where !part.isEmpty && part.count < all.count {
        choices.append(.init(text: "\(part.count) \(words)", episodes: part))
      }
    }
    return state.open(Picker(MarkPlayedPicker(list: state.listTitle), choices))
  }
}
