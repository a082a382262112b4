import Model
import TerminalKit

/// What the listener does in the view of what plays.
extension State {
  /// Opens the view at a part; the same key closes it again.
  mutating func listen(_ part: Listening.Part?) -> [Effect] {
    if var view = listening {
      if part == .transcript, view.part == .transcript, !transcript.follows {
        transcript.followAgain()
      } else if let part, part != view.part {
        view.show(part)
        listening = view
      } else {
        listening = nil
      }
      return []
    }
    listening = Listening(part ?? .transcript)
    // A transcript that could not be had is asked for again, now that it is wanted.
    if let id = transcript.episode, transcript.retry() { return [loadTranscript(id)] }
    return []
  }

  /// Brings the view in order: whose parts are these, which chapter and which line are heard.
  mutating func reconcileListening(_ layout: Layout) -> [Effect] {
    guard var view = listening else { return [] }
    var effects: [Effect] = []
    let episode = player.episode?.id
    if view.episode != episode {
      view.episode = episode
      view.chapters = ListState()
      view.heardChapter = nil
    }
    if let question = view.notes.show(episode.map { .episode($0) }) {
      effects.append(ask(question, for: .reader(.notes)))
    }
    if episode == nil { awaited.drop(.transcript) }
    if transcript.show(episode), let episode { effects.append(loadTranscript(episode)) }
    view.chapters.fit(count: player.chapters.count, height: max(1, layout.height(.chapters)))
    if view.heardChapter != player.chapterIndex {
      view.heardChapter = player.chapterIndex
      if let index = player.chapterIndex { view.chapters.moveTo(index) }
      view.chapters.fit(count: player.chapters.count, height: max(1, layout.height(.chapters)))
    }
    view.upNext.fit(count: queue.count, height: max(1, layout.height(.upNext)))
    if let place = layout.place(.notes) {
      // The picture stands beside them already.
      var preferences = preferences
      preferences.coverArt = preferences.coverArt && layout.place(.cover) == nil
      view.notes.flow(
        to: DetailView.textSize(in: place.content), calendar: calendar, keymap: keymap, preferences: preferences)
    }
    if let place = layout.place(.transcript) {
      transcript.follow(player.position, size: place.content.size, turnsPages: preferences.reducedMotion)
      transcript.keepInSight(place.content.size)
      // It goes to what is heard when it is opened and when it is asked to, and then stays.
      if preferences.isLinear, transcript.heard != nil { transcript.stay() }
    }
    listening = view
    if layout.place(.upNext) != nil { effects += askForRows(queue.prefix(200)) }
    return effects
  }

  private mutating func loadTranscript(_ id: EpisodeID) -> Effect {
    .network(.transcript(awaited.begin(.transcript), id))
  }

  /// Seeks in what plays; what stands ready is played from there.
  mutating func goTo(_ second: Double) -> [Effect] {
    if player.isActive { return seek(to: second) }
    guard let id = player.episode?.id else { return [] }
    return play(id, from: second)
  }

  /// J and K in what is next.
  mutating func moveInUpNext(by step: Int) -> [Effect] {
    guard let index = listening?.upNext.selection, queue.indices.contains(index),
      queue.indices.contains(index + step)
    else { return [] }
    let id = queue[index]
    queue.swapAt(index, index + step)
    listening?.upNext.moveTo(index + step)
    return [.write(.moveInQueue(id, to: index + step))]
  }
}
