import Model
import TerminalKit

/// The mouse: a click selects, a double click opens, the wheel scrolls the pane under it, the progress bar seeks. A
/// click on a hint presses its key.
extension State {
  mutating func handle(_ event: MouseEvent) -> [Effect] {
    if event.kind == .press, let hint = hint(at: event.at), !hint.pressed.isEmpty {
      keys.drag = nil
      return hint.pressed.flatMap { handle($0) }
    }
    guard overlays.isEmpty else {
      keys.drag = nil
      return handleOverlay(event)
    }
    let layout = self.layout
    if let effects = handleBar(event, layout.player) { return effects }
    if layout.tabs.contains(event.at), event.kind == .press {
      let hit = TabsView(state: self).labels(width: size.width).first { $0.columns.contains(event.at.x) }
      if let hit {
        tab = hit.tab
        listening = nil
      }
      return []
    }
    guard let area = layout.areas.first(where: { $0.rect.contains(event.at) }) else { return [] }
    switch event.kind {
    case .wheelDown: area.pane.kind.scroll(by: 3, &self, area.content.size)
    case .wheelUp: area.pane.kind.scroll(by: -3, &self, area.content.size)
    case .press:
      if let target = area.pane.kind.target(at: event.at, in: area.content, self) { return follow(target) }
      if select(area, at: event.at) { return area.pane.kind.press(event.at, in: area.content, &self) }
    case .doubleClick:
      return select(area, at: event.at) ? perform(.open) : []
    case .release, .drag: break
    }
    return []
  }

  /// The hint at a point of the status line or of the topmost overlay's box.
  private func hint(at point: Point) -> Hint? {
    var areas = StatusView(state: self).hintAreas(layout.status)
    if let top = overlays.last?.content, let box = top.hintBox(self) {
      areas += OverlayBox.areas(of: top.hints(self), in: box)
    }
    return areas.first { $0.rect.contains(point) }?.hint
  }

  /// Handles the mouse on the player bar. A press on the sign before the title plays or pauses, and one on the rest of
  /// that row opens the full-screen view. A press on the progress bar seeks. While the pointer is dragged, only the
  /// target is shown, and the release seeks: a seek for each movement would request the stream each time.
  /// - Returns: nil if the event does not concern the player.
  private mutating func handleBar(_ event: MouseEvent, _ player: Rect) -> [Effect]? {
    if event.kind == .press, event.at.y == player.y, player.height > 1, player.contains(event.at),
      self.player.episode != nil
    {
      keys.drag = nil
      return perform(event.at.x < player.x + 3 ? .pause : .nowPlaying)
    }
    guard let duration = self.player.duration, self.player.isActive, player.width > 0 else {
      keys.drag = nil
      return player.contains(event.at) ? [] : nil
    }
    let share = Double(event.at.x - player.x) / Double(player.width)
    let second = duration * min(1, max(0, share))
    switch event.kind {
    case .press, .doubleClick:
      guard player.contains(event.at) else { return nil }
      guard event.at.y == player.maxY - 1 else { return [] }
      keys.drag = KeyInput.Drag(second: second, generation: self.player.generation)
      return seek(to: second, as: .long)
    case .drag:
      guard let drag = keys.drag else { return player.contains(event.at) ? [] : nil }
      if drag.second != second { keys.drag?.move(to: second) }
      return []
    case .release:
      guard let drag = keys.drag else { return player.contains(event.at) ? [] : nil }
      keys.drag = nil
      return drag.target(in: self.player.generation).map { seek(to: $0, as: .long) } ?? []
    case .wheelUp, .wheelDown: return player.contains(event.at) ? [] : nil
    }
  }

  /// Selects the row at a point.
  /// - Returns: false if there is no row, so that a double click below the last row opens nothing.
  private mutating func select(_ area: Layout.Area, at point: Point) -> Bool {
    if listening != nil {
      listening?.show(area.pane)
    } else if !screen.isReading {
      screen.focus = area.pane
    }
    guard area.content.contains(point) else { return false }
    return area.pane.kind.select(row: point.y - area.content.y, &self, area.content.size)
  }
}
