/// The themes. The selected one is shown as a preview.
public struct ThemePicker: PickerPurpose {
  /// The theme to return to when none is chosen.
  let before: Theme

  public var title: String { "Theme" }
  public func text(_ name: String, _ state: State) -> String { name }
  public func choose(_ name: String, _ state: inout State) -> [Effect] { state.choose(theme: name) }
  public func preview(_ name: String, _ state: inout State) -> [Effect] { [.terminal(.loadTheme(name))] }
  public func close(_ state: inout State) { state.show(before) }
  public var hints: [(CommandName, String)] { [(.open, "choose"), (.back, "cancel")] }
}

extension State {
  /// Changes the theme. Covers are drawn again, because they were drawn with the colours of the old theme.
  mutating func show(_ theme: Theme) {
    self.theme = theme
    covers.forget()
  }

  mutating func chooseTheme(_ name: String?) -> [Effect] {
    if let name { return choose(theme: name) }
    return open(Picker(ThemePicker(before: theme), themes, selected: themes.firstIndex(of: theme.name) ?? 0))
  }
}
