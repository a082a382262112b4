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
    screen.search = ListSearch(words: words, origin: 0)
    guard focusedPane == .episodes else { return goToMatch(forward: true, includesSelection: true) }
    let folded = SearchText.fold(words)
    // The entries of a playlist are all in memory.
    if let entries = tab.kind.entries(self) {
      let hits = entries.filter { matches(folded, $0) }
      screen.search?.matches = Set(hits.map(\.episode))
      return goToMatch(forward: true, includesSelection: true)
    }
    var query = screen.episodes.query
    query.titleContains = words
    // The rows show the names of the podcasts, so these are searched, too.
    if tab.kind.list.namesPodcasts {
      query.alsoFromPodcasts = library.podcasts.filter { SearchText.matches($0.title, folded) }.map(\.id)
    }
    return [ask(.episodes(query, selected: nil, rows: 0), for: .matches(tab))]
  }

  private func matches(_ words: String, _ entry: PlaylistEntry) -> Bool {
    let row = library.rows[entry.episode]
    let texts = [entry.clip?.title, row?.title, row?.podcastTitle]
    return texts.contains { SearchText.matches($0 ?? "", words) }
  }

  /// Handles the matching ids from the store.
  mutating func receiveMatches(_ ids: [EpisodeID], on tab: Tab) {
    screens[tab].search?.matches = Set(ids)
    if tab == self.tab { _ = goToMatch(forward: true, includesSelection: true) }
  }

  mutating func searchAgain(forward: Bool) -> [Effect] {
    guard let search = screen.search else { return [] }
    // The focus has moved to the episodes, so their matches are not known yet.
    if focusedPane == .episodes, search.matches == nil { return self.search(search.words) }
    return goToMatch(forward: forward, includesSelection: false)
  }

  private mutating func goToMatch(forward: Bool, includesSelection: Bool) -> [Effect] {
    guard let search = screen.search else { return [] }
    let pane = focusedPane
    let found = pane.kind.goToMatch(
      search.words, SearchOptions(forward: forward, includesSelection: includesSelection), &self)
    if found, pane == .episodes {
      let keys = "\(keymap.hint(.searchNext)), \(keymap.hint(.searchPrevious))"
      let count = EpisodesPane().matches("", self).count
      showMessage(.note, "\(count) \(count == 1 ? "match" : "matches") for “\(search.words)”: \(keys)")
    }
    if !found { showMessage(.warning, "“\(search.words)” was not found here") }
    return []
  }

  /// Searches the whole library. The effect runner cancels the previous search.
  mutating func find(_ words: String) -> [Effect] {
    let words = words.trimmingCharacters(in: .whitespaces)
    screens.find.words = words
    guard !words.isEmpty else {
      screens.find.hits = []
      screens[.find].episodes.fill([])
      return awaited.drop(.found).map { [.cancel($0)] } ?? []
    }
    return [ask(.find(words), for: .found)]
  }

  mutating func receiveHits(words: String, _ hits: [SearchHit]) {
    // The hits contain their rows, so the list is up to date.
    screens[.find].listQuery.asked()
    screens[.find].listQuery.answered()
    library.keep(hits.map(\.row))
    screens.find.places = Dictionary(hits.map { ($0.row.id, $0.place) }, uniquingKeysWith: { first, _ in first })
    screens.find.hits = hits.map(\.row.id)
    if screens[.find].filter == nil {
      screens[.find].episodes.fill(screens.find.hits)
    } else {
      screens[.find].listQuery.invalidate()
    }
    // No message for every letter that is typed.
    if overlays.last?.content is Prompt<FindPrompt> { return }
    if hits.isEmpty { showMessage(.warning, "“\(words)” was not found in the library") }
  }

  /// Where the selected episode matched in the library search; nil on other screens.
  var selectedPlace: SearchPlace? {
    guard focusedPane == .episodes else { return nil }
    return screen.episodes.selected.flatMap { tab.kind.searchPlace(of: $0, self) }
  }
}
