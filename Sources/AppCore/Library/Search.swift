import Foundation
import Model
import TerminalKit

/// Search in the focused pane (`/`, `n`, `N`), and search of the whole library. Podcasts and details are searched in
/// memory. Episodes are searched by the store, because State has only the rows near the visible part.
extension State {
  /// Searches for the words, or opens the prompt.
  mutating func search(for words: String?) -> [Effect] { words.map { search($0) } ?? open(Prompt(SearchPrompt())) }

  /// Searches in the focused pane and goes to the first match from the selection on.
  mutating func search(_ words: String) -> [Effect] {
    let words = words.trimmingCharacters(in: .whitespaces)
    guard !words.isEmpty else {
      screen.search = nil
      return []
    }
    screen.search = ListSearch(words: words)
    let wanted = SearchOptions(forward: true, includesSelection: true)
    guard focusedPane == .episodes else { return goToMatch(wanted) }
    screen.search?.wanted = wanted
    return []
  }

  /// Asks which episodes match, once the list is there. After a failure it asks only when a match is wanted.
  mutating func reconcileSearch() -> [Effect] {
    guard let search = screen.search, search.matches == nil, search.wanted != nil || search.isKnown else { return [] }
    // The listener has gone elsewhere with the mouse.
    guard focusedPane == .episodes else {
      screen.search?.wanted = nil
      return []
    }
    guard !isListPending else { return [] }
    let folded = TextFolding.fold(search.words)
    // Playlists and what was found in the library are not answers to a query of the screen.
    var query = tab.kind.query(self) == nil ? EpisodeQuery(.these(screen.episodes.ids)) : screen.episodes.query
    query.titleContains = search.words
    // The rows show the names of the podcasts, so these are searched, too.
    if tab.kind.traits.namesPodcasts {
      query.alsoFromPodcasts = library.podcasts.filter { TextFolding.matches($0.title, folded) }.map(\.id)
    }
    let clips = listedEntries.filter { TextFolding.matches($0.clip?.title ?? $0.clip?.note ?? "", folded) }
    let question = MatchesQuestion(tab: tab, query: query, clips: clips.map(\.item))
    return awaited.contains(question) ? [] : [ask(question)]
  }

  /// Forgets which rows match, because the list has others.
  /// - Parameter isSameList: only some rows have changed, so their matches are asked for again. Otherwise the library
  ///   is asked only if a match is still wanted.
  mutating func forgetMatches(on tab: Tab, isSameList: Bool = false) {
    screens[tab].search?.matches = nil
    if !isSameList { screens[tab].search?.isKnown = false }
    awaited.drop(MatchesQuestion.self) { $0.tab == tab }
  }

  mutating func searchAgain(forward: Bool) -> [Effect] {
    guard let search = screen.search else { return [] }
    // The first search in a list may find the selected row: the focus has moved to the episodes.
    let isFirst = focusedPane == .episodes && search.matches == nil && !search.isKnown
    let wanted = SearchOptions(forward: forward, includesSelection: isFirst)
    guard focusedPane == .episodes, search.matches == nil else { return goToMatch(wanted) }
    screen.search?.wanted = wanted
    return []
  }

  fileprivate mutating func goToMatch(_ options: SearchOptions) -> [Effect] {
    guard let search = screen.search else { return [] }
    let pane = focusedPane
    let found = pane.kind.goToMatch(search.words, options, &self)
    if found, pane == .episodes {
      let keys = "\(keymap.hint(.searchNext)), \(keymap.hint(.searchPrevious))"
      let count = EpisodesPane().matches("", self).count
      showMessage(.info, "\(Counted.text(count, "match", "matches")) for “\(search.words)”: \(keys)")
    }
    if !found {
      // Those that waited are meant for a match.
      dropHeldKeys()
      showMessage(.warning, "“\(search.words)” was not found here")
    }
    return []
  }

  /// Searches the whole library. The effect runner cancels the previous search.
  mutating func find(_ words: String) -> [Effect] {
    let words = words.trimmingCharacters(in: .whitespaces)
    screens.find.words = words
    guard !words.isEmpty else {
      screens.find.hits = []
      screens[.find].episodes.fill([])
      return cancel(awaited.request(FindQuestion.self))
    }
    return [ask(FindQuestion(words: words))]
  }

  /// Where the selected episode matched in the library search; nil on other screens.
  var selectedMatch: SearchMatch? {
    guard focusedPane == .episodes else { return nil }
    return screen.episodes.selected.flatMap { searchMatch(of: $0) }
  }
}

/// Which episodes of a screen's list match the words of the search in the list.
struct MatchesQuestion: LibraryQuestion {
  var tab: Tab
  /// The query of the list with the words.
  var query: EpisodeQuery
  /// The clips whose own titles match, or the notes that rows show instead.
  var clips: [Playlist.Item] = []
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> [EpisodeID]? {
    try library.episodeList(query, around: nil, count: 0).ids
  }

  func receive(_ ids: [EpisodeID], _ state: inout State) -> [Effect] {
    // Other words were typed meanwhile.
    guard state.screens[tab].search?.words == query.titleContains else { return [] }
    let wanted = state.screens[tab].search?.wanted
    state.screens[tab].search?.wanted = nil
    state.screens[tab].search?.isKnown = true
    state.screens[tab].search?.matches = Set(clips + ids.map { Playlist.Item.episode($0) })
    guard let wanted, tab == state.tab, state.focusedPane == .episodes else { return [] }
    return state.goToMatch(wanted)
  }

  func fail(_ error: ReportedError, _ state: inout State) {
    if state.screens[tab].search?.wanted != nil { state.dropHeldKeys() }
    state.screens[tab].search?.wanted = nil
    state.screens[tab].search?.isKnown = false
    state.showMessage(.error, error.text)
  }

  func replaces(_ earlier: MatchesQuestion) -> Bool { tab == earlier.tab }
}

/// Searches the whole library for these words. It cancels the search before it.
public struct FindQuestion: LibraryQuestion {
  public let words: String

  public init(words: String) { self.words = words }

  public var destination: AnswerDestination { .later }

  /// `SearchService` of TUIApp answers it, because a running search can be cancelled.
  public func read(_ library: any LibraryReader) -> [SearchHit]? { nil }

  public func receive(_ hits: [SearchHit], _ state: inout State) -> [Effect] {
    // The hits contain their rows, so the list is up to date.
    state.screens[.find].listQuery.asked()
    state.screens[.find].listQuery.answered()
    state.library.remember(hits.map(\.row))
    let found = hits.map(\.row.id)
    state.screens.find.matches = Dictionary(hits.map { ($0.row.id, $0.match) }, uniquingKeysWith: { first, _ in first })
    state.screens.find.hits = found
    state.forgetMatches(on: .find)
    if state.screens[.find].filter == nil {
      state.screens[.find].episodes.fill(found)
    } else {
      state.screens[.find].listQuery.invalidate()
    }
    // No message for every letter that is typed.
    if hits.isEmpty, !(state.overlays.last?.content is Prompt<FindPrompt>) {
      state.showMessage(.warning, "“\(words)” was not found in the library")
    }
    return []
  }
}
