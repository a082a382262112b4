import Foundation
import Model
import TerminalKit

/// What the listener does with podcasts, episodes and the queue.
extension State {
  mutating func library(_ name: CommandName, _ argument: String?) -> [Effect] {
    switch name {
    case .add:
      guard let argument else {
        overlays.append(.prompt(Prompt(.add)))
        return []
      }
      return add(argument)
    case .refresh: return refreshSelected()
    case .refreshAll: return refreshAll()
    case .played: return togglePlayed()
    case .allPlayed: return markAllPlayed()
    case .delete: return deleteSelected()
    case .unsubscribe: return unsubscribeSelected()
    case .undo: return [.undo]
    case .unplayedOnly: return toggleUnplayedOnly()
    case .openLink: return openLink(argument)
    case .queueLast: return enqueue(next: false)
    case .queueNext: return enqueue(next: true)
    case .next: return playNext()
    case .moveDown: return moveItem(by: 1)
    case .moveUp: return moveItem(by: -1)
    case .copyLink: return copyLink(argument)
    case .addToPlaylist: return addToPlaylist(argument)
    case .newPlaylist: return newPlaylist(argument)
    case .smartPlaylist: return smartPlaylist(argument)
    case .rename: return rename(argument)
    case .cancel: return stopAdding() ?? cancelRefresh()
    case .download, .dropDownload, .pauseDownloads, .autoDownload, .keepDownloads: return download(name, argument)
    default: return []
    }
  }

  // MARK: What is selected

  /// The episode that a command means: the one of the list, or of the details.
  var selectedEpisode: EpisodeID? {
    switch focusedPane {
    case .podcasts, .playlists: return nil
    case .episodes: return screen.episodes.selected
    case .detail:
      if case .episode(let id) = screen.detail.subject { return id }
      return nil
    case .upNext:
      guard let index = listening?.upNext.selection, queue.indices.contains(index) else { return nil }
      return queue[index]
    case .transcript, .chapters, .notes, .cover: return player.episode?.id
    }
  }

  /// The podcast that a command means: the one of the list, or that of the selected episode.
  var selectedPodcast: PodcastRow? {
    if tab == .podcasts, listening == nil {
      return podcasts.indices.contains(screen.podcasts.selected) ? podcasts[screen.podcasts.selected] : nil
    }
    guard let id = selectedEpisode, let row = rows[id] else { return nil }
    return podcasts.first { $0.id == row.podcast }
  }

  mutating func needPodcast() -> PodcastRow? {
    if let podcast = selectedPodcast { return podcast }
    say(.note, "Choose a podcast first")
    return nil
  }

  mutating func needEpisode() -> EpisodeID? {
    if let id = selectedEpisode { return id }
    say(.note, "Choose an episode first")
    return nil
  }

  mutating func playSelected() -> [Effect] {
    guard let id = needEpisode() else { return [] }
    if let clip = selectedEntry?.clip, focusedPane == .episodes { return play(clip) }
    if let row = rows[id], !row.hasMedia {
      say(.warning, "“\(row.title)” has nothing to play")
      return []
    }
    // A hit in a chapter or the transcript is heard from there.
    return play(id, from: selectedPlace?.time)
  }

  // MARK: Podcasts

  mutating func add(_ address: String) -> [Effect] {
    let address = address.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !address.isEmpty else { return [] }
    say(.note, "Asking \(address)…" + (keymap.hint(.cancel).map { " \($0) stops it" } ?? ""))
    let request = self.request()
    adding.append(Adding(request: request, address: address))
    return [.add(request, address)]
  }

  mutating func added(_ request: RequestID, _ result: Result<AddedPodcast, ReportedError>) -> [Effect] {
    arriving[request] = nil
    let wasAwaited = adding.contains { $0.request == request }
    adding.removeAll { $0.request == request }
    switch result {
    case .success(let podcast):
      if podcast.wasKnown {
        say(.note, "“\(podcast.title)” was there already")
      } else {
        say(.success, "Added “\(podcast.title)” with \(podcast.episodes) episodes")
      }
      selectWhenLoaded = podcast.id
      return spoil()
    case .failure(let error):
      // What the listener has stopped is no failure.
      if wasAwaited { say(.error, error.text) }
      return []
    }
  }

  /// The address that was asked last is waited for no longer; nil when none is.
  mutating func stopAdding() -> [Effect]? {
    guard let last = adding.popLast() else { return nil }
    arriving[last.request] = nil
    say(.note, "Stopped asking \(last.address)")
    return [.cancelAdd(last.request)]
  }

  private mutating func refreshSelected() -> [Effect] {
    guard let podcast = selectedPodcast else {
      say(.note, "Choose a podcast first; R refreshes all")
      return []
    }
    return [.refresh([podcast.id])]
  }

  private mutating func refreshAll() -> [Effect] {
    guard refresh == nil else {
      say(.note, "A refresh is under way")
      return []
    }
    guard !podcasts.isEmpty else {
      say(.note, "There is no podcast to refresh yet: \(keymap.hint(.add) ?? ":add") adds one")
      return []
    }
    return [.refresh(nil)]
  }

