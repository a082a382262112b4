import Foundation
import Model
import TerminalKit

/// The commands of the Discover screen. Directories are only asked when the listener searches or chooses charts.
extension State {
  /// The selected row.
  var selectedResult: DiscoverRow? {
    let content = screens.discover
    return content.rows[safe: content.list.selected]
  }

  /// The id of the podcast of that row, if it was opened. Its episodes are shown beside the list.
  var openedPodcast: PodcastID? { selectedResult.flatMap { screens.discover.opened[$0.key] } }

  /// The id of the subscription to this podcast, if there is one.
  func subscription(_ podcast: FoundPodcast) -> PodcastID? {
    podcast.names.lazy.compactMap { screens.discover.subscribed[$0] }.first
  }

  /// `8`: searches for the line, or opens a prompt that offers the last ones.
  mutating func discover(_ line: String?) -> [Effect] {
    _ = show(.discover)
    screen.focus = .results
    if let line { return discoverNow(line) }
    return open(Prompt(DiscoverPrompt(), offered: screens.discover.line))
  }

  /// Handles a change of the line in the prompt. The search starts when the listener pauses.
  mutating func discoverTyped(_ line: String) -> [Effect] {
    guard line != screens.discover.line else { return [] }
    screens.discover.line = line
    if PastedAddress.isAddress(line) { return stopDiscovering() }
    guard let query = DiscoverQuery(line, genres: preferences.genres), query.canSearchWhileTyping else {
      let effects = stopDiscovering()
      if line.isEmpty { showStart() }
      return effects
    }
    return startSearch(for: query, isTyped: true)
  }

  /// Handles Enter in the prompt: opens the selected result if it belongs to this line, else searches at once.
  mutating func discoverNow(_ line: String) -> [Effect] {
    guard !line.isEmpty else {
      screens.discover.line = ""
      return stopDiscovering() + openResult()
    }
    histories.discover.add(line)
    screens.discover.line = line
    if PastedAddress.isAddress(line) { return visit(VisitRequest(address: line)) }
    guard let query = DiscoverQuery(line, genres: preferences.genres) else { return [] }
    // The directories are already being asked for this query.
    if screens.discover.query == query, awaited.contains(.directories), !screens.discover.results.waiting.isEmpty,
      screens.discover.rowsQuery != query
    {
      return []
    }
    let isFound = screens.discover.rowsQuery == query && !screens.discover.rows.isEmpty
    return isFound ? openResult() : startSearch(for: query, isTyped: false)
  }

  /// Starts a search.
  /// - Parameter isTyped: the listener is still typing.
  mutating func startSearch(for query: DiscoverQuery, isTyped: Bool) -> [Effect] {
    if isTyped, query == screens.discover.query, awaited.contains(.directories) { return [] }
    let stopping = stopDiscovering()
    screens.discover.query = query
    screens.discover.results = DiscoverResults()
    screens.discover.hasMoved = false
    screens[.discover].focus = .results
    // While the listener types, the old results stay until new ones arrive.
    if !isTyped { screens.discover.show([]) }
    return stopping + [.network(.discover(awaited.begin(.directories), query, isTyped: isTyped))]
  }

  mutating func stopDiscovering() -> [Effect] { cancel(awaited.request(.directories)) }

  mutating func showStart() {
    screens.discover.query = nil
    screens.discover.results = DiscoverResults()
    screens.discover.hasMoved = false
    screens.discover.show(
      DiscoverScreen.start(screens.discover.suggestions, country: preferences.country, genres: preferences.genres))
  }

  mutating func receive(_ request: RequestID, _ report: DiscoverReport) -> [Effect] {
    guard awaited.subject(of: request) == .directories else { return [] }
    switch report {
    case .failed(let error):
      awaited.end(request)
      screens.discover.results.failures = [error.text]
      screens.discover.show([])
    case .results(let results):
      if results.waiting.isEmpty { awaited.end(request) }
      let before = screens.discover.results
      screens.discover.results = results
      let rows = results.podcasts.map { DiscoverRow.podcast($0, reason: nil) } + results.episodes.map { .episode($0) }
      // The list is not cleared before the first results arrive.
      if !rows.isEmpty || results.waiting.isEmpty { screens.discover.show(rows) }
      for failure in results.failures where !before.failures.contains(failure) {
        messages.record(Message(.warning, failure), at: now)
      }
    }
    return []
  }

  // MARK: Opening results

  /// Enter on a row.
  mutating func openResult() -> [Effect] {
    switch selectedResult {
    case .podcast(let podcast, _): return open(podcast)
    case .episode(let episode):
      return visit(VisitRequest(address: episode.podcast.feedURL, podcast: episode.podcast, episode: episode.clue))
    case .person(let name, _): return startSearch(for: DiscoverQuery(.people, name), isTyped: false)
    case .charts(let query, _, _): return startSearch(for: query, isTyped: false)
    case .moreCharts: return open(Picker(ChartsPicker(), preferences.genres.map { .genre($0) } + [.country]))
    case nil: return []
    }
  }

  private mutating func open(_ podcast: FoundPodcast) -> [Effect] {
    guard let id = screens.discover.opened[podcast.key] ?? subscription(podcast) else {
      return visit(VisitRequest(address: podcast.feedURL, podcast: podcast))
    }
    screens.discover.opened[podcast.key] = id
    screen.focus = .episodes
    return []
  }

