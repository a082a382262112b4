import Model

/// The details of an episode or a podcast, for a reader.
struct DetailsQuestion: LibraryQuestion {
  enum Pane: Equatable, Sendable {
    /// The details of a screen.
    case details(Tab)
    /// The notes in the full-screen view.
    case notes
  }

  var subject: ReaderState.Subject
  var pane: Pane
  /// The subject is next to the selection, and is not shown yet.
  var isAhead = false
  var destination: AnswerDestination { isAhead ? .later : .screen }

  func read(_ library: any LibraryReader) throws -> ReaderState.Content? {
    switch subject {
    case .episode(let id): try library.details(of: id).map(ReaderState.Content.episode)
    case .podcast(let id): try library.details(of: id).map(ReaderState.Content.podcast)
    case .found: nil
    }
  }

  func receive(_ content: ReaderState.Content, _ state: inout State) -> [Effect] {
    switch pane {
    // What was asked for ahead may be shown by now.
    case .details(let tab) where isAhead && state.screens[tab].detail.subject != content.subject:
      state.screens[tab].detail.receiveAhead(content)
    case .details(let tab): state.screens[tab].detail.receive(content)
    case .notes: state.listening?.notes.receive(content)
    }
    return []
  }

  /// The listener has not asked for what is read ahead. If it is shown, it is asked for again.
  func fail(_ error: ReportedError, _ state: inout State) { if !isAhead { state.showMessage(.error, error.text) } }

  func replaces(_ earlier: DetailsQuestion) -> Bool {
    isAhead ? self == earlier : !earlier.isAhead && pane == earlier.pane
  }
}

extension State {
  mutating func reconcileDetail(_ layout: Layout) -> [Effect] {
    guard let area = layout.area(.detail) else { return [] }
    let details = tab.kind.details(self)
    let (subject, neighbours) = (details.subject, details.neighbours)
    var effects: [Effect] = []
    // An answer about the previous subject is no longer wanted.
    if screen.detail.subject != subject {
      awaited.drop(DetailsQuestion.self) { $0.pane == .details(tab) && !$0.isAhead }
    }
    if screen.detail.show(subject, beside: neighbours, isAwaited: areDetailsAwaited(in: .details(tab))), let subject {
      let question = DetailsQuestion(subject: subject, pane: .details(tab))
      let ahead = DetailsQuestion(subject: subject, pane: .details(tab), isAhead: true)
      if !awaited.replace(ahead, by: question) { effects.append(ask(question)) }
    }
    if case .found? = subject, let row = selectedResult { screen.detail.receive(.found(row)) }
    // A picture would fill a low pane.
    var preferences = preferences
    preferences.coverArt = preferences.coverArt && area.content.height >= Self.leastWithCover
    screen.detail.flow(
      to: DetailView.textSize(in: area.content), calendar: calendar, keymap: keymap, player: player,
      preferences: preferences, problems: problems, clip: selectedEntry?.clip)
    return effects + readAhead(neighbours)
  }

  /// The least height of a reader with a picture, in rows.
  private static let leastWithCover = 14

  /// Whether the text of this pane is being read.
  func areDetailsAwaited(in pane: DetailsQuestion.Pane) -> Bool {
    awaited.contains(DetailsQuestion.self) { $0.pane == pane && !$0.isAhead }
  }

  /// Asks for the details of what is next to the selection, so that a key that moves there need not wait. The first
  /// screen asks for nothing that it does not show.
  private mutating func readAhead(_ neighbours: [ReaderState.Subject]) -> [Effect] {
    guard keys.hasBegun else { return [] }
    return screen.detail.neighboursToRead(neighbours).compactMap { neighbour in
      let question = DetailsQuestion(subject: neighbour, pane: .details(tab), isAhead: true)
      return awaited.contains(question) ? nil : ask(question)
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
    // The exact position comes with every batch while an episode plays. The screen does not show it.
    let shown = actions.filter { if case .exactPosition = $0 { false } else { true } }
    return !shown.isEmpty
      && shown.allSatisfy { action in
        guard case .answer(let request, _) = action else { return false }
        return awaited.subject(of: request)?.question(DetailsQuestion.self)?.isAhead == true
      }
  }
}

extension Awaited {
  /// Drops the answers to questions that were asked ahead, about this subject or all. They may be older than the last
  /// change.
  mutating func dropReadAhead(of subject: ReaderState.Subject? = nil) {
    drop(DetailsQuestion.self) { $0.isAhead && (subject == nil || $0.subject == subject) }
  }
}
