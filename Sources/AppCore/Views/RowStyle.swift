import TerminalKit

/// The styles of a row, which may be selected.
struct RowStyle {
  let theme: Theme
  let isSelected: Bool
  let isFocused: Bool

  var background: Style {
    guard isSelected else { return theme[.text] }
    return isFocused ? theme[.selection] : theme[.selectionUnfocused]
  }

  /// The style of a role in this row. On the focused selection the foreground of the selection is used, for contrast.
  func style(_ role: Role) -> Style {
    let own = theme[role]
    guard isSelected else { return own.over(theme[.text]) }
    if isFocused { return background.with(own.attributes.subtracting(.dim)) }
    return Style(
      own.foreground == .standard ? background.foreground : own.foreground, on: background.background,
      own.attributes.union(background.attributes))
  }
}
