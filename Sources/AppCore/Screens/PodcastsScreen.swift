import Model
import TerminalKit

/// The podcasts on the left, the episodes of the selected one beside them.
struct PodcastsScreen: ScreenKind {
  let title = "Podcasts"
  let command = CommandName.podcasts
  let panes: [Pane] = [.podcasts, .episodes, .detail]
  let namesPodcasts = false

  func listTitle(_ state: State) -> String { state.selectedPodcastLine?.title ?? "Episodes" }

  func emptyText(_ keymap: Keymap) -> [String] {
    ["No episodes here.", "\(keymap.hint(.refresh)) asks the feed."]
  }

  func emptyText(_ state: State) -> [String] {
    guard !state.podcasts.isEmpty, state.screen.episodes.hasLoaded else { return [] }
    if let group = state.selectedPodcastLine?.group {
      let (count, fold) = (Counted.text(group.podcasts, "podcast"), state.keymap.hint(.open))
      return ["\(count), \(group.unplayed) unplayed.", "\(fold) \(group.isFolded ? "shows" : "hides") them."]
    }
    if let podcast = state.selectedPodcast, podcast.episodes == 0, case .failed(_, let message) = podcast.health {
      return ["No episodes here.", Sanitize.line(message), "\(state.keymap.hint(.refresh)) asks the feed again."]
    }
    guard state.unplayedOnly, state.selectedPodcast?.episodes != 0 else { return emptyText(state.keymap) }
    return ["Everything here is heard.", "\(state.keymap.hint(.unplayedOnly)) shows the played ones."]
  }

  func isListPending(_ state: State) -> Bool {
    if state.podcastsQuery.isPending(state.awaited.contains(.podcasts)) { return true }
    guard state.focusedPane != .podcasts, let line = state.selectedPodcastLine else { return false }
    return state.areEpisodesPending || state.screen.episodes.query != state.query(of: line)
  }

  /// The selection in the list of podcasts.
  struct Place: Equatable, Sendable {
    var list = ListState()
  }
}
