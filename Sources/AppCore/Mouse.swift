import Model
import TerminalKit

/// The mouse: click selects, a double click opens, the wheel scrolls what is under it, the progress bar seeks.
extension State {
  mutating func handle(_ event: MouseEvent) -> [Effect] {
    guard overlays.isEmpty else {
      dragged = nil
      return handleOverlay(event)
    }
    let layout = self.layout
    if let effects = handleBar(event, layout.player) { return effects }
    if layout.tabs.contains(event.at), event.kind == .press {
      let hit = TabsView.places(width: size.width, shown: tab, keymap: keymap).first { $0.columns.contains(event.at.x) }
      if let hit {
        tab = hit.tab
        listening = nil
      }
      return []
    }
    guard let place = layout.places.first(where: { $0.rect.contains(event.at) }) else { return [] }
    switch event.kind {
    case .wheelDown: scroll(place, by: 3)
    case .wheelUp: scroll(place, by: -3)
    case .press:
      if let target = target(place, at: event.at) { return follow(target) }
      _ = select(place, at: event.at)
    case .doubleClick:
      return select(place, at: event.at) ? perform(.open) : []
    case .release, .drag: break
    }
    return []
  }

  /// A press on the progress bar seeks. What is dragged from there shows where it would lead, also beside the bar, and
  /// seeks when it is let go: a stream would be asked for every place on the way. nil: the event is not the player's.
  private mutating func handleBar(_ event: MouseEvent, _ player: Rect) -> [Effect]? {
    guard let duration = self.player.duration, self.player.isActive, player.width > 0 else {
      dragged = nil
      return player.contains(event.at) ? [] : nil
    }
    let share = Double(event.at.x - player.x) / Double(player.width)
    let second = duration * min(1, max(0, share))
    switch event.kind {
    case .press, .doubleClick:
      guard player.contains(event.at) else { return nil }
      guard event.at.y == player.maxY - 1 else { return [] }
      dragged = Drag(second: second)
      return seek(to: second)
    case .drag:
      guard let drag = dragged else { return player.contains(event.at) ? [] : nil }
      if drag.second != second { dragged = Drag(second: second, hasMoved: true) }
      return []
    case .release:
      guard let drag = dragged else { return player.contains(event.at) ? [] : nil }
      dragged = nil
      return drag.hasMoved ? seek(to: drag.second) : []
    case .wheelUp, .wheelDown: return player.contains(event.at) ? [] : nil
    }
  }

  private mutating func scroll(_ place: Layout.Place, by rows: Int) {
    switch place.pane {
    case .podcasts: screen.podcasts.move(by: rows)
    case .episodes: screen.episodes.list.move(by: rows)
    case .playlists: screen.playlists.move(by: rows)
    case .detail: screen.detail.scroll(by: rows, height: place.content.height)
    case .transcript: transcript.move(by: rows, size: place.content.size)
    case .chapters: listening?.chapters.move(by: rows)
    case .upNext: listening?.upNext.move(by: rows)
    case .notes: listening?.notes.scroll(by: rows, height: place.content.height)
    case .cover: break
    }
  }

  /// Where a click in a reader leads.
  private func target(_ place: Layout.Place, at point: Point) -> LinkTarget? {
    switch place.pane {
    case .detail: DetailView.target(at: point, in: place.content, of: screen.detail)
    case .notes: listening.flatMap { DetailView.target(at: point, in: place.content, of: $0.notes) }
    default: nil
    }
  }

  /// False when there is no row: a double click below the last one opens nothing.
  private mutating func select(_ place: Layout.Place, at point: Point) -> Bool {
    if let part = Listening.Part(place.pane) {
      listening?.show(part)
    } else if place.pane == .cover {
      return false
    } else if !screen.isReading {
      screen.focus = place.pane
    }
    guard place.content.contains(point) else { return false }
    let row = point.y - place.content.y
    switch place.pane {
    case .podcasts: return Self.select(&screen.podcasts, row)
    case .episodes: return Self.select(&screen.episodes.list, row)
    case .playlists: return Self.select(&screen.playlists, row)
    case .transcript:
      let line = TranscriptView.line(at: row, in: transcript, width: place.content.width)
      guard let line else { return false }
      transcript.moveTo(line, size: place.content.size)
      return true
    case .chapters: return listening.map { _ in Self.select(&listening!.chapters, row) } ?? false
    case .upNext: return listening.map { _ in Self.select(&listening!.upNext, row) } ?? false
    case .detail, .notes, .cover: return false
    }
  }

  private static func select(_ list: inout ListState, _ row: Int) -> Bool {
    guard list.top + row < list.count else { return false }
    list.moveTo(list.top + row)
    return true
  }
}
