import TerminalKit

/// Messages so far, the newest first.
public struct LogOverlay: Overlay {
  public var top = 0
  public init() {}

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayStep {
    let height = OverlayLayout.page(in: state.size).content.height
    return scroll(ScrollStep(state.overlayCommand(key), height: height), state)
  }

  public mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayStep {
    scroll(ScrollStep(event, .page(in: state.size)), state)
  }

  private mutating func scroll(_ step: ScrollStep, _ state: State) -> OverlayStep {
    guard case .rows(let rows) = step else { return .close() }
    top = min(max(0, top + rows), max(0, state.log.count - 1))
    return .stay()
  }

  public func draw(_ state: State, into frame: inout Frame) {
    let theme = state.theme
    let layout = OverlayLayout.page(in: frame.size)
    let content = layout.content
    let hints = [Hint(.back, "close", state.keymap), Hint(.pageDown, "page", state.keymap)].compactMap { $0 }
    OverlayBox(state: state, title: "Messages", hints: hints).draw(layout, into: &frame)
    if state.log.isEmpty {
      frame.put("None so far", x: content.x, y: content.y, style: theme[.dim].over(theme[.overlay]))
    }
    var y = content.y
    for message in state.log.reversed().dropFirst(max(0, top)) {
      let role: Role =
        switch message.kind {
        case .note: .overlay
        case .success: .success
        case .warning: .warning
        case .error: .error
        }
      for line in lines(message, width: content.width) {
        guard y < content.maxY else { return }
        frame.put(line, x: content.x, y: y, width: content.width, style: theme[role].over(theme[.overlay]))
        y += 1
      }
    }
  }

  private func lines(_ message: Message, width: Int) -> [String] {
    TextFlow.wrap(message.kind.sign + Sanitize.line(message.text), width: max(1, width))
  }

  public func page(_ state: State, _ size: Size) -> LinearPage? {
    let text = state.log.reversed().flatMap { lines($0, width: size.width) }
    return LinearPage("Messages, the newest first", text: text, from: top, size)
  }
}
