import Model
import TerminalKit

/// The notes of the selected episode or podcast.
struct DetailsPane: ReaderPane {
  func title(_ state: State) -> String { "Details" }
  func context(_ state: State) -> Context { state.tab.kind.details(state).context }

  /// The subject of `screen.detail` follows the selection only when all keys that came together have been handled.
  func episode(_ state: State) -> EpisodeID? {
    if case .episode(let id)? = state.tab.kind.details(state).subject { id } else { nil }
  }

  func hints(_ state: State) -> [(CommandName, String)] {
    [
      (.back, "back"), (.down, "down"), (.pageDown, "page"), (.help, "help"), (.openLink, "links"),
      (.search, "search"), (.pause, "play"),
    ]
  }

  func reader(_ state: State) -> ReaderState? { state.screen.detail }
  func setReader(_ reader: ReaderState, _ state: inout State) { state.screen.detail = reader }
  func open(_ state: inout State) -> [Effect] { episode(state).map { state.playChosen($0) } ?? [] }

  func page(_ state: State, _ size: Size) -> LinearPage {
    LinearPage("Details", text: state.screen.detail.lines.map(\.text), from: state.screen.detail.top, size)
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    DetailView(state: state, detail: state.screen.detail, isFocused: isFocused).draw(into: &frame, rect)
  }
}

/// The notes in the full-screen view.
struct NotesPane: ReaderPane, ListeningPane {
  func title(_ state: State) -> String { "Notes" }
  /// Enter plays the episode, but does not seek.
  func hints(_ state: State) -> [(CommandName, String)] {
    listeningHints(state, open: playWord(state), also: [(.openLink, "links")])
  }

  private func playWord(_ state: State) -> String? {
    if state.listening?.chosen != nil { return "play" }
    guard let episode = state.player.episode, !state.player.isActive else { return nil }
    return state.isOver(episode) ? "play again" : "continue"
  }

  func reader(_ state: State) -> ReaderState? { state.listening?.notes }
  func setReader(_ reader: ReaderState, _ state: inout State) { state.listening?.notes = reader }
  func open(_ state: inout State) -> [Effect] {
    guard state.listening?.chosen != nil || !state.player.isActive else { return [] }
    return episode(state).map { state.playChosen($0) } ?? []
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let notes = state.listening?.notes
    return LinearPage("Notes", text: notes?.lines.map(\.text) ?? ["Nothing is playing."], from: notes?.top ?? 0, size)
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    guard let notes = state.listening?.notes, notes.subject != nil else {
      let lines = ["Nothing is playing.", "\(state.keymap.press(.open)) on an episode to play it."]
      return EmptyText(theme: state.theme, lines: lines).draw(into: &frame, rect)
    }
    DetailView(state: state, detail: notes, isFocused: isFocused).draw(into: &frame, rect)
  }
}

/// A pane of the full-screen view.
protocol ListeningPane: PaneKind {}

extension ListeningPane {
  func context(_ state: State) -> Context { .player }
  func episode(_ state: State) -> EpisodeID? { state.listeningEpisode }
  func hints(_ state: State) -> [(CommandName, String)] {
    listeningHints(state, open: openWord(state))
  }

  /// What Enter does with a chapter or a line.
  func openWord(_ state: State) -> String { state.listening?.chosen == nil ? "seek here" : "play" }

  /// The hints for actions that are possible now. Following the sound, clips and seeking need a loaded episode.
  func listeningHints(
    _ state: State, open word: String?, also own: [(CommandName, String)] = []
  ) -> [(CommandName, String)] {
    guard state.listeningEpisode != nil else {
      return [(.back, "back"), (.help, "help"), (.new, "new episodes"), (.find, "search the library")]
    }
    let plays = state.listening?.chosen == nil && state.player.isActive
    let opening: [(CommandName, String)] = word.map { [(.open, $0)] } ?? []
    let transcript = transcriptWord(state).map { [(CommandName.transcript, $0)] } ?? []
    let playing: [(CommandName, String)] =
      plays ? transcript + [(.clipStart, "clip from"), (.clipEnd, "clip to")] : []
    let next = state.listening?.part(after: 1).word ?? "next part"
    return opening + [(.nextPane, next), (.back, "back"), (.help, "help")] + own + playing + making(state)
      + [(.search, "search"), (.sleep, "sleep")]
  }

  private func making(_ state: State) -> [(CommandName, String)] {
    guard state.preferences.canTranscribe, state.listening?.lacksTranscript == true else { return [] }
    let isMade = state.transcribing.work?.item.episode == state.listeningEpisode
    return [(.transcribe, isMade ? "cancel the transcript" : "make a transcript")]
  }

  /// What the key of the transcript does (`State.listen`). Nil if there is no transcript.
  private func transcriptWord(_ state: State) -> String? {
    guard let view = state.listening, !view.lacksTranscript else { return nil }
    return view.part == .transcript && state.transcript.follows ? "close" : "follow"
  }
}
