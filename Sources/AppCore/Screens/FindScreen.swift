import Model

/// The search of the whole library.
struct FindScreen: ScreenKind {
  let title = "Search"
  let command = CommandName.find

  /// Former results stay until the new ones come, which may take long.
  func isListPending(_ state: State) -> Bool {
    state.awaited.contains(.found) && state.screen.episodes.ids.isEmpty
  }

  func listTitle(_ state: State) -> String {
    let words = state.screens.find.words
    return words.isEmpty ? title : "“\(words)”"
  }

  func emptyText(_ keymap: Keymap) -> [String] {
    ["Type words to search the library.", "\(keymap.hint(.find)) asks for them."]
  }

  func emptyText(_ state: State) -> [String] {
    let words = state.screens.find.words
    guard !words.isEmpty else { return emptyText(state.keymap) }
    if state.awaited.contains(.found) { return [] }
    return ["Nothing was found for “\(words)”.", "\(state.keymap.hint(.find)) searches again."]
  }

  let listHints: [(CommandName, String)] = [
    (.open, "play"), (.details, "read"), (.find, "search again"), (.help, "help"), (.queueLast, "queue"),
    (.download, "download"), (.back, "back"),
  ]

  /// The words of the search, and where each episode matches.
  struct Place: Equatable, Sendable {
    var words = ""
    var places: [EpisodeID: SearchPlace] = [:]
  }
}
