import Foundation
import Model
import TerminalKit

/// `/`, n and N: searching in the pane that has the focus; and the search of the whole library. Podcasts and details are
/// in memory; episodes are asked of the store, since only the rows near the window are here.
extension State {
  /// For words at once, else from a prompt.
  mutating func search(for words: String?) -> [Effect] { words.map { search($0) } ?? open(Prompt(SearchPrompt())) }

  /// Looks for `words` and goes to the first match from where the listener is.
  mutating func search(_ words: String) -> [Effect] {
    let words = words.trimmingCharacters(in: .whitespaces)
    guard !words.isEmpty else {
      screen.search = nil
      return []
    }
    screen.search = ListSearch(words: words, origin: 0)
    if tab == .playlists, focusedPane == .episodes { return searchEntries(words) }
    guard focusedPane == .episodes else { return goToMatch(forward: true, fromHere: true) }
    var query = screen.episodes.query
    query.titleContains = words
    return [ask(.episodes(query, selected: nil, rows: 0), for: .matches(tab))]
  }

  /// In a playlist: what is in it is here, but for rows that were never shown.
  private mutating func searchEntries(_ words: String) -> [Effect] {
    let folded = SearchText.fold(words)
    let hits = screen.entries.entries.filter { entry in
      let title = (entry.clip?.title ?? "") + " " + (rows[entry.episode]?.title ?? "")
      return SearchText.matches(title, folded)
    }
    screen.search?.matches = Set(hits.map(\.episode))
    return goToMatch(forward: true, fromHere: true)
  }

  /// The store's answer to a search: the ids that match.
  mutating func receiveMatches(_ ids: [EpisodeID], on tab: Tab) {
    screens[tab]!.search?.matches = Set(ids)
    if tab == self.tab { _ = goToMatch(forward: true, fromHere: true) }
  }

  mutating func searchAgain(forward: Bool) -> [Effect] {
    guard let search = screen.search else { return [] }
    // The focus has moved to the episodes since: their matches are not known yet.
    if focusedPane == .episodes, search.matches == nil { return self.search(search.words) }
    return goToMatch(forward: forward, fromHere: false)
  }

  private mutating func goToMatch(forward: Bool, fromHere: Bool) -> [Effect] {
    guard let search = screen.search else { return [] }
    let words = SearchText.fold(search.words)
    var found = false
    switch focusedPane {
    case .podcasts:
      let hits = podcasts.indices.filter { SearchText.matches(podcasts[$0].title, words) }
      found = Self.go(&screen.podcasts, hits, forward: forward, fromHere: fromHere)
    case .episodes:
      let matches = search.matches ?? []
      let hits = screen.episodes.ids.indices.filter { matches.contains(screen.episodes.ids[$0]) }
      found = Self.go(&screen.episodes.list, hits, forward: forward, fromHere: fromHere)
      if found {
        let keys = "\(keymap.hint(.searchNext)), \(keymap.hint(.searchPrevious))"
        say(.note, "\(hits.count) \(hits.count == 1 ? "match" : "matches") for “\(search.words)”: \(keys)")
      }
    case .detail:
      found = screen.detail.find(search.words, forward: forward)
    case .playlists:
      let hits = playlists.indices.filter { SearchText.matches(playlists[$0].title, words) }
      found = Self.go(&screen.playlists, hits, forward: forward, fromHere: fromHere)
    case .transcript:
      let size = layout.place(.transcript)?.content.size ?? Size(1, 1)
      found = transcript.find(search.words, forward: forward, fromHere: fromHere, size: size)
    case .chapters:
      let hits = player.chapters.indices.filter { SearchText.matches(player.chapters[$0].title ?? "", words) }
      if var list = listening?.chapters {
        found = Self.go(&list, hits, forward: forward, fromHere: fromHere)
        listening?.chapters = list
      }
    case .notes: found = listening?.notes.find(search.words, forward: forward) ?? false
    case .upNext:
      let hits = queue.indices.filter { SearchText.matches(rows[queue[$0]]?.title ?? "", words) }
      if var list = listening?.upNext {
        found = Self.go(&list, hits, forward: forward, fromHere: fromHere)
        listening?.upNext = list
      }
    case .cover: break
    }
    if !found { say(.warning, "“\(search.words)” was not found here") }
    return []
  }

  private static func go(_ list: inout ListState, _ hits: [Int], forward: Bool, fromHere: Bool) -> Bool {
    let here = list.selected
    let target =
      forward
      ? hits.first { fromHere ? $0 >= here : $0 > here } ?? hits.first
      : hits.last { $0 < here } ?? hits.last
    guard let target else { return false }
    list.moveTo(target)
    return true
  }

  /// Searches the whole library. The effect runner calls off the search before.
  mutating func find(_ words: String) -> [Effect] {
    let words = words.trimmingCharacters(in: .whitespaces)
    screens[.find]!.words = words
    guard !words.isEmpty else {
      screens[.find]!.episodes.fill([])
      return awaited.drop(.found).map { [.cancel($0)] } ?? []
    }
    return [ask(.find(words), for: .found)]
  }

  mutating func receiveHits(words: String, _ hits: [SearchHit]) {
    // These rows are as fresh as an answer to the list's own question.
    screens[.find]!.question.asked()
    screens[.find]!.question.answered()
    for hit in hits { rows[hit.row.id] = hit.row }
    screens[.find]!.places = Dictionary(hits.map { ($0.row.id, $0.place) }, uniquingKeysWith: { first, _ in first })
    screens[.find]!.episodes.fill(hits.map(\.row.id))
    // While the words are typed, each beginning of them need not be commented on.
    if overlays.last?.content is Prompt<FindPrompt> { return }
    if hits.isEmpty { say(.warning, "“\(words)” was not found in the library") }
  }
  /// Where in the selected episode the search of the library hit; nil on other screens.
  var selectedPlace: SearchPlace? {
    guard tab == .find, focusedPane == .episodes else { return nil }
    return screen.episodes.selected.flatMap { screen.places[$0] }
  }
}
