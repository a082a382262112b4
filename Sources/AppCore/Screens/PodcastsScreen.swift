import Model
import TerminalKit

/// The podcasts on the left, the episodes of the selected one beside them.
struct PodcastsScreen: ScreenKind {
  let traits = ScreenTraits(
    title: "Podcasts", command: .podcasts, panes: [.podcasts, .episodes, .detail], namesPodcasts: false,
    canHidePlayed: true)

  func details(_ state: State) -> ScreenDetails {
    let list = state.screen.episodes
    guard state.screen.focus == .podcasts || list.selected == nil else {
      return ScreenDetails(list.selected.map { .episode($0) }, in: list)
    }
    var details = ScreenDetails(selectedPodcast(state).map { .podcast($0.id) }, in: list)
    guard state.screen.focus == .podcasts else { return details }
    let lines = state.library.podcastLines
    details.neighbours = state.screens.podcasts.list.neighbours(in: lines.indices)
      .compactMap { lines[$0].podcast.map { .podcast($0.id) } }
    return details
  }

  /// The episodes of the selected line. The header of a group has no episodes of its own.
  func query(_ state: State) -> EpisodeQuery? {
    guard let line = state.selectedPodcastLine else { return nil }
    return EpisodeQuery(.podcast(line.podcast?.id ?? PodcastID(0)), unplayedOnly: state.screens.unplayedOnly)
  }

  func texts(_ state: State) -> ListTexts {
    ListTexts(title: state.selectedPodcastLine?.title ?? "Episodes", empty: emptyText(state))
  }

  private func emptyText(_ state: State) -> [String] {
    guard !state.library.podcasts.isEmpty else { return [] }
    if let group = state.selectedPodcastLine?.group {
      let count = Counted.text(group.podcasts, "podcast")
      return [
        "\(count), \(Totals.words(new: group.new, unplayed: group.unplayed)).",
        "\(state.keymap.press(.open)) to \(group.isFolded ? "show" : "hide") them.",
      ]
    }
    if let podcast = state.selectedPodcast, podcast.episodes == 0, case .failed(_, let message) = podcast.health {
      return ["No episodes here.", Sanitize.line(message), "\(state.keymap.press(.refresh)) to try again."]
    }
    guard state.screens.unplayedOnly, state.selectedPodcast?.episodes != 0 else {
      return ["No episodes here.", "\(state.keymap.press(.refresh)) to refresh the podcast."]
    }
    return ["Everything here is played.", "\(state.keymap.press(.unplayedOnly)) to show the played ones."]
  }

  func wait(_ state: State) -> ListWait {
    if state.library.podcastsQuery.isPending(state.awaited.contains(PodcastsQuestion.self)) { return .yes }
    guard state.focusedPane != .podcasts, state.selectedPodcastLine != nil else { return .no }
    return state.areEpisodesPending ? .yes : .no
  }

  func filter(_ state: State) -> EpisodeFilter? {
    guard let podcast = state.selectedPodcastLine?.podcast else { return nil }
    let title = EpisodeFilter.Condition.text(.podcast, .equals, podcast.title)
    return EpisodeFilter(state.screens.unplayedOnly ? .all([title, .flag(.unplayed)]) : title)
  }

  // MARK: Commands

  func selectedPodcast(_ state: State) -> PodcastRow? { state.selectedPodcastLine?.podcast }

  func handling(of command: ScreenCommand, _ state: State) -> Handling {
    guard case .move(let step) = command, state.focusedPane == .podcasts else { return .common }
    return state.selectedPodcastLine?.group == nil
      ? .own { $0.movePodcast(by: step) }
      : .unavailable("Choose a podcast first: groups are in the order of their names")
  }

  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    let lines = state.library.podcastLines
    state.screens.podcasts.list.fit(count: lines.count, height: layout.listHeight(.podcasts))
    if lines.isEmpty { state.screen.episodes.fill([]) }
    return []
  }

  /// The selection in the list of podcasts.
  struct Content: Equatable, Sendable {
    var list = ListState()
  }
}
