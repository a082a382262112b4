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

  /// Does a command as often as the count says, or in its own way.
  mutating func performCounted(_ name: CommandName) -> [Effect] {
    guard let times = count else { return perform(name) }
    count = nil
    switch name {
    case .first, .last:
      // As in vim: 5G is the fifth line.
      _ = perform(.first)
      return times > 1 ? performRepeatedly(.down, times - 1) : []
    case .nextPane, .previousPane, .left, .right, .seekForward, .seekBack, .seekForwardLong, .seekBackLong,
      .nextChapter, .previousChapter, .volumeUp, .volumeDown, .faster, .slower, .searchNext, .searchPrevious,
      .halfPageDown, .halfPageUp, .pageDown, .pageUp, .wider, .narrower, .undo, .redo, .moveUp, .moveDown:
      return performRepeatedly(name, min(times, 100))
    case .down, .up: return performRepeatedly(name, times)
    case .openLink, .copyLink, .sleep, .volume: return perform(name, String(times))
    default: return perform(name)
    }
  }

  /// Moving is one step, however far; what must be asked of the player or the store happens as often as said.
  private mutating func performRepeatedly(_ name: CommandName, _ times: Int) -> [Effect] {
    if name == .down || name == .up {
      moveSelection(rows: name == .down ? times : -times)
      return []
    }
    return (0..<max(0, times)).flatMap { _ in perform(name) }
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
