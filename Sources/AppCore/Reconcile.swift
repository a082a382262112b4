import Foundation
import Model
import TerminalKit

/// Makes State consistent after a batch of actions: lists are fitted to their panes, and data that is shown but missing
/// is asked for. Called once before each render, so that many actions cause one question.
public func reconcile(_ state: inout State) -> [Effect] {
  var effects = state.reconcile()
  // A key may have waited for what is consistent now. No action may follow that would release it.
  while state.canReleaseHeldKeys { effects += state.finishAction() + state.reconcile() }
  return effects
}

extension State {
  mutating func reconcile() -> [Effect] {
    let layout = self.layout
    var effects: [Effect] = []
    let isFirst = !library.podcastsQuery.hasAnswer
    if mustAsk(\.library.podcastsQuery, for: .podcasts) {
      effects += [ask(.podcasts, for: .podcasts), ask(.queue, for: .queue)]
      if let id = offeredEpisode, !isFirst { effects.append(ask(.rows([id]), for: .rows([id]))) }
    }
    effects += tab.kind.reconcile(&self, layout)
    effects += reconcileEpisodes(layout)
    effects += reconcileSelection()
    effects += reconcileDetail(layout)
    effects += reconcileListening()
    effects += reconcileMarks()
    effects += reconcileMatches()
    // The panes may have another place now.
    effects += reconcileCovers(self.layout)
    effects += warmUpPlayer()
    pruneRows()
    return effects
  }

  /// Opens the player before it is needed, so that the first sound comes sooner. The player takes memory, so it is
  /// opened only when the listener has pressed a key and an episode is selected or offered.
  private mutating func warmUpPlayer() -> [Effect] {
    guard keys.hasBegun, player.episode != nil || selectedEpisode != nil else { return [] }
    return pendingPlayback.warmUp() ? [.player(.warmUp)] : []
  }

  /// Marks everything on the screen as stale and asks for it again.
  mutating func invalidate() -> [Effect] {
    library.invalidate()
    downloads.storedQuery.invalidate()
    screens.discover.suggestionsQuery.invalidate()
    listening?.notes.invalidate()
    marks.query.invalidate()
    awaited.dropReadAhead()
    for tab in Tab.allCases {
      screens[tab].listQuery.invalidate()
      screens[tab].detail.invalidate()
    }
    return []
  }

  /// Lets the list of the screen show these episodes. Answers for the previous ones are dropped.
  mutating func showEpisodes(of query: EpisodeQuery) {
    guard query != screen.episodes.query else { return }
    screen.episodes.show(query)
    screen.search?.matches = nil
    screen.listQuery.reset()
    awaited.drop(.episodes(tab))
    awaited.drop(.matches(tab))
  }

  /// The query with the filter of the screen.
  func filtered(_ query: EpisodeQuery) -> EpisodeQuery {
    var query = query
    query.filter = screen.filter?.filter
    return query
  }

  private mutating func reconcileEpisodes(_ layout: Layout) -> [Effect] {
    let query = tab.kind.query(self)
    if let query { showEpisodes(of: filtered(query)) }
    let height = layout.listHeight(.episodes)
    var effects: [Effect] = []
    screen.episodes.list.fit(count: screen.episodes.ids.count, height: height)
    if query != nil, mustAsk(\.screen.listQuery, for: .episodes(tab)) {
      effects.append(ask(screen.episodes.question(height: height), for: .episodes(tab)))
    }
    guard !awaited.contains(.episodes(tab)) else { return effects }
    return effects + askForRows(screen.episodes.wanted(height: height))
  }

  private mutating func reconcileDetail(_ layout: Layout) -> [Effect] {
    guard let place = layout.place(.detail) else { return [] }
    let details = tab.kind.details(self)
    let (subject, neighbours) = (details.subject, details.neighbours)
    var effects: [Effect] = []
    let reader = Awaited.Subject.reader(.details(tab))
    // An answer about the previous subject is no longer wanted.
    if screen.detail.subject != subject { awaited.drop(reader) }
    let question = screen.detail.show(subject, beside: neighbours, isAwaited: awaited.contains(reader))
    // The answer may have been asked for ahead.
    if let subject, let question, !awaited.promote(.readAhead(tab, subject), to: reader) {
      effects.append(ask(question, for: reader))
    }
    if case .found? = subject, let row = selectedResult { screen.detail.receive(.found(row)) }
    // A picture would fill a low pane.
    var preferences = preferences
    preferences.coverArt = preferences.coverArt && place.content.height >= Self.leastWithCover
    screen.detail.flow(
      to: DetailView.textSize(in: place.content), calendar: calendar, keymap: keymap, player: player,
      preferences: preferences, problems: problems, clip: selectedEntry?.clip)
    return effects + readAhead(neighbours)
  }

