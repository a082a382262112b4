import Model

/// The unplayed episodes of all podcasts, without their back catalogues.
struct NewScreen: ScreenKind {
  let traits = ScreenTraits(title: "New", command: .new)
  func count(_ state: State) -> Int { state.library.podcasts.reduce(0) { $0 + $1.new } }
  func query(_ state: State) -> EpisodeQuery? { EpisodeQuery(.new) }
  /// An episode of a back catalogue is new once it was begun.
  func filter(_ state: State) -> EpisodeFilter? {
    EpisodeFilter(.all([.flag(.unplayed), .any([.not(.flag(.catalogue)), .flag(.begun)])]))
  }
  /// What rules have hidden, with the command that opens it.
  func totals(_ state: State) -> [String] {
    let count = state.library.hiddenCount
    return count == 0 ? [] : ["\(count) hidden by rules (\(state.keymap.hint(.hidden)))"]
  }

  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    state.askIfStale(HiddenCountQuestion(since: state.hiddenSince))
  }

  func texts(_ state: State) -> ListTexts { ListTexts(empty: emptyText(state)) }

  private func emptyText(_ state: State) -> [String] {
    guard state.library.podcastsQuery.hasAnswer else { return [] }
    if state.library.podcasts.isEmpty { return PodcastsPane.noPodcasts(state.keymap) }
    return ["Everything is played.", "\(state.keymap.press(.refreshAll)) to refresh all podcasts."]
  }
}

struct QueueScreen: ScreenKind {
  let traits = ScreenTraits(title: "Queue", command: .queue, context: .queue)
  func count(_ state: State) -> Int { state.queue.count }
  func query(_ state: State) -> EpisodeQuery? { EpisodeQuery(.queue) }
  func filter(_ state: State) -> EpisodeFilter? { EpisodeFilter(.flag(.queued)) }
  func texts(_ state: State) -> ListTexts {
    let (pressLast, next) = (state.keymap.press(.queueLast), state.keymap.hint(.queueNext))
    return ListTexts(
      empty: ["The queue is empty.", "\(pressLast) on an episode to add it at the end, \(next) to play it next."],
      hints: [
        (.open, "play"), (.moveDown, "down"), (.moveUp, "up"), (.queueLast, "remove"), (.help, "help"),
        (.details, "read"), (.next, "play next"), (.back, "back"),
      ])
  }

  func totals(_ state: State) -> [String] { Totals.queue(state) }

  func handling(of command: ScreenCommand, _ state: State) -> Handling {
    guard case .move(let step) = command else { return .common }
    return state.movesOnlyWholeList.map { .unavailable($0) } ?? .own { move(by: step, &$0) }
  }

  private func move(by step: Int, _ state: inout State) -> [Effect] {
    let (rows, before) = (state.targetRows, state.queue)
    let indexes = before.indexes(of: rows.map { state.screen.episodes.ids[$0] })
    guard let target = State.row(of: indexes, movedBy: step, in: before.count) else { return [] }
    state.queue.move(at: indexes, to: target)
    state.screen.episodes.move(rows, to: target)
    return [.write(.moveInQueue(indexes.map { before[$0] }, to: target))]
  }
}

struct DownloadsScreen: ScreenKind {
  let traits = ScreenTraits(title: "Downloads", command: .downloads, showsFileSize: true)
  /// Those that are not complete.
  func count(_ state: State) -> Int { state.downloads.items.count }
  func query(_ state: State) -> EpisodeQuery? { EpisodeQuery(.downloads) }
  func filter(_ state: State) -> EpisodeFilter? { EpisodeFilter(.flag(.downloaded)) }
  func texts(_ state: State) -> ListTexts {
    ListTexts(
      empty: [
        "Nothing is downloaded.",
        "\(state.keymap.press(.download)) on an episode to hear it without a network.",
      ],
      hints: [
        (.open, "play"), (.download, "pause"), (.dropDownload, "remove"), (.help, "help"),
        (.pauseDownloads, "pause all"), (.details, "read"), (.played, "played"), (.back, "back"),
      ])
  }
  func totals(_ state: State) -> [String] { Totals.downloads(state) }

  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    state.askIfStale(DownloadedBytesQuestion())
  }
}

struct HistoryScreen: ScreenKind {
  let traits = ScreenTraits(title: "History", command: .history, showsWhenHeard: true)
  func query(_ state: State) -> EpisodeQuery? { EpisodeQuery(.history) }
  func filter(_ state: State) -> EpisodeFilter? {
    EpisodeFilter(.date(.heard, .atLeast, .date(year: 1970, month: nil, day: nil)), order: .heard)
  }
  func texts(_ state: State) -> ListTexts {
    ListTexts(empty: ["Nothing was played yet.", "\(state.keymap.press(.open)) on an episode to play it."])
  }
}
