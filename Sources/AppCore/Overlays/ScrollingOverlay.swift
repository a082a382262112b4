import TerminalKit

/// A page of text that scrolls: help, messages, statistics. The keys of lists scroll it. The keys for going back and a
/// press outside of it close it.
public protocol ScrollingOverlay: Overlay {
  /// The first visible row, or more.
  var top: Int { get set }
  /// The largest value of `top` in the box.
  func lastTop(_ state: State) -> Int
  /// How many rows the box shows.
  func pageHeight(_ state: State) -> Int
  /// The heading of linear mode.
  var linearTitle: String { get }
  /// The text of linear mode. Lines that are wider than `width` will be wrapped.
  func linearText(_ state: State, width: Int) -> [String]
}

extension ScrollingOverlay {
  public func pageHeight(_ state: State) -> Int { OverlayLayout.page(in: state.size).content.height }

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayOutcome {
    scroll(state.overlayCommand(key), state)
  }

  public mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayOutcome {
    guard !OverlayLayout.page(in: state.size).isPressOutside(by: event) else { return .close() }
    scroll(by: event.wheelRows ?? 0, state)
    return .stay()
  }

  mutating func scroll(_ command: CommandName?, _ state: State) -> OverlayOutcome {
    switch command {
    case .back, .quitScreen, .help, .open: return .close()
    default:
      let height = state.preferences.isLinear ? linearSize(state).height : pageHeight(state)
      scroll(by: MoveStep(command)?.rows(height: height) ?? 0, state)
      return .stay()
    }
  }

  private mutating func scroll(by rows: Int, _ state: State) { top = limited(firstRow(state) + rows, state) }

  /// The first visible row: `top` within the limits, which are others after a change of the terminal's size.
  func firstRow(_ state: State) -> Int { limited(top, state) }

  private func limited(_ row: Int, _ state: State) -> Int {
    let last = state.preferences.isLinear ? lines(state).count - linearSize(state).height : lastTop(state)
    return min(max(0, row), max(0, last))
  }

  // MARK: Linear mode

  public func page(_ state: State, _ size: Size) -> LinearPage? {
    LinearPage(linearTitle, text: lines(state), from: firstRow(state), size)
  }

  private func lines(_ state: State) -> [String] {
    let width = max(1, linearSize(state).width)
    return linearText(state, width: width).flatMap { TextFlow.wrap($0, width: width) }
  }

  private func linearSize(_ state: State) -> Size { state.layout.areas.first?.content.size ?? state.size }

  public func hintBox(_ state: State) -> Rect? { OverlayLayout.page(in: state.size).box }

  public func hints(_ state: State) -> [Hint] {
    [Hint(.back, "close", state.keymap), Hint(.pageDown, "page", state.keymap)].compactMap { $0 }
  }
}
