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
    scroll(ScrollStep(event, .page(in: state.size)), state)
  }

  mutating func scroll(_ command: CommandName?, _ state: State) -> OverlayOutcome {
    let height = state.preferences.isLinear ? linearSize(state).height : pageHeight(state)
    return scroll(ScrollStep(command, height: height), state)
  }

  private mutating func scroll(_ step: ScrollStep, _ state: State) -> OverlayOutcome {
    guard case .rows(let rows) = step else { return .close() }
    top = limited(firstRow(state) + rows, state)
    return .stay()
  }

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

/// A step of scrolling.
enum ScrollStep {
  case close, rows(Int)

  init(_ command: CommandName?, height: Int) {
    self =
      switch command {
      case .down: .rows(1)
      case .up: .rows(-1)
      case .halfPageDown: .rows(max(1, height / 2))
      case .halfPageUp: .rows(-max(1, height / 2))
      case .pageDown: .rows(max(1, height - 1))
      case .pageUp: .rows(-max(1, height - 1))
      case .first: .rows(-1_000_000)
      case .last: .rows(1_000_000)
      case .back, .quitScreen, .help, .open: .close
      default: .rows(0)
      }
  }

  /// The wheel scrolls. A press outside the overlay closes it.
  init(_ event: MouseEvent, _ layout: OverlayLayout) {
    self = layout.isPressOutside(by: event) ? .close : .rows(event.wheelRows ?? 0)
  }
}
