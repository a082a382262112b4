/// How a podcast is heard: each setting with its value. One that is chosen is changed on the command line.
public struct PodcastSettingPicker: PickerPurpose {
  public var title: String

  /// A setting by its name for the command `show`, and what its row says.
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
