import TerminalKit

/// The mouse over what lies over the screen: a click selects, a double click chooses, the wheel scrolls, a click outside
/// closes.
extension State {
  mutating func handleOverlay(_ event: MouseEvent) -> [Effect] {
    switch overlays.last {
    case .picker(let picker): return handle(picker, event)
    case .confirm(let confirm): return handle(confirm, event)
    case .help(let help):
      if leaves(OverlayLayout.page(in: size), event) { overlays.removeLast() }
      if let rows = event.wheelRows { scroll(help, by: rows) }
    case .log(let log):
      if leaves(OverlayLayout.page(in: size), event) { overlays.removeLast() }
      if let rows = event.wheelRows { scroll(log, by: rows) }
    // What was typed is not lost by a click that missed.
    case .prompt, nil: break
    }
    return []
  }

  private mutating func handle(_ picker: Picker, _ event: MouseEvent) -> [Effect] {
    var picker = picker
    let layout = OverlayLayout.list(rows: picker.items.count, in: size)
    guard !leaves(layout, event) else {
      close(picker)
      return []
    }
    let before = picker.list.selected
    if let rows = event.wheelRows {
      picker.list.move(by: rows)
      return moved(picker, from: before)
    }
    let row = picker.list.top + event.at.y - layout.content.y
    guard event.kind == .press || event.kind == .doubleClick, layout.content.contains(event.at),
      picker.items.indices.contains(row)
    else { return [] }
    picker.list.moveTo(row)
    return event.kind == .doubleClick ? choose(picker) : moved(picker, from: before)
  }

  /// A click outside is no answer.
  private mutating func handle(_ confirm: Confirm, _ event: MouseEvent) -> [Effect] {
    guard event.kind == .press else { return [] }
    let answers = OverlayLayout.answers(in: .question(confirm.question, in: size))
    guard let hit = answers.first(where: { $0.place.contains(event.at) }) else { return [] }
    return answer(confirm, hit.answer.key == "y")
  }

  private func leaves(_ layout: OverlayLayout, _ event: MouseEvent) -> Bool {
    event.kind == .press && !layout.box.contains(event.at)
  }
}

extension MouseEvent {
  /// How far the wheel turned, in rows; nil for what is no turn of the wheel.
  fileprivate var wheelRows: Int? {
    switch kind {
    case .wheelDown: 3
    case .wheelUp: -3
    default: nil
    }
  }
}