  /// Fetches a podcast without subscribing. An earlier fetch is cancelled.
  mutating func visit(_ request: VisitRequest) -> [Effect] {
    let name = request.podcast?.title ?? ShownAddress(request.address)?.description ?? ""
    let stopping = cancel(awaited.visit)
    questions.removeAll { ($0.content as? Picker<MatchPicker>)?.purpose.purpose == .visit }
    let id = awaited.begin(.visit(name: name, row: selectedResult?.key))
    showAsking("for \(Sanitize.line(name))", id)
    return stopping + [.network(.visit(id, request))]
  }

  mutating func visited(_ request: RequestID, _ result: Result<VisitedPodcast, ReportedError>) -> [Effect] {
    guard case .visit(_, let key)? = awaited.end(request) else { return [] }
    switch result {
    case .failure(let error):
      return tell(.error, error.text)
    case .success(let visited):
      if visited.lacksEpisode { showMessage(.warning, "The feed does not have the episode of the link") }
      let known = screens.discover.rows.firstIndex { $0.key == key && $0.podcast != nil && isSame($0, visited) }
      let row = known ?? 0
      if known == nil {
        // The link led to a podcast that is not in the list. The selection stays on its row.
        let selected = screens.discover.list.selected
        screens.discover.rows.insert(.podcast(visited.podcast, reason: nil), at: 0)
        screens.discover.list.fit(count: screens.discover.rows.count, height: 1)
        screens.discover.list.moveTo(selected + 1)
      }
      screens.discover.hasMoved = true
      screens.discover.opened[screens.discover.rows[row].key] = visited.id
      // What is being typed or chosen is about the screen that is shown.
      let stays = !overlays.isEmpty
      let title = Sanitize.line(visited.podcast.title)
      guard !stays || tab != .discover else {
        if screen.focus == .results { screens.discover.wanted = visited.episode }
        showMessage(.info, "“\(title)” is in the list of results")
        return invalidate()
      }
      screens.discover.list.moveTo(row)
      screens.discover.wanted = visited.episode
      screens[.discover].focus = .episodes
      screens[.discover].isReading = false
      if stays {
        showMessage(.info, "“\(title)” is loaded. \(keymap.press(.discover)) to see it.")
      } else {
        _ = show(.discover)
      }
      return invalidate()
    }
  }

  /// Whether the row is the fetched podcast. Its feed may have another address than the row.
  private func isSame(_ row: DiscoverRow, _ visited: VisitedPodcast) -> Bool {
    guard let podcast = row.podcast else { return false }
    return visited.podcast.names.contains { podcast.names.contains($0) } || podcast.feedURL == nil
  }

  /// `:visit` with an address of any form.
  mutating func visitAddress(_ address: String?) -> [Effect] {
    guard let address else { return askForArgument(of: .visit) }
    return visit(VisitRequest(address: address))
  }

  /// Such as `:charts arts de`.
  mutating func showCharts(_ argument: String?) -> [Effect] {
    _ = show(.discover)
    return startSearch(for: DiscoverQuery(charts: argument ?? "", genres: preferences.genres), isTyped: false)
  }

  // MARK: Subscribing

  /// Whether the selected result is a podcast without a subscription.
  var canSubscribe: Bool { selectedResult?.podcast.map { subscription($0) == nil } ?? false }

  /// `a`: subscribes to the selected podcast.
  mutating func subscribe() -> [Effect] {
    guard let podcast = selectedResult?.podcast else {
      return selectedResult == nil ? addPodcast(nil) : openResult()
    }
    if let id = subscription(podcast) {
      let title = library.podcasts.first { $0.id == id }?.title ?? podcast.title
      return tell(.info, "“\(Sanitize.line(title))” is already subscribed")
    }
    if let id = openedPodcast {
      for name in podcast.names { screens.discover.subscribed[name] = id }
      return write(.subscribe(id), "Subscribed to “\(Sanitize.line(podcast.title))”")
    }
    let request = awaited.begin(.podcast(podcast.feedURL ?? podcast.title))
    showAsking("for \(Sanitize.line(podcast.title))", request)
    return [.network(.subscribe(request, podcast))]
  }

  mutating func receive(_ request: RequestID, _ matches: LinkMatches) -> [Effect] {
    switch awaited.end(request) {
    case .visit: askLater(Picker(MatchPicker(purpose: .visit, matches: matches), matches.podcasts))
    case .podcast: askLater(Picker(MatchPicker(purpose: .subscribe, matches: matches), matches.podcasts))
    default: break
    }
    return []
  }
}

/// The suggested podcasts, and the ids of the subscriptions by every name under which a directory may list them.
struct SuggestionsQuestion: LibraryQuestion {
  typealias Value = (suggestions: [Suggestion], subscribed: [String: PodcastID])

  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> Value? {
    (suggestions: try library.suggestionRows(), subscribed: try library.subscriptionNames())
  }

  func receive(_ value: Value, _ state: inout State) -> [Effect] {
    state.screens.discover.subscribed = value.subscribed
    guard state.screens.discover.suggestions != value.suggestions else { return [] }
    state.screens.discover.suggestions = value.suggestions
    if state.screens.discover.query == nil, state.screens.discover.opened.isEmpty { state.showStart() }
    return []
  }
}
