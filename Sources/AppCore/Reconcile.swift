import Foundation
import Model
import TerminalKit

/// Brings State in order after a batch of actions: lists fit their panes, and what is shown but not known is asked
/// for. Run once before each render, however many actions came, so that a storm of changes asks once.
public func reconcile(_ state: inout State) -> [Effect] { state.reconcile() }

extension State {
  mutating func reconcile() -> [Effect] {
    let layout = self.layout
    var effects: [Effect] = []
    if podcastsQuery.ask() { effects += [.loadPodcasts, .loadQueue] }
    if tab == .podcasts { fitPodcasts(layout) }
    if tab == .playlists { effects += reconcilePlaylists(layout) }
    effects += reconcileEpisodes(layout)
    effects += reconcileDetail(layout)
    effects += reconcileListening(layout)
    effects += reconcileCovers(layout)
    effects += warmUpPlayer()
    pruneRows()
    return effects
  }

  /// Sound comes sooner when the player is ready before it is wanted. It takes memory that somebody who only looks should
  /// not have to pay, so not before a key could start it: the listener is there, and at an episode.
  private mutating func warmUpPlayer() -> [Effect] {
    guard !player.isWarm, isTouched, player.episode != nil || selectedEpisode != nil else { return [] }
    player.isWarm = true
    return [.warmUpPlayer]
  }

  /// Everything shown may be wrong now: it is asked for again.
  mutating func invalidate() -> [Effect] {
    podcastsQuery.invalidate()
    for tab in Tab.allCases { screens[tab]!.question.invalidate() }
    return []
  }

  private mutating func fitPodcasts(_ layout: Layout) {
    screen.podcasts.fit(count: podcasts.count, height: layout.listHeight(.podcasts))
    guard podcasts.indices.contains(screen.podcasts.selected) else { return }
    let podcast = podcasts[screen.podcasts.selected]
    let query = EpisodeQuery(.podcast(podcast.id), unplayedOnly: unplayedOnly)
    if query != screen.episodes.query {
      screen.episodes.show(query)
      screen.search?.matches = nil
      screen.question.reset()
    }
  }

  private mutating func reconcileEpisodes(_ layout: Layout) -> [Effect] {
    let height = layout.listHeight(.episodes)
    var effects: [Effect] = []
    screen.episodes.list.fit(count: screen.episodes.ids.count, height: height)
    let hasNothingToAsk = tab == .find || tab == .playlists || (tab == .podcasts && podcasts.isEmpty)
    if tab == .podcasts, podcasts.isEmpty { screen.episodes.fill([]) }
    if !hasNothingToAsk, screen.question.ask() {
      let request = self.request()
      effects.append(screen.episodes.load(request, height: height))
    }
    // What a search found is not a query that can be asked again; its rows are.
    if tab == .find, !screen.episodes.ids.isEmpty, screen.question.ask() {
      screen.question.answered()
      let shown = Array(screen.episodes.wanted(height: height))
      awaitedRows.formUnion(shown)
      effects.append(.loadRows(shown))
      effects += screen.detail.reload(request: self.request())
    }
    guard screen.episodes.awaited == nil || !screen.question.isAwaited else { return effects }
    let missing = screen.episodes.wanted(height: height).filter { rows[$0] == nil && !awaitedRows.contains($0) }
    if !missing.isEmpty {
      awaitedRows.formUnion(missing)
      effects.append(.loadRows(Array(missing)))
    }
    return effects
  }

  private mutating func reconcileDetail(_ layout: Layout) -> [Effect] {
    guard let place = layout.place(.detail) else { return [] }
    let subject: DetailPane.Subject? =
      if tab == .podcasts && (screen.focus == .podcasts || screen.episodes.selected == nil) {
        selectedPodcast.map { .podcast($0.id) }
      } else {
        screen.episodes.selected.map { .episode($0) }
      }
    let request = lastRequest + 1
    let effects = screen.detail.show(subject, request: request)
    if !effects.isEmpty { lastRequest = request }
    screen.detail.flow(to: DetailView.textSize(in: place.content), calendar: calendar, preferences: preferences)
    return effects
  }

