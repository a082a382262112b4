import Model
import TerminalKit

/// What the queue plays after the loaded episode (`State.upNext`), in the full-screen view.
struct UpNextPane: ListPane, ListeningPane {
  func title(_ state: State) -> String { "Up next" }
  func note(_ state: State, height: Int) -> String { state.upNext.isEmpty ? "" : "\(state.upNext.count)" }
  func context(_ state: State) -> Context { .queue }
  func hints(_ state: State) -> [(CommandName, String)] {
    listeningHints(state, open: state.upNext.isEmpty ? nil : "play")
  }

  func episode(_ state: State) -> EpisodeID? {
    list(state).selection.flatMap { state.upNext[safe: $0] }
  }

  func list(_ state: State) -> ListState { state.listening?.upNext ?? ListState() }
  func setList(_ list: ListState, _ state: inout State) { state.listening?.upNext = list }
  func matches(_ words: String, _ state: State) -> [Int] {
    let upNext = state.upNext
    return upNext.indices.filter { TextFolding.matches(state.library.rows[upNext[$0]]?.title ?? "", words) }
  }

  func open(_ state: inout State) -> [Effect] { episode(state).map { state.playChosen($0) } ?? [] }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let upNext = state.upNext
    return LinearPage("Up next", list(state), size, else: emptyText(state)) {
      upNext.indices.contains($0)
        ? AccessibleText.episode(upNext[$0], clip: nil, width: size.width, state) : ""
    }
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    let upNext = state.upNext
    guard !upNext.isEmpty, let list = state.listening?.upNext else {
      return EmptyText(theme: state.theme, lines: emptyText(state)).draw(into: &frame, rect)
    }
    let visible = list.visibleRange(height: rect.height).filter(upNext.indices.contains)
    let columns = RowColumns(
      paneWidth: rect.width, namesPodcast: true, marksQueue: false, isNarrow: state.size.width < Layout.medium)
    for (line, index) in visible.enumerated() {
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      EpisodeRowView(
        state: state, id: upNext[index], base: base, columns: columns
      ).draw(into: &frame, rect.row(line))
    }
  }

  private func emptyText(_ state: State) -> [String] {
    state.queue.isEmpty ? QueueScreen().texts(state).empty : ["Nothing comes next: this is all of the queue."]
  }
}
