/// A key as pressed, independent of the terminal's encoding. Written in the notation of `KeyNotation`: `j`, `<Enter>`,
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
}

/// What a mouse did, in screen cells.
public struct MouseEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case press, release, drag, doubleClick, wheelUp, wheelDown }
  public var kind: Kind
  public var at: Point
  public init(_ kind: Kind, at point: Point) {
    self.kind = kind
    at = point
  }
}

/// What comes from the terminal.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// Bracketed paste, as one piece; not yet cleaned.
  case paste(String)
  case mouse(MouseEvent)
  case resize(Size)
}
