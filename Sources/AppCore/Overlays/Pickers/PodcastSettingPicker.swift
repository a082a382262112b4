/// The playback settings of a podcast with their values. Choosing one opens the command line to change it.
public struct PodcastSettingPicker: PickerPurpose {
  public var title: String

  /// A setting by its name for the command `show`, and the text of its row.
  public struct Choice: Equatable, Sendable {
    var name: String
    var row: String
  }

  public func text(_ choice: Choice, _ state: State) -> String { choice.row }
  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    state.open(Prompt(CommandPrompt(), "show \(choice.name) "))
  }
  public func hints(_ keymap: Keymap) -> [(CommandName, String)] { [(.open, "choose"), (.back, "close")] }
}
