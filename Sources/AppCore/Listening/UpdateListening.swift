import Model
import TerminalKit

/// The listener's actions in the full-screen view.
extension State {
  /// The episode that the view shows.
  var listeningEpisode: EpisodeID? { listening?.chosen ?? player.episode?.id }

  /// Whether that episode is the one that is open in the player.
  var showsOpenEpisode: Bool { player.isActive && listeningEpisode == player.episode?.id }

  /// The chapters of that episode. Once the episode is loaded, they are those of the player.
  var listeningChapters: [Chapter] {
    let isLoaded = listeningEpisode == player.episode?.id && !player.chapters.isEmpty
    return isLoaded ? player.chapters : listening?.storedChapters ?? []
  }

  /// The chapter at the current position.
  var listeningChapter: Int? {
    guard listeningEpisode == player.episode?.id else { return nil }
    return listeningChapters.lastIndex { $0.start <= player.position + PlayerState.chapterTolerance }
  }

  /// The episode whose transcript and chapters the keys open, if it is not the loaded one: the one in the details with
  /// the focus, or the selected one while nothing plays.
  var episodeToRead: EpisodeID? {
    let isSelectionMeant = focusedPane == .detail || !player.isActive
    guard listening == nil, isSelectionMeant, let id = selectedEpisode, id != player.episode?.id else { return nil }
    return id
  }

  /// Opens the view at a part. The same key closes it.
  mutating func listen(_ part: Pane?) -> [Effect] {
    if var view = listening {
      if part == .transcript, view.part == .transcript, !transcript.follows {
        transcript.follows = true
      } else if part == .transcript, view.lacksTranscript {
        return askForTranscriptAgain()
      } else if let part, part != view.part {
        view.show(part)
        listening = view
      } else {
        listening = nil
      }
      return []
    }
    listening = ListeningView(part ?? .transcript, of: part == nil ? nil : episodeToRead)
    listening?.wantsTranscript = part == .transcript
    // The listener wants a transcript that failed to load before, so it is asked for again.
    if let id = transcript.episode, id == listeningEpisode, transcript.retry() { return [loadTranscript(id)] }
    return []
  }

  private mutating func askForTranscriptAgain() -> [Effect] {
    listening?.wantsTranscript = true
    guard let id = transcript.episode, transcript.retry() else { return [] }
    return [loadTranscript(id)]
  }

  /// `c`: shows the chapters in the view, or a picker outside it.
  mutating func openChapters() -> [Effect] {
    if listening != nil { return listen(.chapters) }
    let id = episodeToRead ?? player.episode?.id
    if id == player.episode?.id, !player.chapters.isEmpty { return openChapters(player.chapters, of: nil) }
    guard let id else { return [] }
    return [.network(.chapters(awaited.begin(.chapterPicker(id)), id))]
  }

  private mutating func openChapters(_ chapters: [Chapter], of episode: EpisodeID?) -> [Effect] {
    let heard = episode == nil ? player.chapterIndex : nil
    return open(Picker(ChapterPicker(chapters, of: episode), chapters, selected: heard ?? 0))
  }

  /// Whether the chapters in the view can be skipped. What is chosen holds until another episode is loaded.
  var canSkipChapters: Bool { showsOpenEpisode && writeRefusal == nil }

  /// `x` in the chapters of the view: toggles whether the selected one is skipped.
  mutating func skipSelectedChapter() -> [Effect] {
    guard let chapter = listening?.chapters.selection.flatMap({ listeningChapters[safe: $0] }) else {
      return tell(.info, "There is no chapter to skip")
    }
    guard canSkipChapters else { return tell(.info, "Chapters can be skipped once the episode plays") }
    player.toggleSkip(chapter)
    return []
  }

  /// Handles the chapters of an episode that is not loaded.
  mutating func receive(_ chapters: [Chapter], _ subject: Awaited.Subject) -> [Effect] {
    switch subject {
    case .chapters: listening?.storedChapters = chapters
    case .chapterPicker(let id):
      // The answer took a moment. If another view has opened meanwhile, no picker opens.
      guard overlays.isEmpty, listening == nil else { return [] }
      guard !chapters.isEmpty else { return tell(.info, "This episode has no chapters") }
      return openChapters(chapters, of: id == player.episode?.id && player.isActive ? nil : id)
    default: break
    }
    return []
  }

