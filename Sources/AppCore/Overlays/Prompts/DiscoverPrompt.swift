import Model
import TerminalKit

/// Asks for words to search in the directories, or an address. Results are shown while the listener types. Up and Down
/// select one.
public struct DiscoverPrompt: PromptPurpose {
  public var label: String { "Discover: " }
  public var history: WritableKeyPath<State, PromptHistory>? { \.histories.discover }

  public func typed(_ text: String, _ state: inout State) -> [Effect] { state.discoverTyped(text) }

  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    state.discoverNow(text)
  }

  public func completions(of head: String, _ state: State) -> [String] {
    DiscoverQuery.prefixes.filter { $0.hasPrefix(head.lowercased()) }
  }

  public func move(by step: Int, _ state: inout State) -> Bool {
    guard !state.screens.discover.rows.isEmpty else { return false }
    state.screens.discover.list.move(by: step)
    state.screens.discover.hasMoved = true
    return true
  }
}
