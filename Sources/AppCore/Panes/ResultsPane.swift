import Model
import TerminalKit

/// The results of directories, the suggestions, and the available charts.
struct ResultsPane: ListPane {
  func sideWidth(_ state: State) -> Int { 40 }
  func title(_ state: State) -> String {
    let content = state.screens.discover
    let query = content.rows.isEmpty ? content.query : content.rowsQuery
    return query?.title(country: state.preferences.country) ?? "Discover"
  }

  func note(_ state: State, height: Int) -> String {
    let content = state.screens.discover
    guard content.rowsQuery != nil, !content.rows.isEmpty else { return "" }
    return "\(content.list.selected + 1)/\(content.rows.count)"
  }

  func context(_ state: State) -> Context { .discover }
  func episode(_ state: State) -> EpisodeID? { nil }

  func hints(_ state: State) -> [(CommandName, String)] {
    let opens = state.selectedResult?.podcast == nil ? "ask" : "look at it"
    let all: [(CommandName, String)] = [
      (.open, opens), (.subscribe, "subscribe"), (.discover, "search"), (.help, "help"), (.charts, "charts"),
      (.pause, "play"), (.back, "back"),
    ]
    return all.filter { $0.0 != .subscribe || state.canSubscribe }
  }

  func list(_ state: State) -> ListState { state.screens.discover.list }
  func setList(_ list: ListState, _ state: inout State) {
    state.screens.discover.list = list
    state.screens.discover.hasMoved = true
  }
  func matches(_ words: String, _ state: State) -> [Int] {
    let rows = state.screens.discover.rows
    return rows.indices.filter { TextFolding.matches(rows[$0].title + " " + (rows[$0].subtitle ?? ""), words) }
  }

  func open(_ state: inout State) -> [Effect] { state.openResult() }

  // MARK: Drawing

  /// The lines below the list: directories that have not answered, and errors.
  static func notes(_ state: State, width: Int) -> [(text: String, role: Role)] {
    let content = state.screens.discover
    guard content.query != nil else { return [] }
    var notes: [(String, Role)] = []
    if !content.results.waiting.isEmpty {
      notes.append(("Asking \(content.results.waiting.joined(separator: ", "))…", .dim))
    }
    for failure in content.results.failures.prefix(4) { notes.append((failure, .warning)) }
    if content.results.waiting.isEmpty, content.results.skipped > 0 {
      notes.append(("\(content.results.skipped) without a feed left out", .dim))
    }
    let ellipsis = state.preferences.ascii
    // An empty list leaves room for all of them.
    let limit = content.rows.isEmpty ? 10 : 5
    var lines: [(String, Role)] = []
    for note in notes {
      let text = Sanitize.line(ellipsis ? note.0.replacing("…", with: "...") : note.0)
      let wrapped = TextFlow.wrap(text, width: max(1, width - 2)).prefix(2)
      guard lines.count + wrapped.count <= limit else { break }
      lines += wrapped.map { ($0, note.1) }
    }
    return lines
  }

  private func emptyText(_ state: State) -> [String] {
    let content = state.screens.discover
    guard let query = content.query, !state.awaited.contains(.directories) else { return [] }
    let press = state.keymap.press(.discover)
    if content.results.answered == 0, !content.results.failures.isEmpty {
      let reason = content.results.asked > 0 ? "No directory could answer." : "No directory was asked."
      return [reason, "\(press) to search again."]
    }
    if case .charts = query.kind { return ["No charts were received.", "\(press) to search."] }
    let failed = content.results.failures.isEmpty ? "" : " by those who answered"
    return ["Nothing was found for “\(query.words)”\(failed).", "\(press) to search again."]
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let rows = state.screens.discover.rows
    let notes = Self.notes(state, width: size.width).map(\.text)
    let room = Size(size.width, max(1, size.height - notes.count))
    var page = LinearPage(Sanitize.line(title(state)), list(state), room, else: emptyText(state)) {
      rows.indices.contains($0) ? AccessibleText.result(rows[$0], width: size.width, state) : ""
    }
    page.lines += notes
    return page
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    let content = state.screens.discover
    let notes = Self.notes(state, width: rect.width)
    let list = rect.splitTop(max(0, rect.height - notes.count))
    for (index, note) in notes.prefix(list.rest.height).enumerated() {
      let style = state.theme[note.role].over(state.theme[.text])
      frame.put(note.text, x: rect.x + 1, y: list.rest.y + index, width: rect.width - 1, style: style)
    }
    guard !content.rows.isEmpty else {
      return EmptyText(theme: state.theme, lines: emptyText(state)).draw(into: &frame, list.top)
    }
    let words = state.screen.search.map { TextFolding.fold($0.words) } ?? ""
    let visible = content.list.visibleRange(height: list.top.height).filter(content.rows.indices.contains)
    // All visible rows decide whether there is a column of counts, so that it does not jump.
    let counts = rect.width >= 44 && visible.contains { Self.count(content.rows[$0]) != nil }
    for (line, index) in visible.enumerated() {
      let base = RowStyle(theme: state.theme, isSelected: index == content.list.selected, isFocused: isFocused)
      let row = content.rows[index]
      let isMatch = !words.isEmpty && TextFolding.matches(row.title + " " + (row.subtitle ?? ""), words)
      // Suggestions with the same reason follow each other, and the first one says it.
      let isSaid = line > 0 && content.rowsQuery == nil && row.subtitle == content.rows[index - 1].subtitle
      draw(
        row, state, base, isMatch: isMatch, showsCounts: counts, saysReason: !isSaid, into: &frame, list.top.row(line))
    }
  }

  /// The number of episodes of a podcast, or the duration of an episode.
  private static func count(_ row: DiscoverRow) -> String? {
    switch row {
    case .podcast(let podcast, _): podcast.episodeCount.map { "\($0) ep." }
    case .episode(let episode): episode.duration.map(TimeText.clock)
    case .person, .charts, .moreCharts: nil
    }
  }

  private func draw(
    _ row: DiscoverRow, _ state: State, _ base: RowStyle, isMatch: Bool, showsCounts: Bool, saysReason: Bool,
    into frame: inout Frame, _ rect: Rect
  ) {
    frame.fill(rect, style: base.background)
    if let mark = mark(row, state) {
      frame.put(mark.glyph, x: rect.x + 1, y: rect.y, width: 1, style: base.style(mark.role))
    }
    var end = rect.maxX - RowColumns.rightMargin
    if showsCounts {
      let count = Self.count(row) ?? ""
      frame.put(count, x: end - count.count, y: rect.y, style: base.style(.dim))
      end -= 10
    }
    let left = rect.x + 3
    let title = Sanitize.line(row.title)
    let used = frame.put(
      title, x: left, y: rect.y, width: max(0, end - left), style: base.style(isMatch ? .match : .text))
    guard saysReason, let subtitle = row.subtitle.map({ Sanitize.line($0) }), end - left - used > 8 else { return }
    frame.put(
      state.glyphs.separator + subtitle, x: left + used, y: rect.y, width: end - left - used, style: base.style(.dim))
  }

  /// The mark of a row: subscribed, dead, or not a podcast (a medium such as music).
  private func mark(_ row: DiscoverRow, _ state: State) -> (glyph: String, role: Role)? {
    let glyphs = state.glyphs
    if let podcast = row.podcast {
      if state.subscription(podcast) != nil { return (glyphs.subscribed, .success) }
      return podcast.isDead ? ("!", .error) : nil
    }
    switch row {
    case .podcast, .episode: return nil
    case .person: return (glyphs.person, .accent)
    case .charts, .moreCharts: return (glyphs.charts, .accent)
    }
  }
}
