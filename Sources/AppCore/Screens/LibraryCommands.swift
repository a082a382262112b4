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
    case .undo: return [.write(.undo)]
    case .redo: return [.write(.redo)]
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

  private mutating func unsubscribeSelected() -> [Effect] {
    guard let podcast = needPodcast() else { return [] }
    return ask(
      "Unsubscribe from “\(podcast.title)”? What you heard is kept; U brings it back.",
      yes: [.write(.unsubscribe(podcast.id))], done: "Unsubscribed from “\(podcast.title)”: U undoes")
  }

  // MARK: Episodes

  private mutating func togglePlayed() -> [Effect] {
    guard let id = needEpisode() else { return [] }
    let isPlayed = rows[id]?.status == .played
    let effects = isPlayed ? [] : stopIfPlaying(id)
    rows[id]?.status = isPlayed ? .new : .played
    screen.episodes.list.move(by: focusedPane == .episodes && screen.episodes.query.unplayedOnly == false ? 1 : 0)
    say(.note, isPlayed ? "Unplayed again" : "Played: U undoes")
    return effects + [.write(.setStatus([id], isPlayed ? .new : .played))]
  }

  private mutating func deleteSelected() -> [Effect] {
    if let effects = removeFromPlaylist() { return effects }
    guard let id = needEpisode() else { return [] }
    let effects = stopIfPlaying(id)
    let title = rows[id]?.title ?? "the episode"
    say(.note, "Deleted “\(title)”: U brings it back")
    return effects + [.write(.setStatus([id], .deleted))]
  }

  /// An episode that is played or deleted while it is heard falls silent first, so that its place is written before
  /// its new status.
  private mutating func stopIfPlaying(_ id: EpisodeID) -> [Effect] {
    player.episode?.id == id && player.isActive ? stop() : []
  }

  private mutating func markAllPlayed() -> [Effect] {
    guard let podcast = needPodcast() else { return [] }
    return ask(
      "Mark all \(podcast.unplayed) unplayed episodes of “\(podcast.title)” as played?",
      yes: [.write(.markAllPlayed(podcast.id))], done: "All of “\(podcast.title)” is played: U undoes")
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
      return [.write(.dequeue(id))]
    }
    rows[id]?.isQueued = true
    // At once, for the next key; the store's answer will say the same.
    queue.removeAll { $0 == id }
    queue.insert(id, at: next ? 0 : queue.count)
    say(.note, next ? "Plays next" : "Queued as number \(queue.count)")
    if focusedPane == .episodes { screen.episodes.list.move(by: 1) }
    return [.write(.enqueue(id, next: next))]
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
    return [.write(.moveInQueue(id, to: target))]
  }
}
