import Model
import TerminalKit

/// The podcasts on the left, the episodes of the selected one beside them.
struct PodcastsScreen: ScreenKind {
  let title = "Podcasts"
  let command = CommandName.podcasts
  let panes: [Pane] = [.podcasts, .episodes, .detail]
  let namesPodcasts = false
  let canHidePlayed = true

  func detailSubject(_ state: State) -> ReaderState.Subject? {
    if state.screen.focus == .podcasts || state.screen.episodes.selected == nil {
      return selectedPodcast(state).map { .podcast($0.id) }
    }
    return state.screen.episodes.selected.map { .episode($0) }
  }

  func detailNeighbours(_ state: State) -> [ReaderState.Subject] {
    guard state.screen.focus == .podcasts else { return state.screen.episodes.neighbours.map { .episode($0) } }
    let lines = state.library.podcastLines
    return state.screens.podcasts.list.neighbours(in: lines.indices)
      .compactMap { lines[$0].podcast.map { .podcast($0.id) } }
  }

  func asksForEpisodes(_ state: State) -> Bool { !state.library.podcasts.isEmpty }

  func listTitle(_ state: State) -> String { state.selectedPodcastLine?.title ?? "Episodes" }

  func emptyText(_ keymap: Keymap) -> [String] {
    ["No episodes here.", "Press \(keymap.hint(.refresh)) to refresh the podcast."]
  }

  func emptyText(_ state: State) -> [String] {
    guard !state.library.podcasts.isEmpty, state.screen.episodes.hasLoaded else { return [] }
    if let group = state.selectedPodcastLine?.group {
      let (count, fold) = (Counted.text(group.podcasts, "podcast"), state.keymap.hint(.open))
      return [
        "\(count), \(Totals.words(new: group.new, unplayed: group.unplayed)).",
        "Press \(fold) to \(group.isFolded ? "show" : "hide") them.",
      ]
    }
    if let podcast = state.selectedPodcast, podcast.episodes == 0, case .failed(_, let message) = podcast.health {
      return ["No episodes here.", Sanitize.line(message), "Press \(state.keymap.hint(.refresh)) to try again."]
    }
    guard state.unplayedOnly, state.selectedPodcast?.episodes != 0 else { return emptyText(state.keymap) }
    return ["Everything here is heard.", "Press \(state.keymap.hint(.unplayedOnly)) to show the played ones."]
  }

  func isListPending(_ state: State) -> Bool {
    if state.library.podcastsQuery.isPending(state.awaited.contains(.podcasts)) { return true }
    guard state.focusedPane != .podcasts, let line = state.selectedPodcastLine else { return false }
    return state.areEpisodesPending || state.screen.episodes.query != query(of: line, state)
  }

  func filterCondition(_ state: State) -> EpisodeFilter.Condition? {
    guard let podcast = state.selectedPodcastLine?.podcast else { return nil }
    let title = EpisodeFilter.Condition.text(.podcast, .equals, podcast.title)
    return state.unplayedOnly ? .all([title, .flag(.unplayed)]) : title
  }

  // MARK: Commands

  func selectedPodcast(_ state: State) -> PodcastRow? { state.selectedPodcastLine?.podcast }

  func nothingToMove(_ state: State) -> String? {
    guard state.focusedPane == .podcasts else { return state.onlyQueueMoves }
    return state.selectedPodcastLine?.group == nil
      ? nil : "Choose a podcast first: groups are in the order of their names"
  }

  func moveItem(by step: Int, _ state: inout State) -> [Effect] { state.movePodcast(by: step) }

  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    state.screens.podcasts.list.fit(count: state.library.podcastLines.count, height: layout.listHeight(.podcasts))
    if let line = state.selectedPodcastLine { state.showEpisodes(of: query(of: line, state)) }
    if state.library.podcasts.isEmpty { state.screen.episodes.fill([]) }
    return []
  }

  /// The query for the episodes of the selected line. The header of a group has no episodes of its own.
  private func query(of line: PodcastLine, _ state: State) -> EpisodeQuery {
    state.filtered(EpisodeQuery(.podcast(line.podcast?.id ?? PodcastID(0)), unplayedOnly: state.unplayedOnly))
  }

  /// The selection in the list of podcasts.
  struct Content: Equatable, Sendable {
    var list = ListState()
  }
}