  mutating func receive(_ report: RefreshReport) -> [Effect] {
    switch report {
    case .started(let total):
      var begun = RefreshState(total: total)
      begun.unreadBefore = unread + (hasUnreadMessage ? 1 : 0)
      refresh = begun
      return []
    case .putOff(let titles):
      refresh?.putOff = titles
      return []
    case .podcast(let title, let done, let total, let fresh):
      refresh?.done = done
      refresh?.total = total
      refresh?.title = title
      return fresh > 0 ? spoil() : []
    case .failed(_, let error, let done, let total):
      refresh?.done = done
      refresh?.total = total
      // What was cut off by the listener's own wish is no failure.
      guard refresh?.isCancelled != true else { return [] }
      say(.error, error.text)
      return spoil()
    case .finished(let new, let unchanged, let failed):
      let wasCancelled = refresh?.isCancelled == true
      let putOff = refresh?.putOff ?? []
      let unreadBefore = refresh?.unreadBefore ?? 0
      refresh = nil
      if wasCancelled {
        say(.note, "Refresh stopped: \(new) new \(new == 1 ? "episode" : "episodes") until then")
        return spoil()
      }
      guard new + unchanged + failed + putOff.count > 0 else { return [] }
      var parts: [String] = []
      if new > 0 { parts.append("\(new) new \(new == 1 ? "episode" : "episodes")") }
      if unchanged > 0 { parts.append("\(unchanged) unchanged") }
      if failed > 0 { parts.append("\(failed) failed (:log says why)") }
      if !putOff.isEmpty { parts.append(Self.words(putOff: putOff)) }
      // A single failure has said more than the count could.
      if failed != 1 || parts.count > 1 {
        mention(
          failed > 0 ? .warning : .success,
          "Refreshed: " + parts.joined(separator: ", "))
        // It speaks for the failures that it counts.
        unread = min(unread, unreadBefore)
      }
      return spoil()
    }
  }

  /// `1 failed before and is left for later (“Morning news”)`.
  private static func words(putOff titles: [String]) -> String {
    let names = titles.prefix(2).map { "“\(Sanitize.line($0))”" }.joined(separator: ", ")
    let more = titles.count > 2 ? " and \(titles.count - 2) more" : ""
    return
      "\(titles.count) failed before and \(titles.count == 1 ? "is" : "are") left for later (\(names)\(more); r asks now)"
  }

  private mutating func cancelRefresh() -> [Effect] {
    guard refresh != nil else {
      say(.note, "Nothing is under way that could be stopped")
      return []
    }
    refresh?.isCancelled = true
    say(.note, "Stopping the refresh…")
    return [.cancelRefresh]
  }

  private mutating func unsubscribeSelected() -> [Effect] {
    guard let podcast = needPodcast() else { return [] }
    return ask(
      "Unsubscribe from “\(podcast.title)”? What you heard is kept; U brings it back.",
      yes: [.unsubscribe(podcast.id)], done: "Unsubscribed from “\(podcast.title)”: U undoes")
  }

  // MARK: Episodes

  private mutating func togglePlayed() -> [Effect] {
    guard let id = needEpisode() else { return [] }
    let isPlayed = rows[id]?.status == .played
    let effects = isPlayed ? [] : letGo(of: id)
    rows[id]?.status = isPlayed ? .new : .played
    screen.episodes.list.move(by: focusedPane == .episodes && screen.episodes.query.unplayedOnly == false ? 1 : 0)
    say(.note, isPlayed ? "Unplayed again" : "Played: U undoes")
    return effects + [.setStatus([id], isPlayed ? .new : .played)]
  }

  private mutating func deleteSelected() -> [Effect] {
    if let effects = removeFromPlaylist() { return effects }
    guard let id = needEpisode() else { return [] }
    let effects = letGo(of: id)
    let title = rows[id]?.title ?? "the episode"
    say(.note, "Deleted “\(title)”: U brings it back")
    return effects + [.setStatus([id], .deleted)]
  }

  /// An episode that is played or deleted while it is heard falls silent first, so that its place is written before
  /// its new status.
  private mutating func letGo(of id: EpisodeID) -> [Effect] {
    player.episode?.id == id && player.isActive ? stop() : []
  }

  private mutating func markAllPlayed() -> [Effect] {
    guard let podcast = needPodcast() else { return [] }
    return ask(
      "Mark all \(podcast.unplayed) unplayed episodes of “\(podcast.title)” as played?",
      yes: [.markAllPlayed(podcast.id)], done: "All of “\(podcast.title)” is played: U undoes")
  }

  private mutating func toggleUnplayedOnly() -> [Effect] {
    guard tab == .podcasts else {
      say(.note, "\(keymap.hint(.unplayedOnly) ?? "This") works in the list of a podcast")
      return []
    }
    unplayedOnly.toggle()
    say(.note, unplayedOnly ? "Unplayed episodes only: u shows all" : "All episodes")
    return []
  }

  // MARK: The queue

  private mutating func enqueue(next: Bool) -> [Effect] {
    guard let id = needEpisode() else { return [] }
    if !next, queue.contains(id) {
      queue.removeAll { $0 == id }
      rows[id]?.isQueued = false
      say(.note, "Taken out of the queue")
      return [.dequeue(id)]
    }
    rows[id]?.isQueued = true
    // At once, for the next key; the store's answer will say the same.
    queue.removeAll { $0 == id }
    queue.insert(id, at: next ? 0 : queue.count)
    say(.note, next ? "Plays next" : "Queued as number \(queue.count)")
    if focusedPane == .episodes { screen.episodes.list.move(by: 1) }
    return [.enqueue(id, next: next)]
  }

  private mutating func moveItem(by step: Int) -> [Effect] {
    if listening != nil { return moveInUpNext(by: step) }
    return tab == .playlists ? moveInPlaylist(by: step) : moveInQueue(by: step)
  }

  private mutating func moveInQueue(by step: Int) -> [Effect] {
    guard tab == .queue else {
      say(.note, "Only episodes of the queue can be moved: 3 shows it")
      return []
    }
    guard let id = screen.episodes.selected, let from = queue.firstIndex(of: id) else { return [] }
    let target = from + step
    guard queue.indices.contains(target) else { return [] }
    queue.swapAt(from, target)
    let row = screen.episodes.list.selected
    screen.episodes.swap(row, row + step)
    return [.moveInQueue(id, to: target)]
  }
}
