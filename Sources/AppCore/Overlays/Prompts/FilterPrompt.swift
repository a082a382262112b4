import Model
import TerminalKit

/// Asks for the filter of a smart playlist (docs/FILTERS.md). It is checked while it is typed.
public struct FilterPrompt: PromptPurpose {
  /// The playlist to change; nil makes a new one.
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
    FilterCompletion.lines(head, state)
  }

  public func help(of completion: String) -> String? { FilterCompletion.help(of: completion) }
  public var example: String { "such as: unplayed <30m tag:news" }

  /// If the filter has an error, the prompt stays open.
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    prompt.problem == nil ? state.saveSmartPlaylist(playlist, title, text) : state.open(prompt)
  }
}
