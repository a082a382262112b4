import TerminalKit

/// Counts before commands, such as `5j`. Digits switch screens, so a count is typed with Alt, like readline's
/// digit-argument. With `counts = true` in `config.toml`, digits are counts, and Alt with a digit switches screens.
extension State {
  /// Adds a digit to the count.
  /// - Returns: false if the key is not part of a count.
  mutating func countDigit(_ key: Key) -> Bool {
    guard let digit = key.digit else { return false }
    let isAlt = key.modifiers == .alt
    if preferences.counts {
      guard !isAlt, keys.count != nil || digit > 0 else { return false }
    } else {
      // Only the first digit needs Alt.
      guard isAlt || keys.count != nil else { return false }
      if isAlt, case .command = keymap.match([key], in: context) { return false }
    }
    keys.count(digit)
    return true
  }

  /// Performs a command with the count that was typed before it.
  mutating func performCounted(_ name: CommandName) -> [Effect] {
    guard let times = keys.takeCount() else { return perform(name) }
    switch Command.row(name).counting {
    case .ignored: return perform(name)
    case .argument: return perform(name, String(times))
    case .rows:
      selectRows(count: times)
      return perform(name)
    case .repeats:
      // Repeats that reach the player or the store are limited to 100.
      return (0..<max(0, min(times, 100))).flatMap { _ in perform(name) }
    }
  }
}

extension Key {
  /// The digit 0 to 9 of the key, with or without Alt.
  var digit: Int? {
    guard case .character(let character) = base, modifiers.isSubset(of: .alt), character.isASCII else { return nil }
    return character.wholeNumberValue
  }

  /// `<A-5>` as `5`.
  var withoutAltOnDigit: Key { digit != nil && modifiers == .alt ? Key(base) : self }
}
