import Model
import TerminalKit

/// What a command acts on: the selected rows of a list, else the row under the cursor. In the list of playlists it is
/// everything in the playlist.
struct Targets: Equatable {
  var items: [Playlist.Item] = []
  /// The episodes of the items, in the order of the list. Each is there once.
  var episodes: [EpisodeID] = []
  /// The last of their rows in the focused list; nil if the focused pane is no list of them.
  var lastRow: Int?

  var isEmpty: Bool { episodes.isEmpty }

  /// The only episode; nil if there are several.
  var single: EpisodeID? { items.count == 1 ? episodes.first : nil }
}

extension State {
  /// The only code that decides what a command acts on.
  var targets: Targets {
    switch focusedPane {
    case .episodes:
      let ids = screen.episodes.ids
      let selected = selectedRows
      let rows = selected.isEmpty ? screen.episodes.list.selection.map { [$0] } ?? [] : selected
      return Targets(
        items: rows.map(item), episodes: rows.filter(ids.indices.contains).map { ids[$0] }.uniqued(),
        lastRow: rows.last)
    case .playlists:
      let shown = screens.playlists.entries
      guard shown.playlist == selectedPlaylist?.id else { return Targets() }
      return Targets(
        items: shown.entries.map(\.item), episodes: shown.entries.map(\.episode).uniqued(),
        lastRow: screens.playlists.list.selected)
    default:
      guard let id = selectedEpisode else { return Targets() }
      return Targets(items: [selectedEntry?.item ?? .episode(id)], episodes: [id])
    }
  }

  /// The cursor after a command: it goes on to the row after those that the command acted on, and the selection ends.
  /// If these rows leave the list, the row after them is under the cursor.
  mutating func moveOn(from targets: Targets) {
    if focusedPane == .episodes { screen.episodes.several = MultiSelection() }
    guard let last = targets.lastRow, let pane = focusedPane.kind as? any ListPane else { return }
    _ = moveSelection(.rows(last + 1 - pane.list(self).selected))
  }

  /// “Title” for one episode, `12 episodes` for several.
  /// - Parameter status: counts only the episodes that do not have this status yet.
  func words(_ targets: Targets, without status: EpisodeStatus? = nil) -> String {
    guard let id = targets.single else {
      let count = targets.episodes.count { status == nil || library.rows[$0]?.status != status }
      return Counted.text(count, "episode")
    }
    return library.rows[id].map { "“\($0.title)”" } ?? "the episode"
  }
}
