import Model
import TerminalKit

/// Moving about: within the pane that has the focus, between panes, and back.
extension State {
  enum Step {
    case rows(Int), halfPages(Int), pages(Int), first, last

    var listening: ListeningStep {
      switch self {
      case .rows(let rows): .rows(rows)
      case .halfPages(let pages): .pages(Double(pages) / 2)
      case .pages(let pages): .pages(Double(pages))
      case .first: .first
      case .last: .last
      }
    }
  }

  /// As in vim: `5G` is the fifth line.
  mutating func moveSelection(toLine line: Int?, else step: Step) -> [Effect] {
    guard let line else { return moveSelection(step) }
    _ = moveSelection(.first)
    return line > 1 ? moveSelection(.rows(line - 1)) : []
  }

  mutating func moveSelection(_ step: Step) -> [Effect] {
    if listening != nil {
      moveInListening(step.listening)
      return []
    }
    let height = max(1, layout.height(focusedPane))
    switch focusedPane {
    case .podcasts: Self.move(&screen.podcasts, step, height)
    case .playlists: Self.move(&screen.playlists, step, height)
    case .episodes: Self.move(&screen.episodes.list, step, height)
    case .detail:
      switch step {
      // Text that moves by a line is written anew as a whole, and read out as a whole.
      case .rows(let rows): screen.detail.scroll(by: rows * (preferences.isLinear ? height : 1), height: height)
      case .halfPages(let pages): screen.detail.scroll(by: pages * max(1, height / 2), height: height)
      case .pages(let pages): screen.detail.scroll(by: pages * max(1, height - 1), height: height)
      case .first: screen.detail.top = 0
      case .last: screen.detail.scroll(by: screen.detail.lines.count, height: height)
      }
    default: break
    }
    return []
  }

  private static func move(_ list: inout ListState, _ step: Step, _ height: Int) {
    switch step {
    case .rows(let rows): list.move(by: rows)
    case .halfPages(let pages): list.halfPage(by: pages, height: height)
    case .pages(let pages): list.page(by: pages, height: height)
    case .first: list.first()
    case .last: list.last()
    }
  }

  /// The pane that the keys go to.
  var focusedPane: Pane { listening?.part.pane ?? (screen.isReading ? .detail : screen.focus) }

  /// What the keys mean there.
  var context: Context {
    guard let listening else { return screen.context }
    return listening.part == .upNext ? .queue : .player
  }

  mutating func moveFocus(by step: Int, wraps: Bool) -> [Effect] {
    guard listening == nil else {
      listening?.next(step)
      return []
    }
    let panes = tab.panes
    guard !screen.isReading, let index = panes.firstIndex(of: screen.focus) else { return [] }
    let target = wraps ? (index + step + panes.count) % panes.count : index + step
    if panes.indices.contains(target) { screen.focus = panes[target] }
    return []
  }

  mutating func open() -> [Effect] {
    if listening != nil { return openInListening() }
    switch focusedPane {
    case .podcasts, .playlists:
      screen.focus = .episodes
      return []
    case .episodes: return playSelected()
    case .detail:
      guard case .episode(let id) = screen.detail.subject else { return [] }
      return play(id)
    default: return []
    }
  }

  /// One step back: out of the reader, to the pane on the left, to the first screen. False when there is no way back.
  mutating func back() -> Bool {
    if listening != nil {
      listening = nil
      return true
    }
    if screen.isReading {
      screen.isReading = false
      return true
    }
    let panes = tab.panes
    if let index = panes.firstIndex(of: screen.focus), index > 0 {
      screen.focus = panes[index - 1]
      return true
    }
    if screen.search != nil {
      screen.search = nil
      return true
    }
    if tab != .podcasts {
      tab = .podcasts
      return true
    }
    return false
  }

  /// Esc: what is being asked for is called off first.
  mutating func stepBack() -> [Effect] {
    if let effects = stopAdding() { return effects }
    _ = back()
    return []
  }

  mutating func show(_ tab: Tab) -> [Effect] {
    listening = nil
    self.tab = tab
    return []
  }

  mutating func showDetails() -> [Effect] {
    if listening != nil { return listen(.notes) }
    screen.isReading.toggle()
    return []
  }

  /// With words at once, else from a prompt that offers the last ones.
  mutating func findInLibrary(_ words: String?) -> [Effect] {
    _ = show(.find)
    if let words { return find(words) }
    return open(Prompt(FindPrompt(), offered: screen.words))
  }

  mutating func chooseNextTheme() -> [Effect] {
    (themes.first { $0 > theme.name } ?? themes.first).map { choose(theme: $0) } ?? []
  }

  mutating func choose(theme name: String) -> [Effect] {
    guard themes.contains(name) else {
      say(.error, "There is no theme named “\(name)”; there are \(themes.joined(separator: ", "))")
      return []
    }
    say(.note, "Theme \(name)")
    return [.terminal(.loadTheme(name)), .write(.saveSetting(.theme, name))]
  }
}
