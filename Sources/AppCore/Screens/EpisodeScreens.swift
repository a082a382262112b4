import Model

/// The unplayed episodes of all podcasts, without their back catalogues.
struct NewScreen: ScreenKind {
  let title = "New"
  let command = CommandName.new
  let scope: EpisodeQuery.Scope? = .new
  func filterCondition(_ state: State) -> EpisodeFilter.Condition? { .flag(.unplayed) }
  func emptyText(_ keymap: Keymap) -> [String] {
    ["Everything is heard.", "Press \(keymap.hint(.refreshAll)) to refresh all podcasts."]
  }

  /// What rules have hidden, with the command that opens it.
  func listTotals(_ state: State) -> [String] {
    let count = state.library.hidden.count
    return count == 0 ? [] : ["\(count) hidden by rules (\(state.keymap.hint(.hidden)))"]
  }

  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] { state.askForHidden() }

  func emptyText(_ state: State) -> [String] {
    guard state.screen.episodes.hasLoaded, state.library.podcastsQuery.hasAnswer else { return [] }
    return state.library.podcasts.isEmpty ? PodcastsPane.noPodcasts(state.keymap) : emptyText(state.keymap)
  }
}

struct QueueScreen: ScreenKind {
  let title = "Queue"
  let command = CommandName.queue
  let scope: EpisodeQuery.Scope? = .queue
  func filterCondition(_ state: State) -> EpisodeFilter.Condition? { .flag(.queued) }
  let listContext = Context.queue
  func emptyText(_ keymap: Keymap) -> [String] {
    [
      "The queue is empty.",
      "Press \(keymap.hint(.queueLast)) on an episode to add it at the end, \(keymap.hint(.queueNext)) to play it next.",
    ]
  }
  func listHints(_ state: State) -> [(CommandName, String)] {
    [
      (.open, "play"), (.moveDown, "down"), (.moveUp, "up"), (.queueLast, "take out"), (.help, "help"),
      (.details, "read"), (.next, "play next"), (.back, "back"),
    ]
  }

  func listTotals(_ state: State) -> [String] { Totals.queue(state) }

  func nothingToMove(_ state: State) -> String? { state.movesOnlyWholeList }

  func moveItem(by step: Int, _ state: inout State) -> [Effect] {
    guard let id = state.screen.episodes.selected, let from = state.queue.firstIndex(of: id) else { return [] }
    let target = from + step
    guard state.queue.indices.contains(target) else { return [] }
    state.queue.swapAt(from, target)
    let row = state.screen.episodes.list.selected
    state.screen.episodes.swap(row, row + step)
    return [.write(.moveInQueue(id, to: target))]
  }
}

struct DownloadsScreen: ScreenKind {
  let title = "Downloads"
  let command = CommandName.downloads
  let scope: EpisodeQuery.Scope? = .downloads
  let showsFileSize = true
  func filterCondition(_ state: State) -> EpisodeFilter.Condition? { .flag(.downloaded) }
  func emptyText(_ keymap: Keymap) -> [String] {
    [
      "Nothing is downloaded.",
      "Press \(keymap.hint(.download)) on an episode to hear it without a network.",
    ]
  }
  func listTotals(_ state: State) -> [String] { Totals.downloads(state) }

  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    let question = DownloadedBytesQuestion()
    let subject = Awaited.Subject.once(AnyLibraryQuestion(question: question))
    return state.mustAsk(\.downloads.storedQuery, for: subject) ? [state.ask(question)] : []
  }

  func listHints(_ state: State) -> [(CommandName, String)] {
    [
      (.open, "play"), (.download, "pause"), (.dropDownload, "remove"), (.help, "help"), (.pauseDownloads, "pause all"),
      (.details, "read"), (.played, "played"), (.back, "back"),
    ]
  }
}

struct HistoryScreen: ScreenKind {
  let title = "History"
  let command = CommandName.history
  let scope: EpisodeQuery.Scope? = .history
  func filterCondition(_ state: State) -> EpisodeFilter.Condition? {
    .date(.heard, .atLeast, .date(year: 1970, month: nil, day: nil))
  }
  let showsWhenHeard = true
  func emptyText(_ keymap: Keymap) -> [String] {
    ["Nothing was played yet.", "Press \(keymap.hint(.open)) on an episode to play it."]
  }
}
