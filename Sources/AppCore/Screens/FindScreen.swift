import Model

/// The search of the whole library.
struct FindScreen: ScreenKind {
  let traits = ScreenTraits(title: "Search", command: .find)

  /// Keys wait for the results of the newest search. They are not meant for the rows of the one before.
  func wait(_ state: State) -> ListWait {
    state.awaited.contains(FindQuestion.self) || query(state) != nil && state.areEpisodesPending ? .yes : .no
  }

  /// A search is read out without its words, so that the results come first.
  func texts(_ state: State) -> ListTexts {
    let words = state.screens.find.words
    return ListTexts(
      title: words.isEmpty ? nil : "“\(words)”", spokenTitle: traits.title, empty: emptyText(state),
      hints: [
        (.open, "play"), (.details, "read"), (.find, "search again"), (.help, "help"), (.queueLast, "queue"),
        (.download, "download"), (.back, "back"),
      ])
  }

  private func emptyText(_ state: State) -> [String] {
    let words = state.screens.find.words
    if !words.isEmpty, state.awaited.contains(FindQuestion.self) { return [] }
    return [
      words.isEmpty ? "Type words to search the library." : "Nothing was found for “\(words)”.",
      "\(state.keymap.press(.find)) to search again.",
    ]
  }

  /// Only a filter is a question to the library.
  func query(_ state: State) -> EpisodeQuery? {
    state.screen.filter == nil ? nil : EpisodeQuery(.these(state.screens.find.hits))
  }

  /// The list cannot be asked for again. Its rows can.
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    guard state.screen.filter == nil else { return [] }
    if state.screen.episodes.query.filter != nil {
      state.showEpisodes(of: EpisodeQuery(.these(state.screens.find.hits)))
      state.screen.episodes.refill(state.screens.find.hits, selecting: 0, height: layout.listHeight(.episodes))
    }
    guard !state.screen.episodes.ids.isEmpty, state.screen.listQuery.isStale else { return [] }
    state.screen.listQuery.asked()
    state.screen.listQuery.answered()
    let height = layout.listHeight(.episodes)
    state.screen.episodes.list.fit(count: state.screen.episodes.ids.count, height: height)
    // Also those that are not shown: they are in memory, and commands on many rows use them.
    return [state.ask(RowsQuestion(ids: state.screen.episodes.ids))]
  }

  /// The words of the search, and where each episode matches.
  struct Content: Equatable, Sendable {
    var words = ""
    var hits: [EpisodeID] = []
    var matches: [EpisodeID: SearchMatch] = [:]
  }
}

extension State {
  /// Where the episode matched in the library search; nil in other lists.
  func searchMatch(of id: EpisodeID) -> SearchMatch? { tab == .find ? screens.find.matches[id] : nil }
}