  /// Asks for the details of what is next to the selection, so that a key that moves there need not wait. The first
  /// screen asks for nothing that it does not show.
  private mutating func readAhead(_ neighbours: [ReaderState.Subject]) -> [Effect] {
    guard keys.hasBegun else { return [] }
    return screen.detail.neighboursToRead(neighbours).compactMap { neighbour in
      guard let question = neighbour.question, !awaited.contains(.readAhead(tab, neighbour)) else { return nil }
      return ask(question, for: .readAhead(tab, neighbour))
    }
  }

  /// Discards the details that were read ahead, because they may have changed. What is on the screen stays.
  mutating func discardReadAhead() {
    awaited.dropReadAhead()
    for tab in Tab.allCases { screens[tab].detail.discardAhead() }
  }

  /// Discards the details of this episode, if they were read ahead.
  mutating func discardReadAhead(_ episode: EpisodeID) {
    awaited.dropReadAhead(of: .episode(episode))
    for tab in Tab.allCases { screens[tab].detail.discardAhead(.episode(episode)) }
  }

  /// Whether these actions bring only data that the screen does not show yet, so that it needs no new frame.
  public func areReadAhead(_ actions: [Action]) -> Bool {
    var isAny = false
    for action in actions {
      switch action {
      case .answer(let request, _):
        guard case .readAhead? = awaited.subject(of: request) else { return false }
        isAny = true
      // It comes with every batch while an episode plays. The screen does not show it.
      case .exactPosition: break
      default: return false
      }
    }
    return isAny
  }

  /// The least height of a reader with a picture, in rows.
  private static let leastWithCover = 14

  /// Drops rows that are far from what any list shows, so that memory does not grow with the library.
  private mutating func pruneRows() {
    guard library.rows.count > 4000 else { return }
    var kept = Set(queue.prefix(200))
    for tab in Tab.allCases { kept.formUnion(screens[tab].episodes.wanted(height: size.height)) }
    if let id = player.episode?.id { kept.insert(id) }
    library.keepRows(kept)
  }
}

/// Handles answers of the store.
extension State {
  mutating func receive(_ request: RequestID, _ answer: Answer) -> [Effect] {
    guard let subject = awaited.end(request) else { return [] }
    switch answer {
    case .podcasts(let podcasts): receive(podcasts)
    case .queue(let rows):
      queue = rows.map(\.id)
      keep(rows)
    case .episodes(let query, let ids, let rows, let start):
      if case .matches(let tab) = subject { receiveMatches(ids, on: tab) }
      if case .episodes(let tab) = subject { receive(query, ids, rows, start, on: tab) }
    case .rows(let rows): keep(rows)
    case .episode(let detail, let document): receive(.episode(detail, document), subject)
    case .podcast(let detail, let document): receive(.podcast(detail, document), subject)
    case .found(let words, let hits): receiveHits(words: words, hits)
    case .playlists(let playlists):
      receive(playlists)
      if playlists.contains(where: \.isSmart) { return [ask(SmartPlaylistCounts())] }
    case .playlist(let contents): receive(contents)
    case .received(let receive): return receive(&self)
    case .transcript(let text): transcript.receive(.success(text))
    case .chapters(let chapters): return receive(PlayerState.visible(chapters, duration: nil), subject)
    case .suggestions(let suggestions, let subscribed): receive(suggestions, subscribed)
    case .extra(let row): return play(extra: row)
    case .gone: break
    }
    return []
  }

  mutating func receive(_ request: RequestID, _ error: ReportedError) {
    switch awaited.end(request) {
    // Nobody waits for it any more, so the failure does not matter.
    case nil: return
    // The pane itself shows why there is no transcript.
    case .transcript: return transcript.receive(.failure(error))
    // The listener has not asked for it. If it is shown, it is asked for again.
    case .readAhead: return
    // The pane itself shows why there are no chapters.
    case .chapters:
      listening?.chaptersProblem = error.text
      return
    case .refresh:
      refreshes[request] = nil
      return showMessage(.warning, error.text)
    case .rows(let ids): library.noteUnreadable(ids)
    default: break
    }
    showMessage(.error, error.text)
  }

