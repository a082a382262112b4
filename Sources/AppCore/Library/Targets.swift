import Model
import TerminalKit

/// What a command acts on: the selected rows of a list, else the row under the cursor. In the list of playlists it is
/// everything in the playlist.
struct Targets: Equatable, Sendable {
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
  /// The selected rows of the list of episodes, else the row under the cursor.
  var targetRows: [Int] {
    let selected = selectedRows
    let rows = selected.isEmpty ? screen.episodes.list.selection.map { [$0] } ?? [] : selected
    return rows.filter(screen.episodes.ids.indices.contains)
  }

  /// The only code that decides what a command acts on.
  var targets: Targets {
    switch focusedPane {
    case .episodes:
      let (rows, ids) = (targetRows, screen.episodes.ids)
      return Targets(items: rows.map(item), episodes: rows.map { ids[$0] }.uniqued(), lastRow: rows.last)
    case .playlists:
      let entries = screens.playlists.entries
      guard screens.playlists.shown?.playlist == selectedPlaylist?.id else { return Targets() }
      return Targets(
        items: entries.map(\.item), episodes: entries.map(\.episode).uniqued(),
        lastRow: screens.playlists.list.selected)
    default:
      guard let id = selectedEpisode else { return Targets() }
      return Targets(items: [selectedEntry?.item ?? .episode(id)], episodes: [id])
    }
  }

  /// Does the action on the targets. What it does depends on their rows, and a long list has only some in memory. The
  /// library is asked for the others first.
  mutating func act(_ action: TargetAction, on targets: Targets) -> [Effect] {
    let isKnown = targets.single != nil || targets.episodes.allSatisfy { library.rows[$0] != nil }
    return isKnown ? action.perform(on: targets, &self) : [ask(TargetRowsQuestion(action: action, targets: targets))]
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

/// What commands do with several episodes, depending on their rows.
enum TargetAction: Sendable {
  case togglePlayed, delete, download, dropDownloads

  func perform(on targets: Targets, _ state: inout State) -> [Effect] {
    switch self {
    case .togglePlayed: state.togglePlayed(targets)
    case .delete: state.delete(targets)
    case .download: state.download(several: targets)
    case .dropDownloads: state.dropDownloads(targets)
    }
  }
}

/// Asks for the rows of the targets of a command, to go on with it.
private struct TargetRowsQuestion: LibraryQuestion {
  var action: TargetAction
  var targets: Targets

  func read(_ library: any LibraryReader) throws -> [EpisodeRow]? { try library.episodeRows(targets.episodes) }

  func receive(_ rows: [EpisodeRow], _ state: inout State) -> [Effect] {
    state.library.remember(rows)
    return action.perform(on: targets, &state)
  }
}
