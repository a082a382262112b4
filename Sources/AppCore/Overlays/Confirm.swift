import TerminalKit

/// A yes-or-no question.
public struct Confirm: Overlay {
  public var question: String
  public var yes: [Effect]
  /// The message after "yes".
  public var done: String
  /// The rows that it is about. After "yes" the cursor goes on from them; after "no" they stay selected.
  var targets: Targets?

  public var takesAllKeys: Bool { true }
  public func hints(_ state: State) -> [Hint] { Self.choices }

  private static let choices = [Hint("y", "yes"), Hint("n", "no")]

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayOutcome {
    if key == Key("y") || key == Key("Y") { return answer(true, &state) }
    let isNo = [Key("n"), Key("N"), Key(.escape), Key("q"), Key("c", .control)].contains(key)
    return isNo ? answer(false, &state) : .stay()
  }

  /// A click outside is not an answer.
  public mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayOutcome {
    guard event.kind == .press,
      let hit = answers(layout(in: state.size)).first(where: { $0.rect.contains(event.at) })
    else { return .stay() }
    return answer(hit.hint.key == "y", &state)
  }

  private func answer(_ isYes: Bool, _ state: inout State) -> OverlayOutcome {
    state.showMessage(.info, isYes ? done : "Nothing was changed")
    if isYes, let targets { state.moveOn(from: targets) }
    return .close(isYes ? yes : [])
  }

  /// A box for the question and the answers, with an empty line between them if there is room.
  func layout(in size: Size) -> OverlayLayout {
    let width = min(size.width, 60)
    let lines = TextFlow.wrap(question, width: max(1, width - 4)).count
    return .centered(width: width, height: lines + 4, in: size)
  }

  /// The answers and their areas.
  func answers(_ layout: OverlayLayout) -> [HintArea] {
    let content = layout.content
    return HintArea.row(Self.choices, x: content.x, y: content.maxY - 1, room: content.width, gap: 3)
  }

  public func draw(_ state: State, into frame: inout Frame) {
    let theme = state.theme
    let layout = layout(in: frame.size)
    let content = layout.content
    OverlayBox(state: state).draw(layout, into: &frame)
    // The answers are always visible. A long question on a small screen is cut off at its end.
    let room = max(0, content.height - 1)
    for (index, line) in TextFlow.wrap(question, width: max(1, content.width)).prefix(room).enumerated() {
      frame.put(line, x: content.x, y: content.y + index, width: content.width, style: theme[.overlay])
    }
    for area in answers(layout) {
      area.draw(into: &frame, key: theme[.key].over(theme[.overlay]), word: theme[.overlay])
    }
  }

  /// The question is drawn in the row of messages.
  public func page(_ state: State, _ size: Size) -> LinearPage? { nil }

  public func drawStatus(_ screen: LinearScreen, _ row: Rect, into frame: inout Frame) -> Bool {
    let end = screen.draw(question + " y: yes, n: no", upwardsFrom: row, into: &frame)
    frame.cursor = Point(min(row.width - 1, end), row.y)
    return true
  }
}

extension State {
  /// Asks for a confirmation before something that is hard to undo.
  mutating func ask(_ question: String, about targets: Targets? = nil, yes: [Effect], done: String) -> [Effect] {
    open(Confirm(question: question, yes: yes, done: done, targets: targets))
  }
}