  /// Updates the view before it is drawn: its episode, the current chapter and the current line.
  mutating func reconcileListening() -> [Effect] {
    guard var view = listening else { return [] }
    var effects: [Effect] = []
    // When the chosen episode is loaded, the view follows the player again.
    if view.chosen == player.episode?.id, player.isActive { view.chosen = nil }
    listening = view
    let episode = listeningEpisode
    if view.episode != episode {
      view.episode = episode
      view.chapters = ListState()
      view.playingChapter = nil
      view.storedChapters = []
      view.chaptersProblem = nil
      view.lacksTranscript = false
      awaited.drop(.chapters)
      let isLoaded = episode == player.episode?.id && (player.isActive || !player.chapters.isEmpty)
      if let episode, !isLoaded { effects.append(.network(.chapters(awaited.begin(.chapters), episode))) }
    }
    if view.notes.show(episode.map { .episode($0) }, isAwaited: areDetailsAwaited(in: .notes)), let episode {
      effects.append(ask(DetailsQuestion(subject: .episode(episode), pane: .notes)))
    }
    if episode == nil { awaited.drop(.transcript) }
    if transcript.show(episode), let episode { effects.append(loadTranscript(episode)) }
    if case .missing(let reason) = transcript.content, view.wantsTranscript {
      view.wantsTranscript = false
      showMessage(.info, words(forMissingTranscript: reason))
    }
    reportOtherCopy()
    view.updateParts(transcript.content)
    listening = view
    // The layout may have changed.
    let layout = self.layout
    let (chapters, heard) = (listeningChapters, listeningChapter)
    view.chapters.fit(count: chapters.count, height: max(1, layout.height(.chapters)))
    if view.playingChapter != heard {
      view.playingChapter = heard
      if let heard { view.chapters.moveTo(heard) }
      view.chapters.fit(count: chapters.count, height: max(1, layout.height(.chapters)))
    }
    view.upNext.fit(count: upNext.count, height: max(1, layout.height(.upNext)))
    // Hidden notes are laid out, too: `o` offers their links.
    if let area = layout.area(.notes)?.content ?? (view.notes.isTextOutdated ? Rect(size) : nil) {
      // The cover is shown above the list.
      var preferences = preferences
      preferences.coverArt = preferences.coverArt && layout.cover == nil
      view.notes.flow(
        to: DetailView.textSize(in: area), calendar: calendar, keymap: keymap, player: player,
        preferences: preferences, problems: problems)
    }
    if let area = layout.area(.transcript) {
      if episode == player.episode?.id {
        transcript.follow(player.position, size: area.content.size, turnsPages: preferences.reducedMotion)
      }
      transcript.scrollToSelection(area.content.size)
      // In linear mode the transcript jumps to the spoken line when it is opened or asked to, and then stays.
      if preferences.isLinear, transcript.spokenLine != nil { transcript.follows = false }
    }
    listening = view
    if layout.area(.upNext) != nil { effects += askForRows(upNext.prefix(200)) }
    return effects
  }

  mutating func loadTranscript(_ id: EpisodeID) -> Effect {
    .network(.transcript(awaited.begin(.transcript), id))
  }

  /// Seeks in the loaded episode, or plays the episode of the view from there.
  mutating func goTo(_ second: Double) -> [Effect] {
    if showsOpenEpisode { return seek(to: second, as: .jump) }
    guard let id = listeningEpisode else { return [] }
    return playChosen(id, from: second)
  }

  /// `J` and `K` in the queue.
  mutating func moveInUpNext(by step: Int) -> [Effect] {
    let upNext = upNext
    guard let index = listening?.upNext.selection, upNext.indices.contains(index),
      upNext.indices.contains(index + step), let from = queue.firstIndex(of: upNext[index]),
      let target = queue.firstIndex(of: upNext[index + step])
    else { return [] }
    queue.swapAt(from, target)
    listening?.upNext.moveTo(index + step)
    let move = Effect.write(.moveInQueue([upNext[index]], to: target))
    // The last one and the first one of the queue, which follows it, are exchanged.
    return abs(from - target) == 1 ? [move] : [move, .write(.moveInQueue([upNext[index + step]], to: from))]
  }
}
