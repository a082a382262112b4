import Foundation
import TerminalKit

/// Something drawn over the screen that takes the keys: help, prompt, picker, question. Overlays are values in
/// `state.overlays`. One type defines the keys, the mouse, the drawing and the linear mode of an overlay. To add one,
/// add a type and a command that opens it.
public protocol Overlay: Equatable, Sendable {
  /// Handles a key. The overlay is removed from `state.overlays` during the call. Overlays that are opened meanwhile go
  /// on top of it.
  mutating func handle(_ key: Key, _ state: inout State) -> OverlayOutcome
  mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayOutcome
  mutating func paste(_ text: String, _ state: inout State) -> OverlayOutcome
  /// Handles the file names that begin with `head`, which the overlay asked for.
  mutating func receive(fileNames: [String], head: String, _ state: inout State)
  func draw(_ state: State, into frame: inout Frame)
  /// Whether the overlay uses every key, as a text field does. If not, the key of `quit` quits the program.
  var takesAllKeys: Bool { get }
  /// The hints for the status line, instead of those of the pane.
  func hints(_ state: State) -> [Hint]
  /// The box whose bottom line shows the hints, too; nil if there is none.
  func hintBox(_ state: State) -> Rect?

  // For `--linear`:
  /// The page of the overlay; nil shows the pane's page. It has no default, so that no overlay lacks one.
  func page(_ state: State, _ size: Size) -> LinearPage?
  /// Draws the row of messages.
  /// - Returns: false to show the current message.
  func drawStatus(_ screen: LinearScreen, _ row: Rect, into frame: inout Frame) -> Bool
  /// The text of the player row; nil keeps it.
  func footer(_ state: State) -> String?
}

/// What happens to an overlay after an event.
public enum OverlayOutcome: Equatable, Sendable {
  case stay([Effect] = [])
  case close([Effect] = [])
}

extension Overlay {
  mutating public func paste(_ text: String, _ state: inout State) -> OverlayOutcome { .stay() }
  mutating public func receive(fileNames: [String], head: String, _ state: inout State) {}
  public var takesAllKeys: Bool { false }
  public func hints(_ state: State) -> [Hint] { [] }
  public func hintBox(_ state: State) -> Rect? { nil }
  public func drawStatus(_ screen: LinearScreen, _ row: Rect, into frame: inout Frame) -> Bool { false }
  public func footer(_ state: State) -> String? { nil }

  fileprivate func isEqual(to other: any Overlay) -> Bool { (other as? Self) == self }
}

/// A type-erased overlay, so that State can compare overlays.
public struct AnyOverlay: Equatable, Sendable {
  public var content: any Overlay
  /// When it appeared by itself. Nil: the listener has opened it.
  var appeared: Date?

  public init(_ content: any Overlay) { self.content = content }

  public static func == (left: AnyOverlay, right: AnyOverlay) -> Bool {
    left.appeared == right.appeared && left.content.isEqual(to: right.content)
  }

  /// Seconds in which keys and clicks are still meant for what was on the screen before.
  private static let unread = 1.0

  func isUnread(at now: Date) -> Bool {
    appeared.map { (0..<Self.unread).contains(now.timeIntervalSince($0)) } ?? false
  }
}

extension State {
  mutating func open(_ overlay: some Overlay) -> [Effect] {
    overlays.append(AnyOverlay(overlay))
    return []
  }

  /// Opens an overlay that the listener did not ask for just now: a question about an answer from the network or about
  /// what plays. Keys meant for something else must not answer, so it waits until no overlay is open and no key waits,
  /// and takes no keys in its first second. A text field takes text at once: the listener sees it.
  mutating func askLater(_ question: some Overlay) { questions.append(AnyOverlay(question)) }

  mutating func reconcileQuestions() {
    guard overlays.isEmpty, keys.isEmpty, !questions.isEmpty else { return }
    var question = questions.removeFirst()
    question.appeared = now
    overlays.append(question)
  }

  /// Passes keys and mouse events to the topmost overlay.
  mutating func handleOverlay(_ key: Key) -> [Effect] {
    isUnread && !(isTyping && key.text != nil) ? [] : handleTopmost { $0.handle(key, &$1) }
  }

  mutating func handleOverlay(_ event: MouseEvent) -> [Effect] {
    isUnread ? [] : handleTopmost { $0.handle(event, &$1) }
  }

  private var isUnread: Bool { overlays.last?.isUnread(at: now) == true }

  private mutating func handleTopmost(_ act: (inout any Overlay, inout State) -> OverlayOutcome) -> [Effect] {
    guard var top = overlays.popLast() else { return [] }
    let below = overlays.count
    switch act(&top.content, &self) {
    case .stay(let effects):
      overlays.insert(top, at: min(below, overlays.count))
      return effects
    case .close(let effects): return effects
    }
  }

  mutating func receive(fileNames: [String], head: String) -> [Effect] {
    handleTopmost {
      $0.receive(fileNames: fileNames, head: head, &$1)
      return .stay()
    }
  }

  /// Pasted text goes into the text field. Without one, an address is added as a podcast.
  mutating func paste(_ text: String) -> [Effect] {
    // An address is short, so a longer paste is cut. The limit counts scalars, because one character can contain any
    // number of combining marks.
    let text = Sanitize.line(String(text.unicodeScalars.prefix(LineEditor.limit))).trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty else { return [] }
    guard !overlays.isEmpty else {
      let own = listening == nil ? handleOnScreen(.paste(text)) : nil
      return own ?? open(Prompt(AddPrompt(), text))
    }
    return handleTopmost { $0.paste(text, &$1) }
  }

  /// A text field is open, which takes characters.
  var isTyping: Bool { overlays.last?.content is any LineOverlay }

  /// Handles characters that came at once: the text field takes them together, else each is a key.
  mutating func type(_ text: String) -> [Effect] {
    var effects: [Effect] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if isTyping {
        let line = String(rest)
        return effects + handleTopmost { $0.paste(line, &$1) }
      }
      rest.removeFirst()
      effects += handle(Key(Character(scalar)))
    }
    return effects
  }

  /// The command of a key in a list overlay. The listener's own bindings apply.
  func overlayCommand(_ key: Key) -> CommandName? {
    if case .command(let name) = keymap.match([key], in: .everywhere) { return name }
    return nil
  }
}

extension MouseEvent {
  /// How many rows the wheel scrolled, down positive; nil for other events.
  var wheelRows: Int? {
    switch kind {
    case .wheelDown: 3
    case .wheelUp: -3
    default: nil
    }
  }
}
