import Model
import TerminalKit

/// Moving about: within the pane that has the focus, between panes, and back.
extension State {
  mutating func move(_ name: CommandName, _ argument: String?) -> [Effect] {
    switch name {
    case .down: moveSelection(.rows(1))
    case .up: moveSelection(.rows(-1))
    case .first: moveSelection(.first)
    case .last: moveSelection(.last)
    case .halfPageDown: moveSelection(.halfPages(1))
    case .halfPageUp: moveSelection(.halfPages(-1))
    case .pageDown: moveSelection(.pages(1))
    case .pageUp: moveSelection(.pages(-1))
    case .left: focus(by: -1, wraps: false)
    case .right: focus(by: 1, wraps: false)
    case .nextPane: focus(by: 1, wraps: true)
    case .previousPane: focus(by: -1, wraps: true)
    case .open: return open()
    case .back:
      if let effects = stopAdding() { return effects }
      _ = back()
    case .search:
      guard let argument else {
        openSearch()
        return []
      }
      return search(argument)
    case .searchNext: return searchAgain(forward: true)
    case .searchPrevious: return searchAgain(forward: false)
    default: break
    }
    return []
  }

  private enum Step {
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

  mutating func moveSelection(rows: Int) { moveSelection(.rows(rows)) }

  private mutating func moveSelection(_ step: Step) {
    if listening != nil { return moveInListening(step.listening) }
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

  private mutating func focus(by step: Int, wraps: Bool) {
    guard listening == nil else {
      listening?.next(step)
      return
    }
    guard !screen.isReading else { return }
    let panes = tab.panes
    guard let index = panes.firstIndex(of: screen.focus) else { return }
    let target = wraps ? (index + step + panes.count) % panes.count : index + step
    if panes.indices.contains(target) { screen.focus = panes[target] }
  }

  private mutating func open() -> [Effect] {
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

  mutating func view(_ name: CommandName, _ argument: String?) -> [Effect] {
    switch name {
    case .podcasts: show(.podcasts)
    case .new: show(.new)
    case .queue: show(.queue)
    case .downloads: show(.downloads)
    case .playlists: show(.playlists)
    case .history: show(.history)
    case .find:
      show(.find)
      if let argument { return find(argument) }
      overlays.append(.prompt(Prompt(.find, offered: screen.words)))
    case .details:
      if listening != nil { return listen(.notes) }
      screen.isReading.toggle()
    case .nowPlaying: return listen(nil)
    case .transcript: return listen(.transcript)
    case .wider: return resizePane(by: 2)
    case .narrower: return resizePane(by: -2)
    case .nextTheme:
      guard let next = themes.first(where: { $0 > theme.name }) ?? themes.first else {
        say(.note, "No other themes were found")
        return []
      }
      return choose(theme: next)
    case .theme:
      if let argument { return choose(theme: argument) }
      let selected = themes.firstIndex(of: theme.name) ?? 0
      var picker = Picker(.theme, title: "Theme", items: themes, selected: selected)
      picker.themeBefore = theme
      overlays.append(.picker(picker))
    default: break
    }
    return []
  }

  private mutating func show(_ tab: Tab) {
    listening = nil
    self.tab = tab
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
