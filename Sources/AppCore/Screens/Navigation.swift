import Model
import TerminalKit

/// Navigation: within the focused pane, between panes, and back.
extension State {
  /// `5G` goes to the fifth line, as in vim.
  mutating func moveSelection(toLine line: String?, else step: MoveStep) -> [Effect] {
    guard let line = line.flatMap(Int.init) else { return moveSelection(step) }
    _ = moveSelection(.first)
    return line > 1 ? moveSelection(.rows(line - 1)) : []
  }

  mutating func moveSelection(_ step: MoveStep) -> [Effect] {
    let size = layout.area(focusedPane)?.content.size ?? Size(1, 1)
    focusedPane.kind.move(step, &self, Size(max(1, size.width), max(1, size.height)))
    return []
  }

  /// The pane that gets the keys.
  var focusedPane: Pane { listening?.part ?? (screen.isReading ? .detail : screen.focus) }

  /// The context of the keys in that pane.
  var context: Context { focusedPane.kind.context(self) }

  mutating func moveFocus(by step: Int, wraps: Bool) -> [Effect] {
    guard listening == nil else {
      listening?.next(step)
      return []
    }
    let panes = tab.kind.panes(self)
    guard !screen.isReading, let index = panes.firstIndex(of: screen.focus) else { return [] }
    let target = wraps ? (index + step + panes.count) % panes.count : index + step
    if panes.indices.contains(target) { screen.focus = panes[target] }
    return []
  }

  mutating func open() -> [Effect] { focusedPane.kind.open(&self) }

  /// Goes one step back: out of the reader, a selection or a filter, to the pane on the left, to the first screen.
  /// - Returns: false if there is no step back.
  mutating func back() -> Bool {
    if listening != nil {
      listening = nil
      return true
    }
    if screen.isReading {
      screen.isReading = false
      return true
    }
    if leaveSelection() || leaveFilter() { return true }
    let panes = tab.kind.panes(self)
    if let index = panes.firstIndex(of: screen.focus), index > 0 {
      screen.focus = panes[index - 1]
      return true
    }
    if screen.search != nil {
      screen.search = nil
      return true
    }
    if handleOnScreen(.back) != nil { return true }
    if tab != .podcasts {
      tab = .podcasts
      return true
    }
    return false
  }

  /// `Esc`: first cancels an addition that is running.
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
    // On the player page the notes are a part of the page, which stays open.
    if let view = listening { return view.part == .notes ? [] : listen(.notes) }
    screen.isReading.toggle()
    return []
  }

  /// Searches for the words, or opens a prompt that offers the last ones.
  mutating func findInLibrary(_ words: String?) -> [Effect] {
    _ = show(.find)
    if let words { return find(words) }
    return open(Prompt(FindPrompt(), offered: screens.find.words))
  }

  mutating func chooseNextTheme() -> [Effect] {
    (themes.first { $0 > theme.name } ?? themes.first).map { choose(theme: $0) } ?? []
  }

  mutating func choose(theme name: String) -> [Effect] {
    guard themes.contains(name) else {
      return tell(.error, "There is no theme named “\(name)”; there are \(themes.joined(separator: ", "))")
    }
    showMessage(.info, "Theme \(name)")
    return [.terminal(.loadTheme(name)), .setting(.theme, name)]
  }
}
