/// `/`: asks for words to search in the focused list.
public struct SearchPrompt: PromptPurpose {
  public var label: String { "/" }
  public var history: WritableKeyPath<State, PromptHistory>? { \.searchHistory }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    if !text.isEmpty { state.searchHistory.add(text) }
    return state.search(text)
  }
}
