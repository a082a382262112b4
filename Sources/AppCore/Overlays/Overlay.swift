import Foundation
import TerminalKit

/// What lies over the screen and takes the keys: a value on `state.overlays`, never a nested loop. One type says what its
/// keys and the mouse do, how it is drawn, and what `--linear` shows of it. To add one: a type, and whatever opens it.
public protocol Overlay: Equatable, Sendable {
  /// While this runs, the overlay is not on `state.overlays`: what is opened meanwhile lies on top when it closes.
  mutating func handle(_ key: Key, _ state: inout State) -> OverlayStep
  mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayStep
  mutating func paste(_ text: String, _ state: inout State) -> OverlayStep
  /// Names of files that begin with `head`, which were asked for.
  mutating func receive(fileNames: [String], head: String, _ state: inout State)
  func draw(_ state: State, into frame: inout Frame)
  /// Every key is the overlay's own, as where a line is typed or a question waits; else the key that quits quits.
  var takesAllKeys: Bool { get }
  /// What its keys do, in place of those of the pane behind it.
  func hints(_ state: State) -> [Hint]

  // `--linear`.
  /// Its page; nil leaves the pane's.
  func page(_ state: State, _ size: Size) -> LinearPage?
  /// What stands in the row of messages; false leaves the message.
  func drawStatus(_ screen: LinearScreen, _ row: Rect, into frame: inout Frame) -> Bool
  /// What stands in the row of what plays; nil leaves it.
  func foot(_ state: State) -> String?
}

/// What becomes of an overlay after a key.
public enum OverlayStep: Equatable, Sendable {
  case stay([Effect] = [])
  case close([Effect] = [])
}

extension Overlay {
  mutating public func paste(_ text: String, _ state: inout State) -> OverlayStep { .stay() }
  mutating public func receive(fileNames: [String], head: String, _ state: inout State) {}
  public var takesAllKeys: Bool { false }
  public func hints(_ state: State) -> [Hint] { [] }
  public func page(_ state: State, _ size: Size) -> LinearPage? { nil }
  public func drawStatus(_ screen: LinearScreen, _ row: Rect, into frame: inout Frame) -> Bool { false }
  public func foot(_ state: State) -> String? { nil }

  fileprivate func isEqual(to other: any Overlay) -> Bool { (other as? Self) == self }
}

/// Any overlay, as State keeps it.
public struct AnyOverlay: Equatable, Sendable {
  public var content: any Overlay
  public init(_ content: any Overlay) { self.content = content }
  public static func == (left: AnyOverlay, right: AnyOverlay) -> Bool { left.content.isEqual(to: right.content) }
}

extension State {
  mutating func open(_ overlay: some Overlay) -> [Effect] {
    overlays.append(AnyOverlay(overlay))
    return []
  }

  /// The topmost overlay gets every key, and the mouse.
  mutating func handleOverlay(_ key: Key) -> [Effect] { onTop { $0.handle(key, &$1) } }
  mutating func handleOverlay(_ event: MouseEvent) -> [Effect] { onTop { $0.handle(event, &$1) } }

  private mutating func onTop(_ act: (inout any Overlay, inout State) -> OverlayStep) -> [Effect] {
    guard var top = overlays.popLast()?.content else { return [] }
    switch act(&top, &self) {
    case .stay(let effects):
      overlays.append(AnyOverlay(top))
      return effects
    case .close(let effects): return effects
    }
  }

  mutating func receive(fileNames: [String], head: String) -> [Effect] {
    onTop {
      $0.receive(fileNames: fileNames, head: head, &$1)
      return .stay()
    }
  }

  /// Pasted text goes into what is typed; on a screen an address means "add this podcast".
  mutating func paste(_ text: String) -> [Effect] {
    // A megabyte of paste is an accident; an address is short. Scalars: one character may be a megabyte of marks.
    let text = Sanitize.line(String(text.unicodeScalars.prefix(LineEditor.limit))).trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty else { return [] }
    guard !overlays.isEmpty else {
      // On Discover it is looked at first.
      return tab == .discover && listening == nil
        ? open(Prompt(DiscoverPrompt(), text)) : open(Prompt(AddPrompt(), text))
    }
    return onTop { $0.paste(text, &$1) }
  }

  /// A line is being typed: characters go into it.
  var isTyping: Bool { overlays.last?.content is any LineOverlay }

  /// Characters that came in one go: into the line that is typed, else a key each.
  mutating func type(_ text: String) -> [Effect] {
    var effects: [Effect] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if isTyping {
        let line = String(rest)
        return effects + onTop { $0.paste(line, &$1) }
      }
      rest.removeFirst()
      effects += handle(Key(Character(scalar)))
    }
    return effects
  }

  /// What a key means in a list that lies over the screen: the user's own keys for moving count here too.
  func overlayCommand(_ key: Key) -> CommandName? {
    if case .command(let name) = keymap.match([key], in: .everywhere) { return name }
    return nil
  }
}

/// A text over the screen that is scrolled.
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

  /// The wheel scrolls, a press outside closes.
  init(_ event: MouseEvent, _ layout: OverlayLayout) {
    self = layout.isLeft(by: event) ? .close : .rows(event.wheelRows ?? 0)
  }
}

extension MouseEvent {
  /// How far the wheel turned, in rows; nil for what is no turn of the wheel.
  var wheelRows: Int? {
    switch kind {
    case .wheelDown: 3
    case .wheelUp: -3
    default: nil
    }
  }
}
