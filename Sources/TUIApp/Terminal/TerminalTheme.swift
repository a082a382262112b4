import AppCore
import TerminalKit

extension Theme {
  /// The theme, or the terminal's own colours if there are so few that the selected row would look like the others: on
  /// the Linux console, on a vt100, with NO_COLOR. The name stays, so that `next-theme` still goes to the next theme.
  func fitted(to depth: ColorDepth) -> Theme {
    let chosen = ColorMap.pair(of: self[.selection], depth: depth)
    let others = ColorMap.pair(of: self[.text], depth: depth)
    guard chosen.background == others.background, !chosen.attributes.contains(.reverse) else { return self }
    // A light theme keeps the terminal's own background.
    var theme = depth >= .ansi8 && (kind == .dark || kind == .contrast) ? Theme.eightColors : Theme.fallback
    theme.name = name
    theme.kind = kind
    return theme
  }
}
