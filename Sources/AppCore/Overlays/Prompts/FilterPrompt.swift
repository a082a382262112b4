import Model
import TerminalKit

/// A prompt for a filter (docs/FILTERS.md), which is checked while it is typed.
public protocol FilterTyping: PromptPurpose {
  /// Whether words that the language does not have are searched in the titles.
  var takesWords: Bool { get }
}

extension FilterTyping {
  public var takesWords: Bool { false }

  public func problem(in text: String) -> FilterError? {
    do throws(FilterError) {
      _ = try takesWords ? EpisodeFilter(typed: text) : EpisodeFilter(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  public func completions(of head: String, _ state: State) -> [String] {
    FilterCompletion.lines(head, takesWords: takesWords, state)
  }

  public func help(of completion: String) -> String? { FilterCompletion.help(of: completion) }
}

/// Asks for the filter of a smart playlist.
public struct FilterPrompt: FilterTyping {
  /// The playlist to change; nil makes a new one.
  var playlist: PlaylistID?
  var title: String
  /// The filter of the playlist to change.
  var before: String?

  public var label: String { "Filter: " }

  public var example: String { "such as: unplayed <30m tag:news" }

  /// If the filter has an error, the prompt stays open.
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    prompt.problem == nil ? state.save(self, text) : state.open(prompt)
  }
}
