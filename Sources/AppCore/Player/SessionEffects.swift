import Foundation
import Model
import Session
import TerminalKit

/// Carries out the effects of the session for the full-screen player.
extension State {
  /// Calls the session and carries out its effects. They are about the episode that was loaded before the call.
  mutating func updateSession(_ call: (inout PlayerState, Date) -> [SessionEffect]) -> [Effect] {
    let episode = player.episode
    return call(&player, now).flatMap { perform($0, about: episode) }
  }

  private mutating func perform(_ effect: SessionEffect, about episode: EpisodeRow?) -> [Effect] {
    switch effect {
    case .setPaused(let isPaused): return [.player(.setPaused(isPaused))]
    case .seek(let second, let id): return [.player(.seek(to: second, id))]
    case .setFade(let share): return [.player(.setFade(share))]
    case .stopPlayer: return [.player(.stop)]
    case .unreachable(let second, let isWanted): return unreachable(second, isWanted: isWanted, of: episode)
    case .endsTooEarly(let end, let position): return endsTooEarly(at: end, position, of: episode)
    case .endedEarly(let end, let before): return endedEarly(at: end, before, of: episode)
    case .unplayable(let cause): return episode.map { skipUnplayable($0, cause) } ?? []
    case .introTooLong(let start): return episode.map { play($0.id, from: start, as: .resume) } ?? []
    case .compareTranscripts:
      return episode.map { [.network(.compareTranscripts($0.id, generation: player.generation))] } ?? []
    case .found(let chapters): return [.player(.mergeChapters(player.generation, chapters))]
    case .message(let message):
      showMessage(message, about: episode)
      return []
    case .phase(let phase): return [.terminal(.setTitle(title(of: episode, phase)))]
    // Without an episode nothing can be stored.
    case .note(let note): return episode.map { record(note, of: $0) } ?? []
    case .heardToEnd(let sleeps, let outroPlays):
      return episode.map { advance(after: $0, sleeps: sleeps, outroPlays: outroPlays) } ?? []
    }
  }

  private mutating func record(_ note: ListeningNote, of episode: EpisodeRow) -> [Effect] {
    // Its position was saved before the mark. Nothing that is stored after the mark may change the episode.
    if pendingPlayback.markedLoad == player.generation, note.changesState { return [] }
    if episode.isLive, note.isAboutPosition { return [] }
    if case .position(let seconds, let total) = note {
      library.rows[episode.id]?.position = seconds
      discardReadAhead(episode.id)
      // The length that the feed states may be wrong.
      if let total { library.rows[episode.id]?.duration = total }
    }
    if note == .began { unplayable[episode.id] = nil }
    return [.note(episode.id, note)]
  }

  private mutating func advance(after episode: EpisodeRow, sleeps: Bool, outroPlays: Bool) -> [Effect] {
    var effects: [Effect] = [.note(episode.id, .ended), .terminal(.setTitle(""))]
    let next = nextInQueue
    queue.removeAll { $0 == episode.id }
    if sleeps {
      showMessage(.info, "The sleep timer stopped playback after “\(episode.title)”")
      // The next episode is offered for the next time.
      if let next = next.flatMap({ library.rows[$0] }) {
        player.offer(next, at: next.position, duration: next.duration)
        effects.append(.note(next.id, .began))
      }
    } else if let next {
      effects += play(next)
    } else {
      showMessage(.info, "Played to the end: “\(episode.title)”")
    }
    // The next episode stops the previous one, so a stop is only needed if none follows.
    return outroPlays && !player.isActive ? effects + [.player(.stop)] : effects
  }

  private func title(of episode: EpisodeRow?, _ phase: NowPlaying.Status) -> String {
    switch phase {
    case .playing: "▶ \(episode?.title ?? "")"
    case .paused: "Ⅱ \(episode?.title ?? "")"
    case .loading, .stopped: ""
    }
  }

  // MARK: Words

  private mutating func showMessage(_ remark: SessionMessage, about episode: EpisodeRow?) {
    switch remark {
    case .nothingIsPlaying: showMessage(.info, "Nothing is playing")
    case .stillOpening: showMessage(.info, PlayerText.stillOpening(episode), while: .opening)
    case .seeksWhenOpen:
      showMessage(.info, PlayerText.stillOpening(episode, ending: ". It seeks when it is open."), while: .opening)
    case .seekedElsewhere(let wanted, let position):
      showMessage(.warning, PlayerText.seekedElsewhere(wanted, position))
    case .endsBefore(let wanted, let end):
      showMessage(.warning, "“\(episode?.title ?? "The episode")”: \(PlayerText.endsBefore(wanted, end))")
    case .noChapters: showMessage(.info, "This episode has no chapters")
    case .lastChapter: showMessage(.info, "This is the last chapter")
    case .skipped(let chapters):
      let title = chapters.count == 1 ? "“\(player.chapters.title(of: chapters[0]))”" : "\(chapters.count) chapters"
      showMessage(.info, "Skipped \(title)")
    case .skippedPart(let seconds):
      showMessage(.info, "Skipped \(TimeText.clock(seconds.rounded())). \(keymap.press(.undo)) to go back.")
    case .waitsForStream(let cause): showMessage(.warning, "Waiting: \(Sanitize.line(cause))", while: .networkWait)
    case .streamResumed(let seconds): showMessage(.info, "Playing again after \(TimeText.clock(seconds))")
    case .sleepTimerEnded: showMessage(.info, "The sleep timer paused playback" + sleepHint)
    case .cannotPlay(VideoPage.cause): showMessage(.info, "A video page. \(keymap.press(.openLink)) to open it.")
    case .cannotPlay(let cause): showMessage(.error, "Cannot play “\(episode?.title ?? "the episode")”: \(cause)")
    case .excerptEnded(let position, let isOver):
      let continueHint = isOver ? "" : ". \(keymap.press(.pause)) to continue the episode"
      let back = position.flatMap { $0 >= 1 ? ", \(keymap.hint(.jumpBack)) to go back to \(TimeText.clock($0))" : nil }
      showMessage(.info, "End of the clip" + continueHint + (isOver ? "" : (back ?? "") + "."))
    case .endedBefore(let position):
      showMessage(.warning, PlayerText.endedBefore(position))
    case .fileChanged(let difference):
      let word = difference > 0 ? "longer" : "shorter"
      showMessage(
        .warning,
        "The file is \(PlayerText.difference(difference)) \(word) than when you left it. Your position may be wrong.")
    case .positionMoved(let position, let evidence):
      let press = keymap.press(.correctPlace)
      showMessage(
        .warning,
        "The file has changed: its \(PlayerText.show(evidence)) that your position is now \(TimeText.clock(position)). \(press) to go there."
      )
    }
  }

  /// How to return to the position at which the sleep timer was set.
  private var sleepHint: String {
    guard let mark = sleepMark else { return "" }
    return ". \(keymap.press(.sleepBack)) to go back to \(TimeText.clock(mark.seconds)), where it was set."
  }
}
