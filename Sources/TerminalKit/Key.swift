/// A key press, independent of the terminal's encoding. Written in the notation of `KeyNotation`: `j`, `<Enter>`,
/// `<C-d>`, `<S-Left>`, `<A-x>`, `<F5>`.
public struct Key: Hashable, Sendable {
  public enum Base: Hashable, Sendable {
    case character(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, escape, tab, backspace, delete, insert
    case function(Int)
  }

  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let shift = Modifiers(rawValue: 1)
    public static let control = Modifiers(rawValue: 2)
    public static let alt = Modifiers(rawValue: 4)
  }

  public var base: Base
  public var modifiers: Modifiers

  public init(_ base: Base, _ modifiers: Modifiers = []) {
    self.base = base
    self.modifiers = modifiers
  }

  public init(_ character: Character, _ modifiers: Modifiers = []) { self.init(.character(character), modifiers) }

  /// The character that a text field inserts for the key. Nil: it inserts none.
  public var text: Character? {
    guard case .character(let character) = base, modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
    return character
  }
}

/// A mouse event, in screen cells.
public struct MouseEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case press, release, drag, doubleClick, wheelUp, wheelDown }
  public var kind: Kind
  public var at: Point
  public init(_ kind: Kind, at point: Point) {
    self.kind = kind
    at = point
  }
}

/// An event from the terminal.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// Characters that arrived at once, each a key without modifiers. A text field takes them together.
  case typed(String)
  /// A bracketed paste as a whole, not cleaned yet.
  case paste(String)
  case mouse(MouseEvent)
  case resize(Size)
}

extension InputEvent {
  /// Joins characters that arrived at once into one event.
  public static func joined(_ events: [InputEvent]) -> [InputEvent] {
    var result: [InputEvent] = []
    var run = String.UnicodeScalarView()
    func flush() {
      if let first = run.first { result.append(run.count == 1 ? .key(Key(Character(first))) : .typed(String(run))) }
      run = String.UnicodeScalarView()
    }
    for event in events {
      if case .key(let key) = event, key.modifiers.isEmpty, case .character(let character) = key.base,
        character.unicodeScalars.count == 1
      {
        run.append(contentsOf: character.unicodeScalars)
      } else {
        flush()
        result.append(event)
      }
    }
    flush()
    return result
  }
}
