import TerminalKit

/// Counts before commands: `5j`. Digits are the screens' keys, so a count is typed with Alt, as readline's
/// digit-argument is; `counts = true` in `config.toml` swaps the two.
extension State {
  /// More than this is a cat on the keyboard.
  private static let mostCount = 99_999

  /// Takes a digit that belongs to a count.
  mutating func countDigit(_ key: Key) -> Bool {
    guard let digit = key.digit else { return false }
    let isAlt = key.modifiers == .alt
    if preferences.counts {
      guard !isAlt, count != nil || digit > 0 else { return false }
    } else {
      // Once begun, a count goes on without Alt.
      guard isAlt || count != nil else { return false }
      if isAlt, case .command = keymap.match([key], in: context) { return false }
    }
    count = min(Self.mostCount, (count ?? 0) * 10 + digit)
    return true
  }

  /// Does a command as the count says that was typed before it.
  mutating func performCounted(_ name: CommandName) -> [Effect] {
    guard let times = count else { return perform(name) }
    count = nil
    switch Command.row(name).counting {
    case .ignored: return perform(name)
    case .argument: return perform(name, String(times))
    case .own: return perform(name, count: times)
    case .repeats:
      // What must be asked of the player or the store happens as often as said.
      return (0..<max(0, min(times, 100))).flatMap { _ in perform(name) }
    }
  }
}

extension Key {
  /// 0 to 9, with or without Alt.
  var digit: Int? {
    guard case .character(let character) = base, modifiers.isSubset(of: .alt), character.isASCII else { return nil }
    return character.wholeNumberValue
  }

  /// `<A-5>` as `5`.
  var withoutAltOnDigit: Key { digit != nil && modifiers == .alt ? Key(base) : self }
}
