import TerminalKit

/// The log of messages, newest first.
public struct LogOverlay: Overlay {
  public var top = 0
  public init() {}

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayOutcome {
    let height = OverlayLayout.page(in: state.size).content.height
    return scroll(ScrollStep(state.overlayCommand(key), height: height), state)
  }

  public mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayOutcome {
    scroll(ScrollStep(event, .page(in: state.size)), state)
  }

  private mutating func scroll(_ step: ScrollStep, _ state: State) -> OverlayOutcome {
    guard case .rows(let rows) = step else { return .close() }
    top = min(max(0, top + rows), max(0, state.log.count - 1))
    return .stay()
  }

  public func draw(_ state: State, into frame: inout Frame) {
    let theme = state.theme
    let layout = OverlayLayout.page(in: frame.size)
    let content = layout.content
    OverlayBox(state: state, title: "Messages", hints: hints(state)).draw(layout, into: &frame)
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
      let time = time(of: message, state)
      let indent = time.count + 2
      for (index, line) in lines(message, width: content.width - indent).enumerated() {
        guard y < content.maxY else { return }
        if index == 0 { frame.put(time, x: content.x, y: y, style: theme[.dim].over(theme[.overlay])) }
        let width = content.width - indent
        frame.put(line, x: content.x + indent, y: y, width: width, style: theme[role].over(theme[.overlay]))
        y += 1
      }
    }
  }

  /// `14:05`, and the date if it is not today.
  private func time(of message: LoggedMessage, _ state: State) -> String {
    let (calendar, time) = (state.calendar, state.calendar.timeOfDay(message.time))
    guard calendar.day(of: message.time) != calendar.day(of: state.now) else { return time }
    return "\(calendar.rowDay(message.time, now: state.now)) \(time)"
  }

  private func lines(_ message: LoggedMessage, width: Int) -> [String] {
    TextFlow.wrap(message.kind.sign + Sanitize.line(message.text), width: max(1, width))
  }

  public func hints(_ state: State) -> [Hint] {
    [Hint(.back, "close", state.keymap), Hint(.pageDown, "page", state.keymap)].compactMap { $0 }
  }

  public func page(_ state: State, _ size: Size) -> LinearPage? {
    let text = state.log.reversed().flatMap { message in
      TextFlow.wrap(
        "\(time(of: message, state)) \(message.kind.sign)\(Sanitize.line(message.text))", width: max(1, size.width))
    }
    return LinearPage("Messages, the newest first", text: text, from: top, size)
  }
}