  mutating func receive(_ event: LibraryEvent) -> [Effect] {
    switch event {
    case .undone(let what, let restored, let place):
      pendingSelection.set(restored)
      showMessage(
        .note, what.map { "Undone: \($0). Press \(keymap.hint(.redo)) to redo." } ?? "There is nothing to undo")
      return follow(undone: place, over: restored.over) + invalidate()
    case .redone(let what, let restored, let place):
      pendingSelection.set(restored)
      showMessage(.note, what.map { "Redone: \($0)" } ?? "There is nothing to redo")
      return follow(undone: place, over: restored.over) + invalidate()
    case .asksUndo(let plan): return askUndo(plan)
    case .writable:
      readOnlyReason = nil
      // What could not be written before is written now.
      return invalidate()
    case .rulesChanged(let selected, let preview): return receiveRules(selected: selected, preview)
    case .changed: return invalidate()
    case .stored(let mark): return stored(mark)
    case .failed(let error): return notStored(error)
    case .playing(let generation, let row, let chapters, let second):
      playing(generation, row, chapters: chapters, from: second)
    case .playbackSettings(let podcast, let settings): player.receive(settings, of: podcast)
    case .settingsRestored(let podcast, let settings):
      return player.replace(settings, of: podcast) ? [.player(.setSpeed(player.speed))] : []
    case .storedDuration(let generation, let duration, let feed):
      player.noteStoredDuration(duration, feed: feed, generation: generation)
    case .transcripts(let generation, let before, let now):
      // The pane must follow the sound of the current file.
      if generation == player.generation, transcript.episode == player.episode?.id { transcript.replace(now) }
      return updateSession { player, _ in player.receive(now, before: before, generation: generation) }
    case .chapters(let generation, let chapters):
      return updateSession { player, _ in player.receiveChapters(chapters, generation: generation) }
    }
    return []
  }

  private mutating func receive(
    _ query: EpisodeQuery, _ ids: [EpisodeID], _ rows: [EpisodeRow], _ start: EpisodeID?, on tab: Tab
  ) {
    let wanted = pendingSelection.takeEpisode(in: ids)
    screens[tab].episodes.receive(query, ids: ids, start: wanted ?? start, height: layout.listHeight(.episodes))
    screens[tab].listQuery.answered()
    keep(rows)
    let shown = screen.episodes
    if tab == self.tab, let restored = pendingSelection.takeRestored(in: shown.ids, selected: shown.selected) {
      screen.episodes.select(restored)
    }
    forgetRows(except: rows)
  }

  private mutating func receive(_ content: ReaderState.Content, _ subject: Awaited.Subject) {
    switch subject {
    case .reader(.details(let tab)): screens[tab].detail.receive(content)
    case .readAhead(let tab, _): screens[tab].detail.receiveAhead(content)
    case .reader(.notes): listening?.notes.receive(content)
    default: break
    }
  }

  private mutating func receive(_ podcasts: [PodcastRow]) {
    library.podcastsQuery.answered()
    let wanted = pendingSelection.takePodcast(in: podcasts)
    arrangePodcasts(selecting: wanted) { $0.podcasts = podcasts }
  }

  /// Keeps rows of an answer. The player bar shows the stored position of the episode that it offers, which an undo or
  /// another process may have changed.
  mutating func keep(_ rows: [EpisodeRow]) {
    library.keep(rows)
    guard let id = offeredEpisode, let row = library.rows[id], row.position != player.position else { return }
    player.offer(row, at: row.position, duration: row.duration)
  }

  /// The episode that the player bar shows and Space resumes. Nil while an episode is loaded or after its end.
  private var offeredEpisode: EpisodeID? { player.isActive || player.isFinished ? nil : player.episode?.id }

  /// Drops rows that may be older than this answer. They are asked for when they are shown.
  private mutating func forgetRows(except fresh: [EpisodeRow]) {
    var known = Set(fresh.map(\.id))
    known.formUnion(queue)
    if let id = player.episode?.id { known.insert(id) }
    library.keepRows(known)
    awaited.dropRows()
  }
}
