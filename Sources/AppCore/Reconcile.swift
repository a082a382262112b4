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
    effects += askIfStale(\.library.podcastsQuery, PodcastsQuestion())
    if !effects.isEmpty {
      effects.append(ask(QueueQuestion()))
      if let id = player.episode?.id, !isFirst { effects.append(ask(RowsQuestion(ids: [id]))) }
    }
    effects += tab.kind.reconcile(&self, layout)
    effects += reconcileEpisodes(layout)
    effects += reconcileSearch()
    effects += reconcileSelection()
    effects += reconcileDetail(layout)
    effects += reconcileListening()
    effects += reconcileMarks()
    reconcileQuestions()
    // The panes may have other areas now.
    effects += reconcileCovers(self.layout)
    effects += warmUpPlayer()
    pruneRows()
    return effects
  }

  /// Opens the player before it is needed, so that the first sound comes sooner. The player takes memory, so it is
  /// opened only when the listener has pressed a key and an episode is selected or offered.
  private mutating func warmUpPlayer() -> [Effect] {
    guard !pendingPlayback.isWarm, keys.hasBegun, player.episode != nil || selectedEpisode != nil else { return [] }
    pendingPlayback.isWarm = true
    return [.player(.warmUp)]
  }

  /// Marks everything on the screen as stale and asks for it again.
  mutating func invalidate() -> [Effect] {
    library.invalidate()
    listening?.notes.invalidate()
    marks.loaded.query.invalidate()
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
    forgetMatches(on: tab, isSameList: query.scope == screen.episodes.query.scope)
    screen.episodes.show(query)
    screen.listQuery.reset()
    awaited.drop(EpisodesQuestion.self) { $0.tab == tab }
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
    if query != nil { effects += askIfStale(\.screen.listQuery, screen.episodes.question(on: tab, height: height)) }
    guard !areEpisodesAwaited else { return effects }
    return effects + askForRows(screen.episodes.wanted(height: height))
  }

  /// Drops rows that are far from what any list shows, so that memory does not grow with the library.
  private mutating func pruneRows() {
    guard library.rows.count > 4000 else { return }
    var kept = Set(queue.prefix(200))
    for tab in Tab.allCases { kept.formUnion(screens[tab].episodes.wanted(height: size.height)) }
    if let id = player.episode?.id { kept.insert(id) }
    library.retainRows(kept)
  }
}

/// Handles answers of the store.
extension State {
  mutating func receive(_ request: RequestID, _ answer: Answer) -> [Effect] {
    guard let subject = awaited.end(request) else { return [] }
    switch answer {
    case .received(let receive): return receive(&self)
    case .transcript(let text): transcript.receive(.success(text))
    case .chapters(let chapters):
      return receive(ChapterMerge.listed(chapters, duration: nil).filter { !$0.hidden }, subject)
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
    // The pane itself shows why there are no chapters.
    case .chapters:
      listening?.chaptersProblem = error.text
      return
    case .refresh:
      refreshes[request] = nil
      return showMessage(.warning, error.text)
    case .library(let asked): return asked.question.fail(error, &self)
    default: break
    }
    showMessage(.error, error.text)
  }

  mutating func receive(_ event: LibraryEvent) -> [Effect] {
    switch event {
    case .undone(let direction, let what, let restored, let place):
      pendingSelection.set(restored)
      let text =
        switch direction {
        case .back: what.map { "Undone: \($0). \(keymap.press(.redo)) to redo." } ?? "There is nothing to undo"
        case .forward: what.map { "Redone: \($0)" } ?? "There is nothing to redo"
        }
      showMessage(.info, text)
      return follow(undone: place, over: restored.over) + invalidate()
    case .asksUndo(let plan): return askUndo(plan)
    case .writable:
      access.readOnlyReason = nil
      // What could not be written before is written now.
      return invalidate()
    case .rulesChanged(let selected, let preview): return receiveRules(selected: selected, preview)
    case .changed: return invalidate()
    case .movedElsewhere(let episode, let second): return adoptPositions([episode: second])
    case .stored(let mark): return stored(mark)
    case .failed(let error, let write): return notStored(write, error)
    case .playing(let generation, let row, let chapters, let second):
      playing(generation, row, chapters: chapters, from: second)
    case .playbackSettings(let podcast, let settings): player.receive(settings, of: podcast)
    case .settingsRestored(let podcast, let settings):
      return player.replace(settings, of: podcast) ? [.player(.setSpeed(player.speed))] : []
    case .storedDuration(let generation, let duration, let feed):
      player.receiveStoredDuration(duration, feed: feed, generation: generation)
    case .transcripts(let generation, let before, let now):
      // The pane must follow the sound of the current file.
      if generation == player.generation, transcript.episode == player.episode?.id { transcript.replace(now) }
      return updateSession { player, _ in player.receive(now, before: before, generation: generation) }
    case .chapters(let generation, let chapters):
      return updateSession { player, _ in player.receiveChapters(chapters, generation: generation) }
    }
    return []
  }
}
