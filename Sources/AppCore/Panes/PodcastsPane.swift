import Model
import TerminalKit

/// The podcasts with the number of their new episodes, optionally in groups.
struct PodcastsPane: SidePane {
  func title(_ state: State) -> String { "Podcasts" }
  func note(_ state: State, height: Int) -> String {
    state.library.podcasts.isEmpty ? "" : "\(state.library.podcasts.count)"
  }
  func context(_ state: State) -> Context { .podcasts }

  func hints(_ state: State) -> [(CommandName, String)] {
    if state.library.podcasts.isEmpty {
      return [
        (.discover, "find podcasts"), (.add, "add one"), (.help, "help"), (.command, "command"), (.quitScreen, "quit"),
      ]
    }
    if let group = state.selectedPodcastLine?.group {
      return [
        (.open, group.isFolded ? "unfold" : "fold"), (.sortPodcasts, "order"), (.help, "help"), (.quitScreen, "quit"),
      ]
    }
    // On the first day there is only the welcome podcast.
    if state.library.podcasts.count == 1 {
      return [
        (.open, "open"), (.discover, "find podcasts"), (.add, "add one"), (.help, "help"), (.pause, "play"),
        (.quitScreen, "quit"),
      ]
    }
    return [
      (.open, "open"), (.add, "add"), (.refreshAll, "refresh"), (.help, "help"), (.pause, "play"), (.search, "search"),
      (.unsubscribe, "unsubscribe"), (.sortPodcasts, "order"), (.quitScreen, "quit"),
    ]
  }

  func list(_ state: State) -> ListState { state.screens.podcasts.list }
  func setList(_ list: ListState, _ state: inout State) { state.screens.podcasts.list = list }
  func sideWidth(_ state: State) -> Int { state.library.podcastTitleWidth + 7 }
  func count(_ state: State) -> Int { state.library.podcastLines.count }
  func title(of row: Int, _ state: State) -> String { state.library.podcastLines[row].title }

  func nothing(_ state: State) -> [String] {
    let lines = [
      "No podcasts yet. Press", "\(state.keymap.hint(.discover)) to find some,",
      "\(state.keymap.hint(.add)) to add one by its address,",
      "\(state.keymap.hint(.named("import"))) to import an OPML file.",
    ]
    return state.library.podcastsQuery.hasAnswer ? lines : []
  }

  /// A match in a folded group unfolds the group, as in vim.
  func goToMatch(_ words: String, _ way: SearchOptions, _ state: inout State) -> Bool {
    let folded = state.library.arrangement.folded
    state.arrangePodcasts { $0.arrangement.folded = [] }
    let isFound = selectMatch(words, way, &state)
    let group = state.podcastGroup(of: list(state).selected)?.key
    let isInGroup = isFound && state.selectedPodcastLine?.podcast != nil
    state.arrangePodcasts { $0.arrangement.folded = folded.filter { !isInGroup || $0 != group } }
    return isFound
  }

  func open(_ state: inout State) -> [Effect] {
    if state.selectedPodcastLine?.group != nil { return state.foldGroup() }
    state.screen.focus = .episodes
    return []
  }

  /// The sign of a group folds it.
  func press(_ point: Point, in content: Rect, _ state: inout State) -> [Effect] {
    point.x < content.x + 3 && state.selectedPodcastLine?.group != nil ? state.foldGroup() : []
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    LinearPage("Podcasts", list(state), size, else: Self.noPodcasts(state.keymap)) {
      guard state.library.podcastLines.indices.contains($0) else { return "" }
      return AccessibleText.podcast(state.library.podcastLines[$0], width: size.width)
    }
  }

  static func noPodcasts(_ keymap: Keymap) -> [String] {
    [
      "No podcasts yet.",
      "\(keymap.press(.discover)) to find some, \(keymap.hint(.add)) to add one by its address.",
    ]
  }

  func row(_ index: Int, _ state: State) -> SideRow {
    let glyphs = state.glyphs
    switch state.library.podcastLines[index] {
    case .group(let group):
      let sign = (group.isFolded ? glyphs.folded : glyphs.unfolded, Role.accent)
      let title = group.isFolded ? "\(group.title) (\(group.podcasts))" : group.title
      return SideRow(
        sign: sign, indent: 3, title: title, role: .heading, count: Totals.shown(group.new))
    case .podcast(let podcast):
      let isBroken = if case .failed = podcast.health { true } else { podcast.health == .gone }
      let isInGroup = state.library.podcastLines[0].group != nil
      return SideRow(
        indent: isInGroup ? 3 : 1, title: podcast.title, role: podcast.new > 0 ? .title : .text,
        mark: isBroken ? (glyphs.broken, .error) : podcast.isLive ? (glyphs.live, .accent) : nil,
        count: Totals.shown(podcast.new),
        countRole: .new)
    }
  }
}
