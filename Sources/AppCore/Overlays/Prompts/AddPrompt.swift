/// Asks for the address of a podcast to add.
public struct AddPrompt: PromptPurpose {
  public var label: String { "Address: " }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] { state.add(text) }
}
