import Model

/// The list of podcasts. It is asked for after each change of the library, with the queue.
struct PodcastsQuestion: LibraryQuestion {
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> [PodcastRow]? { try library.podcastRows() }

  func receive(_ podcasts: [PodcastRow], _ state: inout State) -> [Effect] {
    state.library.podcastsQuery.answered()
    let wanted = state.pendingSelection.takePodcast(in: podcasts)
    // What is being typed or chosen is about the selected podcast. In the first list none is selected yet.
    let mayMove = state.overlays.isEmpty || state.library.podcasts.isEmpty
    state.arrangePodcasts(selecting: mayMove ? wanted : nil) { $0.podcasts = podcasts }
    return []
  }
}

struct QueueQuestion: LibraryQuestion {
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> [EpisodeRow]? { try library.queueRows() }

  func receive(_ rows: [EpisodeRow], _ state: inout State) -> [Effect] {
    state.queue = rows.map(\.id)
    state.remember(rows)
    return []
  }
}

/// The list of episodes of a screen.
struct EpisodesQuestion: LibraryQuestion {
  var tab: Tab
  var query: EpisodeQuery
  var selected: EpisodeID?
  /// How many rows around `selected` the answer contains beside the ids.
  var rows: Int
  var destination: AnswerDestination { .screen }

  func read(_ library: any LibraryReader) throws -> EpisodeListing? {
    try library.episodeList(query, around: selected, count: rows)
  }

  func receive(_ listing: EpisodeListing, _ state: inout State) -> [Effect] {
    let wanted = state.pendingSelection.takeEpisode(in: listing.ids)
    state.screens[tab].episodes.receive(
      query, ids: listing.ids, start: wanted ?? listing.start, height: state.layout.listHeight(.episodes))
    state.screens[tab].listQuery.answered()
    state.remember(listing.rows)
    let shown = state.screen.episodes
    if tab == state.tab, let restored = state.pendingSelection.takeRestored(in: shown.ids, selected: shown.selected) {
      state.screen.episodes.select(restored)
    }
    state.forgetRows(except: listing.rows)
    return []
  }

  func replaces(_ earlier: EpisodesQuestion) -> Bool { tab == earlier.tab }
}

/// Rows of a list that come into view.
struct RowsQuestion: LibraryQuestion {
  var ids: [EpisodeID]
  var destination: AnswerDestination { .screen }

  func read(_ library: any LibraryReader) throws -> [EpisodeRow]? { try library.episodeRows(ids) }

  func receive(_ rows: [EpisodeRow], _ state: inout State) -> [Effect] {
    state.remember(rows)
    return []
  }

  func fail(_ error: ReportedError, _ state: inout State) {
    state.library.addUnreadable(Set(ids))
    state.showMessage(.error, error.text)
  }

  func replaces(_ earlier: RowsQuestion) -> Bool { false }
}

extension State {
  /// Whether the list of episodes of the current screen is being read.
  var areEpisodesAwaited: Bool { awaited.contains(EpisodesQuestion.self) { $0.tab == tab } }

  /// Asks for the rows of these episodes, except for rows that are known, already asked for, or unreadable.
  mutating func askForRows(_ ids: some Sequence<EpisodeID>) -> [Effect] {
    let awaitedRows = awaited.rows
    let missing = ids.filter { library.lacksRow($0) && !awaitedRows.contains($0) }
    return missing.isEmpty ? [] : [ask(RowsQuestion(ids: missing))]
  }

  /// Remembers the rows of an answer. A refresh may have changed the loaded episode's titles, or merged its podcast
  /// with another one. The player bar shows the stored position of the episode that it offers, which an undo or
  /// another process may have changed.
  mutating func remember(_ rows: [EpisodeRow]) {
    library.remember(rows)
    if player.isActive, let row = rows.first(where: { $0.id == player.episode?.id }) { player.update(row) }
    guard let id = offeredEpisode, let row = library.rows[id], row.position != player.position else { return }
    player.offer(row, at: row.position, duration: row.duration)
  }

  /// The episode that the player bar shows and Space resumes. Nil while an episode is loaded or after its end.
  var offeredEpisode: EpisodeID? { player.isActive || player.isFinished ? nil : player.episode?.id }

  /// Drops rows that may be older than this answer. They are asked for when they are shown.
  fileprivate mutating func forgetRows(except fresh: [EpisodeRow]) {
    var known = Set(fresh.map(\.id))
    known.formUnion(queue)
    if let id = player.episode?.id { known.insert(id) }
    library.retainRows(known)
    awaited.drop(RowsQuestion.self)
  }
}

extension Awaited {
  /// Episodes whose rows were asked for and have not arrived.
  var rows: Set<EpisodeID> { Set(questions(RowsQuestion.self).flatMap(\.ids)) }
}
