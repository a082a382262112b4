import Model
import TerminalKit

/// The podcasts, each with its count of unplayed episodes.
struct PodcastsPane: ListPane {
  func title(_ state: State) -> String { "Podcasts" }
  func note(_ state: State, height: Int) -> String { state.podcasts.isEmpty ? "" : "\(state.podcasts.count)" }
  func context(_ state: State) -> Context { .podcasts }
  func episode(_ state: State) -> EpisodeID? { nil }

  func hints(_ state: State) -> [(CommandName, String)] {
    if state.podcasts.isEmpty {
      return [(.add, "add a podcast"), (.help, "help"), (.command, "command"), (.quitScreen, "quit")]
    }
    return [
      (.open, "open"), (.add, "add"), (.refreshAll, "refresh"), (.help, "help"), (.pause, "play"), (.search, "search"),
      (.unsubscribe, "unsubscribe"), (.quitScreen, "quit"),
    ]
  }

  func list(_ state: State) -> ListState { state.screens.inPodcasts.list }
  func setList(_ list: ListState, _ state: inout State) { state.screens.inPodcasts.list = list }
  func matches(_ words: String, _ state: State) -> [Int] {
    state.podcasts.indices.filter { SearchText.matches(state.podcasts[$0].title, words) }
  }

  func open(_ state: inout State) -> [Effect] {
    state.screen.focus = .episodes
    return []
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let nothing = ["No podcasts yet. \(state.keymap.hint(.add)) adds one by its address."]
    return LinearPage("Podcasts", list(state), size, else: nothing) {
      state.podcasts.indices.contains($0) ? AccessibleText.podcast(state.podcasts[$0], width: size.width) : ""
    }
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    guard !state.podcasts.isEmpty else {
      let lines = [
        "No podcasts yet.", "\(state.keymap.hint(.add)) adds one by its address,", "earshot import FILE",
        "takes an OPML file.",
      ]
      let shown = state.podcastsQuery.hasAnswer ? lines : []
      return EmptyText(theme: state.theme, lines: shown).draw(into: &frame, rect)
    }
    let list = list(state)
    let words = state.screen.search.map { SearchText.fold($0.words) }
    for (line, index) in list.visibleRange(height: rect.height).enumerated()
    where state.podcasts.indices.contains(index) {
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      draw(state.podcasts[index], base, words: words, into: &frame, rect.row(line))
    }
  }

  private func draw(_ podcast: PodcastRow, _ base: RowStyle, words: String?, into frame: inout Frame, _ row: Rect) {
    frame.fill(row, style: base.background)
    let count = podcast.unplayed > 0 ? String(podcast.unplayed) : ""
    let isBroken = if case .failed = podcast.health { true } else { podcast.health == .gone }
    let mark = isBroken ? Glyphs(ascii: false).broken : ""
    let right = [mark, count].filter { !$0.isEmpty }.joined(separator: " ")
    let room = row.width - 1 - (right.isEmpty ? 0 : right.count + 1)
    let isMatch = words.map { !$0.isEmpty && SearchText.matches(podcast.title, $0) } ?? false
    let role: Role = isMatch ? .match : podcast.unplayed > 0 ? .title : .text
    frame.put(podcast.title, x: row.x + 1, y: row.y, width: room, style: base.style(role))
    var x = row.maxX - right.count
    if !mark.isEmpty { x += frame.put(mark + " ", x: x, y: row.y, style: base.style(.error)) }
    frame.put(count, x: x, y: row.y, style: base.style(.new))
  }
}
