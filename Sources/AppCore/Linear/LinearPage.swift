import Model
import TerminalKit

/// What `--linear` shows between heading and message: the page of a list on which the selected entry is, or a page of text.
public struct LinearPage {
  var heading: String
  var lines: [String]
  /// The line on which the cursor stands.
  var cursor = 0

  init(state: State, size: Size) {
    self = state.overlays.last?.content.page(state, size) ?? LinearPage(pane: state.focusedPane, state, size)
  }

  private init(pane: Pane, _ state: State, _ size: Size) {
    let screen = state.screen
    switch pane {
    case .podcasts:
      self.init(
        "Podcasts", screen.podcasts, size,
        else: ["No podcasts yet. \(state.keymap.hint(.add)) adds one by its address."]
      ) {
        state.podcasts.indices.contains($0) ? AccessibleText.podcast(state.podcasts[$0], width: size.width) : ""
      }
    case .playlists:
      self.init(
        "Playlists", screen.playlists, size, else: ["No playlists yet. \(state.keymap.hint(.newPlaylist)) makes one."]
      ) {
        state.playlists.indices.contains($0) ? AccessibleText.playlist(state.playlists[$0], width: size.width) : ""
      }
    case .episodes:
      let title =
        switch state.tab {
        case .podcasts: state.selectedPodcast?.title ?? "Episodes"
        case .playlists: state.selectedPlaylist?.title ?? "Playlist"
        default: state.tab.title
        }
      self.init(Sanitize.line(title), screen.episodes.list, size, else: state.tab.emptyText(state.keymap)) {
        guard screen.episodes.ids.indices.contains($0) else { return "" }
        let clip = screen.entries.entries.indices.contains($0) ? screen.entries.entries[$0].clip : nil
        return AccessibleText.episode(
          screen.episodes.ids[$0], clip: state.tab == .playlists ? clip : nil, width: size.width, state)
      }
    case .chapters:
      let chapters = state.player.chapters
      self.init("Chapters", state.listening?.chapters ?? ListState(), size, else: ["No chapters."]) {
        chapters.indices.contains($0) ? AccessibleText.chapter(chapters[$0], width: size.width) : ""
      }
    case .upNext:
      self.init("Up next", state.listening?.upNext ?? ListState(), size, else: Tab.queue.emptyText(state.keymap)) {
        state.queue.indices.contains($0)
          ? AccessibleText.episode(state.queue[$0], clip: nil, width: size.width, state) : ""
      }
    case .transcript: self.init(transcript: state.transcript, size)
    case .detail: self.init("Details", text: screen.detail.lines.map(\.text), from: screen.detail.top, size)
    case .notes, .cover:
      let notes = state.listening?.notes
      self.init("Notes", text: notes?.lines.map(\.text) ?? ["Nothing is playing."], from: notes?.top ?? 0, size)
    }
  }

  /// The page of a list on which the selection is: pages do not overlap, so that an entry keeps its place.
  init(
    _ title: String, _ list: ListState, _ size: Size, else nothing: [String] = [], _ line: (Int) -> String
  ) {
    let height = max(1, size.height)
    guard let selected = list.selection else {
      heading = title
      lines = nothing
      return
    }
    let first = selected / height * height
    let last = min(list.count, first + height)
    heading = list.count > height ? "\(title), \(first + 1) to \(last) of \(list.count)" : "\(title), \(list.count)"
    lines = (first..<last).map(line)
    cursor = selected - first
  }

  init(_ title: String, text: [String], from top: Int, _ size: Size) {
    let first = min(max(0, top), max(0, text.count - 1))
    heading = text.count > size.height ? "\(title), line \(first + 1) of \(text.count)" : title
    lines = Array(text.dropFirst(first).prefix(size.height))
  }

  /// As many lines as there is room for from the first one that is seen; a long one takes several rows.
  private init(transcript: TranscriptPane, _ size: Size) {
    heading = "Transcript"
    lines = []
    switch transcript.content {
    case .lines(let all):
      for (index, line) in all.enumerated().dropFirst(transcript.top) {
        if index == transcript.selected { cursor = lines.count }
        lines += TranscriptText.wrapped(line, width: size.width).map { $0.map(\.text).joined() }
        if lines.count >= size.height { break }
      }
    case .unknown, .awaited: lines = ["No transcript yet."]
    case .missing(let reason): lines = [reason]
    }
  }
}
