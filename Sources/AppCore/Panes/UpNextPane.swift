import Model
import TerminalKit

/// The queue in the full-screen view.
struct UpNextPane: ListPane, ListeningPane {
  func title(_ state: State) -> String { "Up next" }
  func note(_ state: State, height: Int) -> String { state.queue.isEmpty ? "" : "\(state.queue.count)" }
  func context(_ state: State) -> Context { .queue }
  func hints(_ state: State) -> [(CommandName, String)] {
    listeningHints(state, open: state.queue.isEmpty ? nil : "play")
  }

  func episode(_ state: State) -> EpisodeID? {
    list(state).selection.flatMap { state.queue.indices.contains($0) ? state.queue[$0] : nil }
  }

  func list(_ state: State) -> ListState { state.listening?.upNext ?? ListState() }
  func setList(_ list: ListState, _ state: inout State) { state.listening?.upNext = list }
  func matches(_ words: String, _ state: State) -> [Int] {
    state.queue.indices.filter { SearchText.matches(state.rows[state.queue[$0]]?.title ?? "", words) }
  }

  func open(_ state: inout State) -> [Effect] { episode(state).map { state.play($0) } ?? [] }

  func page(_ state: State, _ size: Size) -> LinearPage {
    LinearPage("Up next", list(state), size, else: QueueScreen().emptyText(state.keymap)) {
      state.queue.indices.contains($0)
        ? AccessibleText.episode(state.queue[$0], clip: nil, width: size.width, state) : ""
    }
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    guard !state.queue.isEmpty, let list = state.listening?.upNext else {
      return EmptyText(theme: state.theme, lines: QueueScreen().emptyText(state.keymap)).draw(into: &frame, rect)
    }
    let visible = list.visibleRange(height: rect.height).filter(state.queue.indices.contains)
    let columns = RowColumns(paneWidth: rect.width, namesPodcast: true)
    for (line, index) in visible.enumerated() {
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      EpisodeRowView(
        state: state, id: state.queue[index], base: base, columns: columns
      ).draw(into: &frame, rect.row(line))
    }
  }
}
