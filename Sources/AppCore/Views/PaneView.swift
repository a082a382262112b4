import Model
import TerminalKit

/// Draws one pane: its title line, the line to its left, and what it holds.
struct PaneView {
  let state: State
  let place: Layout.Place

  func draw(into frame: inout Frame) {
    let theme = state.theme
    guard place.pane != .cover else {
      let address = state.listeningCover(CoverView.size(in: place.content))
      return CoverView(state: state, address: address).drawCentered(into: &frame, place.content)
    }
    let isFocused = state.focusedPane == place.pane
    if place.content.x > place.rect.x {
      let line = Glyphs(ascii: state.preferences.ascii).vertical
      frame.fill(
        Rect(x: place.rect.x, y: place.rect.y, width: 1, height: place.rect.height), with: line,
        style: theme[.border].over(theme[.text]))
    }
    drawTitle(into: &frame, isFocused: isFocused)
    switch place.pane {
    case .podcasts: PodcastsView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .episodes: EpisodesView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .playlists: PlaylistsView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .detail:
      DetailView(state: state, detail: state.screen.detail, isFocused: isFocused).draw(into: &frame, place.content)
    case .notes:
      guard let notes = state.listening?.notes, notes.subject != nil else {
        let lines = ["Nothing is playing.", "\(state.keymap.hint(.open)) on an episode plays it."]
        return EmptyText(theme: theme, lines: lines).draw(into: &frame, place.content)
      }
      DetailView(state: state, detail: notes, isFocused: isFocused).draw(into: &frame, place.content)
    case .transcript: TranscriptView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .chapters: ChaptersView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .upNext: UpNextView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .cover: break
    }
  }

  /// What the pane shows and how much of it there is; a line runs through the title of one that stands below another.
  private func drawTitle(into frame: inout Frame, isFocused: Bool) {
    let theme = state.theme
    let row = Rect(x: place.content.x, y: place.rect.y, width: place.content.width, height: 1)
    let style = (isFocused ? theme[.borderFocused].with(.bold) : theme[.dim]).over(theme[.text])
    let isBelow = place.rect.y > state.layout.tabs.maxY
    if isBelow {
      let line = Glyphs(ascii: state.preferences.ascii).horizontal
      frame.fill(row, with: line, style: theme[.border].over(theme[.text]))
    }
    let right = note
    let room = row.width - Clusters.width(right) - 3
    frame.put(isBelow ? " \(title) " : title, x: row.x + (isBelow ? 0 : 1), y: row.y, width: max(0, room), style: style)
    if !right.isEmpty, Clusters.width(right) < row.width {
      let text = isBelow ? " " + right : right
      frame.put(text, x: row.maxX - Clusters.width(text), y: row.y, style: theme[.dim].over(theme[.text]))
    }
  }

  private var title: String {
    switch place.pane {
    case .podcasts: return "Podcasts"
    case .episodes:
      switch state.tab {
      case .podcasts: return state.selectedPodcast?.title ?? "Episodes"
      case .find: return state.screen.words.isEmpty ? "Search" : "“\(state.screen.words)”"
      case .playlists: return state.selectedPlaylist?.title ?? "Playlist"
      default: return state.tab.title
      }
    case .playlists: return "Playlists"
    case .detail: return "Details"
    case .transcript: return "Transcript"
    case .chapters: return "Chapters"
    case .notes: return "Notes"
    case .upNext: return "Up next"
    case .cover: return ""
    }
  }

  /// What stands at the right of the title line: how much there is.
  private var note: String {
    switch place.pane {
    case .podcasts: return state.podcasts.isEmpty ? "" : "\(state.podcasts.count)"
    case .episodes:
      let list = state.screen.episodes
      guard !list.ids.isEmpty else { return "" }
      let filter = state.tab == .podcasts && state.unplayedOnly ? "unplayed " : ""
      return "\(filter)\(list.list.selected + 1)/\(list.ids.count)"
    case .playlists: return state.playlists.isEmpty ? "" : "\(state.playlists.count)"
    case .detail: return share(of: state.screen.detail)
    case .notes: return state.listening.map { share(of: $0.notes) } ?? ""
    case .transcript:
      let pane = state.transcript
      guard !pane.lines.isEmpty else { return "" }
      return pane.follows && pane.heard != nil ? "following" : "\(pane.selected + 1)/\(pane.lines.count)"
    case .chapters:
      let count = state.player.chapters.count
      return count == 0 ? "" : state.player.chapterIndex.map { "\($0 + 1)/\(count)" } ?? "\(count)"
    case .upNext: return state.queue.isEmpty ? "" : "\(state.queue.count)"
    case .cover: return ""
    }
  }

  /// How far a text is scrolled; nothing where all of it is seen.
  private func share(of detail: DetailPane) -> String {
    let height = place.content.height
    guard detail.lines.count > height, height > 0 else { return "" }
    return "\(min(100, (detail.top + height) * 100 / detail.lines.count)) %"
  }
}
