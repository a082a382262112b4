/// `/`: asks for words to search in the focused list.
public struct SearchPrompt: PromptPurpose {
  public var label: String { "/" }
  public var history: WritableKeyPath<State, PromptHistory>? { \.histories.search }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    if !text.isEmpty { state.histories.search.add(text) }
    return state.search(text)
  }
}

/// Asks for words to search in the whole library. Results are shown while the listener types.
public struct FindPrompt: PromptPurpose {
  public var label: String { "Search: " }
  public var history: WritableKeyPath<State, PromptHistory>? { \.histories.find }

  public func typed(_ text: String, _ state: inout State) -> [Effect] {
    text == state.screens.find.words ? [] : state.find(text)
  }

  /// Searches, unless these words are already being searched.
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    if !text.isEmpty { state.histories.find.add(text) }
    return state.awaited.contains(FindQuestion.self) && state.screens.find.words == text ? [] : state.find(text)
  }
}
