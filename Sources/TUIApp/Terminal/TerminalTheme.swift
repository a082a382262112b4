import AppCore
import TerminalKit

extension Theme {
  /// The theme itself, or the terminal's own colours in its stead where so few are left of the theme's that the chosen
  /// row would look like every other: on the Linux console, on a vt100, under NO_COLOR. It keeps its name, so that the
  /// next theme is still the next one.
  func fitted(to depth: ColorDepth) -> Theme {
    let chosen = ColorMap.pair(of: self[.selection], depth: depth)
    let others = ColorMap.pair(of: self[.text], depth: depth)
    guard chosen.background == others.background, !chosen.attributes.contains(.reverse) else { return self }
    var theme = Theme.fallback
    theme.name = name
    theme.kind = kind
    return theme
  }
}
