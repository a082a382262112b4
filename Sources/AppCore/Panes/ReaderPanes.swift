import Model
import TerminalKit

/// What is selected says of itself.
struct DetailsPane: ReaderPane {
  func title(_ state: State) -> String { "Details" }
  /// On Discover what is read can be subscribed to.
  func context(_ state: State) -> Context { state.tab == .discover ? .discover : .detail }

  func episode(_ state: State) -> EpisodeID? {
    if case .episode(let id) = state.screen.detail.subject { id } else { nil }
  }

  func hints(_ state: State) -> [(CommandName, String)] {
    [
      (.back, "back"), (.down, "down"), (.pageDown, "page"), (.help, "help"), (.openLink, "links"),
      (.search, "search"), (.pause, "play"),
    ]
  }

  func reader(_ state: State) -> DetailPane? { state.screen.detail }
  func setReader(_ reader: DetailPane, _ state: inout State) { state.screen.detail = reader }
  func open(_ state: inout State) -> [Effect] { episode(state).map { state.play($0) } ?? [] }

  func page(_ state: State, _ size: Size) -> LinearPage {
    LinearPage("Details", text: state.screen.detail.lines.map(\.text), from: state.screen.detail.top, size)
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    DetailView(state: state, detail: state.screen.detail, isFocused: isFocused).draw(into: &frame, rect)
  }
}

/// What the episode that plays says of itself.
struct NotesPane: ReaderPane, ListeningPane {
  func title(_ state: State) -> String { "Notes" }
  /// Enter seeks nowhere here.
  func hints(_ state: State) -> [(CommandName, String)] {
    let word: String? =
      state.listening?.chosen != nil ? "play" : state.player.isActive || state.player.episode == nil ? nil : "go on"
    return listeningHints(state, open: word, also: [(.openLink, "links")])
  }

  func reader(_ state: State) -> DetailPane? { state.listening?.notes }
  func setReader(_ reader: DetailPane, _ state: inout State) { state.listening?.notes = reader }
  func open(_ state: inout State) -> [Effect] {
    if let id = state.listening?.chosen { return state.play(id) }
    return state.player.isActive ? [] : state.togglePause()
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let notes = state.listening?.notes
    return LinearPage("Notes", text: notes?.lines.map(\.text) ?? ["Nothing is playing."], from: notes?.top ?? 0, size)
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    guard let notes = state.listening?.notes, notes.subject != nil else {
      let lines = ["Nothing is playing.", "\(state.keymap.hint(.open)) on an episode plays it."]
      return EmptyText(theme: state.theme, lines: lines).draw(into: &frame, rect)
    }
    DetailView(state: state, detail: notes, isFocused: isFocused).draw(into: &frame, rect)
  }
}

/// A part of the view of what plays, or of an episode that is read.
protocol ListeningPane: PaneKind {}

extension ListeningPane {
  func context(_ state: State) -> Context { .player }
  func episode(_ state: State) -> EpisodeID? { state.listeningEpisode }
  func hints(_ state: State) -> [(CommandName, String)] {
    listeningHints(state, open: state.listening?.chosen == nil ? "seek here" : "play")
  }

  /// What can be done here and now: nothing is followed, clipped or sought where nothing plays.
  func listeningHints(
    _ state: State, open word: String?, also own: [(CommandName, String)] = []
  ) -> [(CommandName, String)] {
    guard state.listeningEpisode != nil else {
      return [(.back, "back"), (.help, "help"), (.new, "new episodes"), (.find, "search the library")]
    }
    let plays = state.listening?.chosen == nil && state.player.isActive
    let opening: [(CommandName, String)] = word.map { [(.open, $0)] } ?? []
    let playing: [(CommandName, String)] =
      plays ? [(.transcript, "follow"), (.clipStart, "clip from"), (.clipEnd, "clip to")] : []
    return opening + [(.nextPane, "next part"), (.back, "back"), (.help, "help")] + own + playing
      + [(.search, "search"), (.sleep, "sleep")]
  }
}
