import Model

/// A filter that narrows the list of a screen, in the language of docs/FILTERS.md.
public struct ListFilter: Equatable, Sendable {
  /// As it was typed.
  var text: String
  var filter: EpisodeFilter
}

/// Narrowing a list with `f` and `:filter`.
extension State {
  /// `f`: filters the list, or asks for the filter.
  mutating func filterList(_ text: String?) -> [Effect] {
    let prompt = ListFilterPrompt(before: screen.filter, focus: screen.focus)
    // A narrow screen has only the pane with the focus.
    (screen.focus, screen.isReading) = (.episodes, false)
    guard let text else { return open(Prompt(prompt, offered: screen.filter?.text ?? "")) }
    return prompt.finish(text, Prompt(prompt, text), &self)
  }

  /// Filters the list while the text is typed. A text that is not complete keeps the last complete one.
  mutating func filterList(typing text: String) {
    do throws(FilterError) {
      screen.filter = try EpisodeFilter.typing(text).map { ListFilter(text: text, filter: $0) }
    } catch {}
  }

  /// - Returns: false if the list has no filter.
  mutating func leaveFilter() -> Bool {
    guard screen.filter != nil, focusedPane != .detail else { return false }
    screen.filter = nil
    return true
  }

  /// `:save-filter`: asks for a title, then shows the filter with what the list is, to be changed and saved.
  mutating func saveFilter(_ title: String?) -> [Effect] {
    guard let filter = screen.filter else { return [] }
    var saved = filter.filter
    if let list = tab.kind.filter(self) {
      if let limit = list.limit {
        return tell(
          .info, "The playlist has a limit of \(limit), so it cannot be saved together with a filter")
      }
      saved.condition = .all([list.condition, saved.condition].flatMap(Self.parts(of:)))
      if saved.order == .newest { saved.order = list.order }
    }
    return smartPlaylist(title, filter: saved.description)
  }

  private static func parts(of condition: EpisodeFilter.Condition) -> [EpisodeFilter.Condition] {
    if case .all(let parts) = condition { parts } else { [condition] }
  }
}

/// Asks for the filter of a list, and narrows the list while it is typed.
public struct ListFilterPrompt: FilterTyping {
  /// The filter of the list and the focus when the prompt was opened.
  var before: ListFilter?
  var focus: Pane

  public var label: String { "Filter: " }
  public var example: String { "such as: unplayed <20m tag:news" }
  public var history: WritableKeyPath<State, PromptHistory>? { \.histories.filter }
  public var takesWords: Bool { true }

  public func typed(_ text: String, _ state: inout State) -> [Effect] {
    state.filterList(typing: text)
    return []
  }

  public func cancelled(_ state: inout State) { (state.screen.filter, state.screen.focus) = (before, focus) }

  /// If the filter has an error, the prompt stays open.
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    guard !text.isEmpty else {
      state.screen.filter = nil
      return []
    }
    do throws(FilterError) {
      state.screen.filter = ListFilter(text: text, filter: try EpisodeFilter(typed: text))
    } catch {
      return state.open(prompt)
    }
    state.histories.filter.add(text)
    let keymap = state.keymap
    return state.tell(
      .info, "Filtered. \(keymap.press(.back)) to show all, \(keymap.hint(.saveFilter)) to save a smart playlist.")
  }
}

extension FilterCompletion {
  /// The completed texts for a prompt, with the tags and podcasts of the library.
  static func lines(_ head: String, takesWords: Bool, _ state: State) -> [String] {
    let completion = FilterCompletion(head, takesWords: takesWords) { field in
      switch field {
      case .tag: State.inTagOrder(Set(state.library.podcasts.flatMap(\.tags)))
      case .podcast: state.library.podcasts.map(\.title)
      default: []
      }
    }
    let characters = Array(head)
    guard completion.replaces.upperBound <= characters.count else { return [] }
    let before = String(characters[..<completion.replaces.lowerBound])
    return completion.candidates.map { before + $0 }
  }

  /// The description of the last word of a completed text.
  static func help(of completion: String) -> String? {
    let word = completion.split { $0.isWhitespace || $0 == "(" }.last.map(String.init) ?? ""
    return FilterFlag(rawValue: word)?.help ?? FilterField(rawValue: word)?.help
  }
}
