import TerminalKit

/// The content and the behaviour of one kind of picker. A picker holds the values that it offers, because the list that
/// they come from may change while it is open.
public protocol PickerPurpose: Equatable, Sendable {
  associatedtype Choice: Equatable, Sendable
  var title: String { get }
  func text(_ choice: Choice, _ state: State) -> String
  func choose(_ choice: Choice, _ state: inout State) -> [Effect]
  /// The hints, most important first.
  var hints: [(CommandName, String)] { get }

  /// Called when another choice is selected.
  func preview(_ choice: Choice, _ state: inout State) -> [Effect]
  /// Called when the picker is closed without a choice.
  func close(_ state: inout State)
  /// Removes a choice. Its row disappears, and the list stays open. Nil if it cannot be removed.
  func remove(_ choice: Choice, _ state: inout State) -> [Effect]?
  /// Performs a command of this picker's own; nil if it has no such command.
  func handle(_ name: CommandName, _ choice: Choice, _ state: inout State) -> OverlayOutcome?
  /// Whether the picker is still open after a choice, below what the choice has opened.
  var staysOpen: Bool { get }
  /// Whether each choice shows a number. Typing the number chooses it.
  var isNumbered: Bool { get }
}

extension PickerPurpose {
  public var hints: [(CommandName, String)] { [(.open, "choose"), (.back, "close")] }
  public func preview(_ choice: Choice, _ state: inout State) -> [Effect] { [] }
  public func close(_ state: inout State) {}
  public func remove(_ choice: Choice, _ state: inout State) -> [Effect]? { nil }
  public func handle(_ name: CommandName, _ choice: Choice, _ state: inout State) -> OverlayOutcome? { nil }
  public var staysOpen: Bool { false }
  public var isNumbered: Bool { false }
}

/// An overlay with a list to choose from.
public struct Picker<Purpose: PickerPurpose>: Overlay {
  public internal(set) var purpose: Purpose
  public private(set) var choices: [Purpose.Choice]
  public private(set) var list: ListState
  /// The digits typed so far, if choices have numbers.
  private var number = 0

  public init(_ purpose: Purpose, _ choices: [Purpose.Choice], selected: Int = 0) {
    self.purpose = purpose
    self.choices = choices
    list = ListState(count: choices.count)
    list.moveTo(selected)
  }

  private var choice: Purpose.Choice? { list.selection.map { choices[$0] } }

  private func layout(_ state: State) -> OverlayLayout {
    let widest = choices.indices.map { Clusters.width(text($0, state)) }.max() ?? 0
    return .list(rows: choices.count, widest: widest, in: state.size)
  }

  // MARK: Keys and mouse

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayOutcome {
    let before = list.selected
    if purpose.isNumbered, let digit = key.digit {
      number = number * 10 + digit <= choices.count ? number * 10 + digit : digit
      guard number > 0, number <= choices.count else { return .stay() }
      list.moveTo(number - 1)
      // While another digit could follow, the choice is only selected.
      return number * 10 > choices.count ? choose(&state) : moved(from: before, &state)
    }
    number = 0
    let command = state.overlayCommand(key)
    if let command, let choice {
      if command == .delete, let effects = purpose.remove(choice, &state) { return removed(effects, state) }
      if let step = purpose.handle(command, choice, &state) { return step }
    }
    switch command {
    case .nextPane: list.move(by: 1)
    case .previousPane: list.move(by: -1)
    case .back, .quitScreen: return close(&state)
    case .open: return choose(&state)
    case .pause: return .stay(state.togglePause())
    default: if let step = MoveStep(command) { list.move(by: step.rows(height: layout(state).content.height)) }
    }
    return moved(from: before, &state)
  }

  public mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayOutcome {
    let layout = layout(state)
    guard !layout.isPressOutside(by: event) else { return close(&state) }
    let before = list.selected
    if let rows = event.wheelRows {
      list.move(by: rows)
      return moved(from: before, &state)
    }
    let row = list.top + event.at.y - layout.content.y
    guard event.kind == .press || event.kind == .doubleClick, layout.content.contains(event.at),
      choices.indices.contains(row)
    else { return .stay() }
    list.moveTo(row)
    return event.kind == .doubleClick ? choose(&state) : moved(from: before, &state)
  }

  private mutating func moved(from before: Int, _ state: inout State) -> OverlayOutcome {
    list.fit(count: choices.count, height: max(1, layout(state).content.height))
    guard list.selected != before, let choice else { return .stay() }
    return .stay(purpose.preview(choice, &state))
  }

  private func choose(_ state: inout State) -> OverlayOutcome {
    let effects = choice.map { purpose.choose($0, &state) } ?? []
    return purpose.staysOpen ? .stay(effects) : .close(effects)
  }

  /// The selected choice was removed.
  private mutating func removed(_ effects: [Effect], _ state: State) -> OverlayOutcome {
    choices.remove(at: list.selected)
    list.fit(count: choices.count, height: max(1, layout(state).content.height))
    return choices.isEmpty ? .close(effects) : .stay(effects)
  }

  private func close(_ state: inout State) -> OverlayOutcome {
    purpose.close(&state)
    return .close()
  }

  // MARK: Drawing

  public func draw(_ state: State, into frame: inout Frame) {
    let layout = layout(state)
    let content = layout.content
    var list = list
    list.fit(count: choices.count, height: max(1, content.height))
    let note = choices.count <= content.height ? "" : "\(list.selected + 1)/\(choices.count)"
    OverlayBox(state: state, title: purpose.title, note: note, hints: hints(state)).draw(layout, into: &frame)
    for (line, index) in list.visibleRange(height: content.height).enumerated() {
      let row = content.row(line)
      let style = state.theme[index == list.selected ? .selection : .overlay]
      frame.fill(row, style: style)
      frame.put(text(index, state), x: row.x, y: row.y, width: row.width, style: style)
    }
  }

  public func hintBox(_ state: State) -> Rect? { layout(state).box }

  public func hints(_ state: State) -> [Hint] {
    var hints = purpose.hints.compactMap { Hint($0, $1, state.keymap) }
    if purpose.isNumbered { hints.insert(Hint("1-9", "choose"), at: min(2, hints.count)) }
    return hints
  }

  public func page(_ state: State, _ size: Size) -> LinearPage? {
    LinearPage(purpose.title, list, size) { text($0, state) }
  }

  private func text(_ index: Int, _ state: State) -> String {
    let text = purpose.text(choices[index], state)
    guard purpose.isNumbered else { return text }
    return String(index + 1).leftPadded(String(choices.count).count) + "  " + text
  }
}
