import Model
import TerminalKit

/// The filter of a smart playlist (docs/FILTERS.md), which is read as it is typed.
public struct FilterPrompt: PromptPurpose {
  /// The playlist that is changed; nil makes one.
  var playlist: PlaylistID?
  var title: String

  public var label: String { "Filter: " }

  public func problem(in text: String) -> FilterError? {
    do throws(FilterError) {
      _ = try EpisodeFilter(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  public func completions(of head: String, _ state: State) -> [String] {
    let completion = FilterCompletion(head)
    let characters = Array(head)
    guard completion.replaces.upperBound <= characters.count else { return [] }
    let before = String(characters[..<completion.replaces.lowerBound])
    return completion.candidates.map { before + $0 }
  }

  /// One that cannot be read stays in the prompt.
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    prompt.problem == nil ? state.saveSmartPlaylist(playlist, title, text) : state.open(prompt)
  }
}