  /// Rows far from every window are forgotten: memory does not grow with the library.
  private mutating func pruneRows() {
    guard rows.count > 4000 else { return }
    var kept = Set(queue.prefix(200))
    for screen in screens.values { kept.formUnion(screen.episodes.wanted(height: size.height)) }
    if let id = player.episode?.id { kept.insert(id) }
    rows = rows.filter { kept.contains($0.key) }
  }
}

/// Answers of the store.
extension State {
  mutating func receive(_ answer: LibraryAnswer) -> [Effect] {
    switch answer {
    case .podcasts(let podcasts):
      receive(podcasts)
    case .episodes(let request, let query, let ids, let rows):
      if screen.search?.awaited == request {
        receiveMatches(request, ids)
      } else if let tab = screens.first(where: { $0.value.episodes.awaited == request })?.key {
        screens[tab]!.episodes.receive(request, query, ids: ids, height: layout.listHeight(.episodes))
        screens[tab]!.question.answered()
        for row in rows { self.rows[row.id] = row }
        forgetRows(except: rows)
        let request = self.request()
        return screens[tab]!.detail.reload(request: request)
      }
    case .rows(let rows):
      for row in rows {
        self.rows[row.id] = row
        awaitedRows.remove(row.id)
      }
    case .episode(let request, let detail, let document):
      for tab in Tab.allCases { screens[tab]!.detail.receive(request, .episode(detail, document)) }
      listening?.notes.receive(request, .episode(detail, document))
    case .podcast(let request, let detail, let document):
      for tab in Tab.allCases { screens[tab]!.detail.receive(request, .podcast(detail, document)) }
    case .queue(let rows):
      queue = rows.map(\.id)
      for row in rows { self.rows[row.id] = row }
    case .found(let request, let words, let hits):
      receiveHits(request, words: words, hits)
    case .playlists(let playlists): receive(playlists)
    case .playlist(let request, let contents): return receive(request, contents)
    case .transcript(let episode, let result): transcript.receive(episode, result)
    case .undone(let what):
      say(.note, what.map { "Undone: \($0)" } ?? "There is nothing to undo")
      return invalidate()
    case .changed:
      return invalidate()
    case .playing(let generation, let row, let chapters, let second):
      playing(generation, row, chapters: chapters, from: second)
    case .show(let podcast, let settings, let opens): return receiveShow(podcast, settings, opens: opens)
    case .left(let generation, let total):
      if generation == player.generation { player.leftTotal = total }
    case .chapters(let generation, let chapters):
      guard generation == player.generation, player.isActive, !chapters.isEmpty else { return [] }
      player.chapters = PlayerState.visible(chapters)
      compareChapters(player.chapters)
    case .failed(let error):
      say(.error, error.text)
      // Nobody says which question failed: none is waited for, so that the next change of the library asks anew.
      podcastsQuery.gaveUp()
      for tab in Tab.allCases { screens[tab]!.question.gaveUp() }
      screens[.find]!.findRequest = nil
    }
    return []
  }

  private mutating func receive(_ podcasts: [PodcastRow]) {
    let index = screens[.podcasts]!.podcasts.selected
    let selected = self.podcasts.indices.contains(index) ? self.podcasts[index].id : nil
    self.podcasts = podcasts
    podcastsQuery.answered()
    let wanted = selectWhenLoaded.flatMap { id in podcasts.firstIndex { $0.id == id } }
    let kept = wanted ?? podcasts.firstIndex { $0.id == selected }
    screens[.podcasts]!.podcasts.fit(count: podcasts.count, height: layout.listHeight(.podcasts))
    if let kept { screens[.podcasts]!.podcasts.moveTo(kept) }
    if wanted != nil { selectWhenLoaded = nil }
  }

  /// Rows that were not in the answer may be older than it: they are asked for when they are shown.
  private mutating func forgetRows(except fresh: [EpisodeRow]) {
    var known = Set(fresh.map(\.id))
    known.formUnion(queue)
    if let id = player.episode?.id { known.insert(id) }
    rows = rows.filter { known.contains($0.key) }
    awaitedRows = []
  }
}
