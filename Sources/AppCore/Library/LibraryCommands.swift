import Foundation
import Model
import TerminalKit

/// Commands for podcasts, episodes and the queue.
extension State {
  mutating func addPodcast(_ address: String?) -> [Effect] { address.map { add($0) } ?? open(Prompt(AddPrompt())) }

  mutating func cancel() -> [Effect] { stopAdding() ?? cancelRefresh() }

  // MARK: Selection

  /// The episode that commands act on: selected in the list or shown in the details.
  var selectedEpisode: EpisodeID? { focusedPane.kind.episode(self) }

  /// The podcast that commands act on: selected in the list, or the podcast of the selected episode.
  var selectedPodcast: PodcastRow? { listening == nil ? tab.kind.selectedPodcast(self) : podcastOfSelectedEpisode }

  var podcastOfSelectedEpisode: PodcastRow? {
    guard let id = selectedEpisode, let row = library.rows[id] else { return nil }
    return library.podcasts.first { $0.id == row.podcast }
  }

  mutating func playSelected() -> [Effect] {
    guard let id = selectedEpisode else { return [] }
    if let cannotPlay { return tell(.error, cannotPlay) }
    if let clip = selectedEntry?.clip, focusedPane == .episodes { return play(clip) }
    if let row = library.rows[id], !row.hasMedia { return tell(.warning, "“\(row.title)” has nothing to play") }
    // A search hit in a chapter or the transcript plays from there.
    let effects = playChosen(id, from: selectedMatch?.time)
    if effects.isEmpty { showMessage(.info, "“\(player.episode?.title ?? "It")” is playing already") }
    return effects
  }

  // MARK: Podcasts

  mutating func unsubscribeSelected() -> [Effect] {
    guard let podcast = selectedPodcast else { return [] }
    return ask(
      "Unsubscribe from “\(podcast.title)”? What you heard is kept. You can undo it with \(keymap.hint(.undo)).",
      yes: [.write(.unsubscribe(podcast.id))],
      done: "Unsubscribed from “\(podcast.title)”. \(keymap.press(.undo)) to undo.")
  }

  // MARK: Episodes

  mutating func togglePlayed(_ targets: Targets) -> [Effect] {
    // Of several, those that are played already stay so.
    let isPlayed = targets.episodes.allSatisfy { library.rows[$0]?.status == .played }
    let which = targets.single == nil ? ": " + words(targets, without: isPlayed ? nil : .played) : ""
    showMessage(.info, isPlayed ? "Unplayed again\(which)" : "Played\(which). \(keymap.press(.undo)) to undo.")
    return mark(targets, isPlayed ? .new : .played)
  }

  /// Sets the status, and moves the cursor on.
  private mutating func mark(_ targets: Targets, _ status: EpisodeStatus) -> [Effect] {
    let effects = mark(targets.episodes, status)
    moveOn(from: targets)
    return effects
  }

  /// Sets the status. The rows and the queue change at once, so that the next key sees it.
  /// - Parameter emptiesNew: they are all of New.
  mutating func mark(_ ids: [EpisodeID], _ status: EpisodeStatus, emptiesNew: Bool = false) -> [Effect] {
    let mark = Write.setStatus(ids, status, emptiesNew: emptiesNew)
    let saving = savePosition(before: mark)
    // The store leaves those that have the status already as they are. They may be queued to be heard again.
    let changed = Set(ids.filter { library.rows[$0]?.status != status })
    for id in changed { library.rows[id]?.status = status }
    if status.isOver {
      queue.removeAll(where: changed.contains)
      for id in changed { library.rows[id]?.isQueued = false }
    }
    return saving + [.write(mark)]
  }

  mutating func deleteSelected() -> [Effect] {
    if listening == nil, !screen.isReading, let effects = handleOnScreen(.delete) { return effects }
    if listening?.part == .chapters { return skipSelectedChapter() }
    let targets = targets
    return targets.isEmpty ? [] : act(.delete, on: targets)
  }

  mutating func delete(_ targets: Targets) -> [Effect] {
    if targets.episodes.allSatisfy({ library.rows[$0]?.status == .deleted }) { return bringBack(targets) }
    showMessage(.info, "Deleted \(words(targets, without: .deleted)). \(keymap.press(.undo)) to undo.")
    let effects = mark(targets, .deleted)
    switch screen.episodes.query.scope {
    // What was found and playlists are no queries for episodes that are not deleted.
    case .playlist, .matching: break
    // The filter shows deleted episodes.
    case _ where screen.filter?.filter.findsDeleted == true: break
    default: if tab != .find { screen.episodes.remove(targets.episodes, height: layout.listHeight(.episodes)) }
    }
    return effects
  }

