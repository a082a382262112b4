import TerminalKit

/// The log of messages, newest first.
public struct LogOverlay: ScrollingOverlay {
  public var top = 0

  public func lastTop(_ state: State) -> Int { state.fullLog.count - 1 }

  public func draw(_ state: State, into frame: inout Frame) {
    let theme = state.theme
    let layout = OverlayLayout.page(in: frame.size)
    let content = layout.content
    OverlayBox(state: state, title: "Messages", hints: hints(state)).draw(layout, into: &frame)
    let log = state.fullLog
    if log.isEmpty {
      frame.put("None so far", x: content.x, y: content.y, style: theme[.dim].over(theme[.overlay]))
    }
    var y = content.y
    for message in log.reversed().dropFirst(firstRow(state)) {
      let role = message.kind.role(plain: .overlay)
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

  public var linearTitle: String { "Messages, the newest first" }

  public func linearText(_ state: State, width: Int) -> [String] {
    state.fullLog.reversed().map { "\(time(of: $0, state)) \($0.kind.sign)\(Sanitize.line($0.text))" }
  }
}