  private mutating func bringBack(_ targets: Targets) -> [Effect] {
    for id in targets.episodes {
      guard let row = library.rows[id] else { continue }
      library.rows[id]?.status = row.position > 0 ? .paused : .new
    }
    moveOn(from: targets)
    return write(.bringBack(targets.episodes), "Brought back \(words(targets))", .info)
  }

  /// If the loaded episode is marked as played or deleted, saves its position. It plays on until the mark is stored
  /// (`stored`), because the mark may fail.
  private mutating func savePosition(before mark: Write) -> [Effect] {
    guard player.isActive, marksLoadedEpisode(mark) else { return [] }
    guard !isBeingMarked else {
      pendingPlayback.marks += 1
      return []
    }
    let saving = updateSession { player, _ in player.phase == .loading ? [] : player.recordHeard() }
    (pendingPlayback.markedLoad, pendingPlayback.marks) = (player.generation, 1)
    return saving
  }

  private func marksLoadedEpisode(_ write: Write) -> Bool {
    guard let episode = player.episode, case .setStatus(let ids, let status, _) = write else { return false }
    return ids.contains(episode.id) && status.isOver
  }

  /// Whether the loaded episode is being marked as played or deleted. What it reports is not stored any more.
  var isBeingMarked: Bool { player.isActive && pendingPlayback.markedLoad == player.generation }

  /// Stops the loaded episode, now that it is marked. If it was playing, the next one of the queue follows, as at its
  /// end.
  mutating func stored(_ mark: Write) -> [Effect] {
    guard isBeingMarked, marksLoadedEpisode(mark) else { return invalidate() }
    // The queue may have been read before the mark was stored.
    let next = player.phase == .playing && belongsToQueue ? upNext.first { !isMarked($0, by: mark) } : nil
    return stop() + (next.map { play($0) } ?? []) + invalidate()
  }

  private func isMarked(_ episode: EpisodeID, by write: Write) -> Bool {
    if case .setStatus(let ids, _, _) = write { ids.contains(episode) } else { false }
  }

  /// Shows why a change could not be stored. The text of a note is kept. An episode that was to be marked plays on.
  /// - Parameter write: the change. Nil: something else in the library failed.
  mutating func notStored(_ write: Write?, _ error: ReportedError) -> [Effect] {
    if case .writeNote(_, let text)? = write, !text.allSatisfy(\.isWhitespace) {
      keepUnstored(note: text, error)
    } else {
      showMessage(.error, error.text)
    }
    guard isBeingMarked, let write, marksLoadedEpisode(write) else { return invalidate() }
    pendingPlayback.marks -= 1
    // It may have been marked again.
    guard pendingPlayback.marks < 1 else { return invalidate() }
    pendingPlayback.markedLoad = nil
    return updateSession { player, _ in player.resumeRecording() } + invalidate()
  }

  mutating func toggleUnplayedOnly() -> [Effect] {
    screens.unplayedOnly.toggle()
    return tell(
      .info,
      screens.unplayedOnly ? "Unplayed episodes only. \(keymap.press(.unplayedOnly)) to show all." : "All episodes"
    )
  }
}

/// The confirmation before an undo or redo that changes many things or something old.
extension State {
  mutating func askUndo(_ plan: UndoPlan) -> [Effect] {
    let question = plan.withSingleQuotes.question(date: calendar.listDay(plan.timestamp, now: now))
    let press = keymap.press(plan.direction == .back ? .undo : .redo)
    // The library took a moment to answer. Keys meant for another overlay must not confirm. If undo was pressed twice,
    // the question is not shown twice.
    guard overlays.isEmpty else {
      if !overlays.contains(where: { ($0.content as? Confirm)?.question == question }) {
        showMessage(.info, "Nothing was changed, because this needs a confirmation. \(press) again.")
      }
      return []
    }
    let word = plan.direction == .back ? "Undoing" : "Redoing"
    return ask(question, yes: [.write(.undoConfirmed(plan))], done: "\(word) “\(plan.withSingleQuotes.label)”")
  }
}

extension UndoPlan {
  /// The plan with single quotes in its label, for sentences that put the label in double quotes.
  public var withSingleQuotes: UndoPlan {
    var plan = self
    plan.label = label.replacing("“", with: "‘").replacing("”", with: "’")
    return plan
  }
}
