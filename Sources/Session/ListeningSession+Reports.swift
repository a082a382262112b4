import Foundation
import Model

/// The player's events. Every change of the position ends in `ListeningNote.position`, so that no position is lost.
extension ListeningSession {
  public mutating func handle(_ event: PlayerEvent, now: Date) -> [SessionEffect] {
    if let generation = event.generation {
      // The listener stopped the item while it was being looked up. The sound is no longer wanted.
      if case .started = event, generation == self.generation, !isActive { return [.stopPlayer] }
      guard generation == self.generation, isActive else { return [] }
    }
    switch event {
    case .started(_, let duration, _): return started(duration: duration)
    case .position(_, let seconds, let seek):
      // A position that was reported before the newest seek is out of date.
      guard let sound, seek == sound.newestSeek, seconds.isFinite else { return [] }
      return moved(to: max(0, seconds))
    case .duration(_, let seconds):
      duration = seconds.flatMap(Self.positive) ?? duration
      change { $0.fileDuration = seconds.flatMap(Self.positive) ?? $0.fileDuration }
    case .paused(_, let isPaused):
      change { $0.requestedPause = nil }
      return isPaused ? pausedByPlayer(now: now) : resumedByPlayer()
    case .stalled(_, let isStalled): return stalled(isStalled)
    case .waitsForNetwork(_, let wait): return waits(wait)
    case .buffered(_, let until): change { $0.bufferedUntil = until.isFinite ? until : nil }
    case .chapters(_, let found):
      // The longer list is shown at once. `mergeChapters` then finds out which chapters are better.
      let found = ChapterMerge.listed(found, duration: sound?.fileDuration)
      hasNoFileChapters = found.isEmpty
      if found.count > chapters.count { allChapters = found }
      return [.found(found)]
    case .speed(let speed): if speed.isFinite { self.speed = min(4, max(0.5, speed)) }
    case .volume(let volume): if volume.isFinite { self.volume = min(150, max(0, volume)) }
    case .saved(_, let seconds):
      guard seconds.isFinite, seconds > 0 else { break }
      savedSeconds += seconds
      unrecordedSavedTime[.silence, default: 0] += seconds
    case .devices, .deviceGone: break
    case .ended(_, let seconds, let atEnd): return ended(at: seconds, atEnd: atEnd, outroPlays: false)
    case .unreachable(_, let seconds):
      let isWanted = reason != .resume || (storedState?.position ?? seconds) >= EpisodePlace.near
      return stop(recording: nil) + [.unreachable(seconds, isWanted: isWanted)]
    case .failed(_, let seconds, let message, let concernsFile):
      return failed(at: seconds, message, concernsFile: concernsFile)
    case .shutDown: return isActive ? stop(recording: .pause) : []
    }
    return []
  }

  private mutating func started(duration: Double?) -> [SessionEffect] {
    guard item != nil else { return [] }
    self.duration = duration.flatMap(Self.positive) ?? self.duration
    guard stage == .loading else { return stalled(false) }
    if let start = positionBeforeIntro(begun: position, end: self.duration) {
      return stop(recording: nil) + [.introTooLong(start: start)]
    }
    let stored = positionBeforeLoad
    if reason == .resume, let intro = playbackSettings.intro, position == intro, stored < intro {
      // The player reports the speed of this podcast only after the start.
      addSavedTime(.intro, intro - stored, at: speed(of: playbackSettings))
    }
    let isUnchosen = reason == .resume && (position < Self.chapterTolerance || position == playbackSettings.intro)
    stage = .active(
      Sound(
        fileDuration: duration.flatMap(Self.positive), beginning: position, spanStart: position, soundStart: position,
        isFirstChapterOpen: isUnchosen))
    if let excerpt {
      // The key that goes back leads to the position of the item first.
      if let kept = excerpt.storedPosition, kept >= EpisodePlace.near, let place = place(at: kept) { jumps.add(place) }
      return [.phase(.playing)] + sendWaitingSeek()
    }
    if endOfFile(before: position) != nil {
      keptPosition = storedState?.position ?? position
      // A time of the notes, for example. It says nothing about the stored position.
      if reason == .jump, let keptPosition, endOfFile(before: keptPosition) == nil { unheardTarget = position }
    }
    let leaving = unheardTarget == nil ? recordJumpFromStoredPlace() : []
    let messages = duration.flatMap(Self.positive).map { compareFile($0) } ?? []
    let begun: [SessionEffect] =
      unheardTarget == nil ? [.note(.event(.start, speed: nil)), .note(.status(.playing))] : []
    return leaving + messages + begun + [.note(.began), .phase(.playing)] + sendWaitingSeek()
  }

  /// Where the item was before this load, in seconds: 0 if it was heard to its end.
  private var positionBeforeLoad: Double { storedState.map { $0.isPlayed ? 0 : $0.position } ?? 0 }

  /// The position to start at instead of the end of the intro, if the file ends at `end`, so that nothing would be left
  /// to hear. Nil if playback did not begin at the end of the intro, or if something is left. All in seconds.
  private func positionBeforeIntro(begun: Double, end: Double?) -> Double? {
    guard reason == .resume, let intro = playbackSettings.intro, begun == intro, let end,
      playbackSettings.intro(of: end) == nil
    else { return nil }
    let stored = positionBeforeLoad
    return stored < end ? min(stored, begun) : 0
  }

  /// The end of the file that was opened, if `second` lies behind it. Either the file was longer when that position
  /// was stored, or the position is wrong, or the duration is an estimate that is too low. Then the sound continues.
  func endOfFile(before second: Double) -> Double? {
    duration.flatMap { second > $0 && FileChange.isOther($0, than: second) ? $0 : nil }
  }

  private mutating func moved(to seconds: Double) -> [SessionEffect] {
    guard item != nil else { return [] }
    var before = position
    let step = seconds - before
    keepPositionOfShortStream(endingAt: seconds)
    // The player also reports a target that it has not read up to yet. Progress after it shows that it was reached.
    if let sound, sound.hasReported, phase == .playing, excerpt == nil, keptPosition == nil, step > 0, step < Self.jump
    {
      change { $0.reach = .reached }
    }
    var effects = reportSeekElsewhere(at: seconds)
    if step < 0 || step >= Self.jump {
      // The position jumped, so the part between was not heard: a seek landed elsewhere or failed.
      effects += recordHeardSpan()
      // A seek may land a little before its target. That is the seek that was counted when it was sent.
      let isLanding = sound.map { before <= $0.soundStart && abs(seconds - $0.soundStart) < Self.nearTarget } ?? false
      if !isLanding { seeks += 1 }
      change {
        $0.spanStart = seconds
        if abs(step) >= Self.nearTarget { $0.soundStart = seconds }
      }
    }
    position = seconds
    change {
      $0.exactPosition = nil
      $0.hasReported = true
    }
    if unheardTarget != nil, step > 0, step < Self.jump {
      unheardTarget = nil
      effects += recordJumpFromStoredPlace() + [.note(.event(.start, speed: nil)), .note(.status(.playing))]
    }
    if let keptPosition, excerpt == nil, unheardTarget == nil, position > keptPosition || isChosenInShortStream {
      self.keptPosition = nil
    }
    effects += savePosition()
    if phase == .paused { return effects + movedWhilePaused() }
    guard phase == .playing, step > 0, step < Self.jump else { return effects }
    // A crash loses at most this much of the statistics. The library joins events that follow each other.
    if let sound, case let start = sound.earlierSpans.first?.start ?? sound.spanStart,
      position - start >= Self.maxUnrecorded * speed
    {
      effects += recordHeardSpan()
    }
    if let start = sound?.skippedFrom {
      before = start
      change { $0.skippedFrom = nil }
    }
    // Before the sleep timer, which would only pause. The end takes the timer into account.
    if excerpt == nil, playbackSettings.reachesOutro(from: before, to: position, of: duration) {
      addSavedTime(.intro, (duration ?? 0) - position)
      return effects + ended(at: position, atEnd: true, outroPlays: true)
    }
    effects += countDown(step, from: before)
    if let heard = sound?.heardSinceLongSeek {
      change { $0.heardSinceLongSeek = heard + step < Self.longSeekInterval ? heard + step : nil }
    }
    guard excerpt == nil else { return effects + endExcerpt() }
    let part = skipPart()
    return effects + (part.isEmpty ? skipChapter(from: before) : part)
  }

  /// Keeps the position if the sound begins before the position that was loaded. The player reads a stream of unknown
  /// length silently up to there, and the stream may end or break off before. If the listener has sought before
  /// anything was heard, the target is kept.
  private mutating func keepPositionOfShortStream(endingAt seconds: Double) {
    guard let sound, sound.fileDuration == nil, case .open = sound.reach, excerpt == nil,
      seconds.isFinite, seconds < min(position, sound.beginning) - Self.nearTarget
    else { return }
    keptPosition = keptPosition ?? position
    // A position that was chosen before and not reached is the one that is kept.
    change { $0.reach = .short(isChosen: false) }
  }

  /// The listener has chosen another position in a stream of unknown length. In a file of known length, and after
  /// `fromStart`, a seek does not give up the kept position.
  private var isChosenInShortStream: Bool {
    guard let sound, reason != .fromStart else { return false }
    return switch sound.reach {
    case .open(let isChosen): isChosen && sound.fileDuration == nil
    case .short(let isChosen): isChosen
    case .reached: false
    }
  }

  /// The player reports the exact position only after the pause. What was heard until then is recorded now and not at
  /// the end of a long pause, because a later record would win against what other devices have done meanwhile.
  private mutating func movedWhilePaused() -> [SessionEffect] {
    // After a seek during the pause, the report says where it landed. Nothing was heard up to there.
    guard sound?.pause?.isPositionChosen != true else {
      let start = position
      change { $0.spanStart = start }
      return []
    }
    let heard = recordHeardSpan()
    return heard.contains(where: \.isHeardSpan) ? heard + [.note(.status(.paused))] : heard
  }

  /// Reports where the newest seek has led, if that is not its target.
  private mutating func reportSeekElsewhere(at seconds: Double) -> [SessionEffect] {
    guard let wanted = sound?.unconfirmedTarget else { return [] }
    guard abs(seconds - wanted) < Self.nearTarget else {
      let isKept = keptPosition != nil
      change {
        $0.unconfirmedTarget = nil
        // The stream ended before the position that the listener chose, so that is not chosen any more.
        if isKept, seconds < wanted { $0.reach.choose(false) }
      }
      let message = SessionEffect.message(.seekedElsewhere(wanted: wanted, position: seconds))
      // The listener did not choose this position, so the chosen one can still be reached by the keys and by undo. If
      // it is in the list already, they have just led there, and another entry would lead there again and again.
      guard excerpt == nil, let place = place(at: wanted), !jumps.places.contains(where: { $0.isNear(place) }) else {
        return [message]
      }
      jumps.add(place)
      return [.note(.jump(from: keptPosition == nil ? wanted : nil, to: seconds)), message]
    }
    // The player reports the target itself before anything is heard there.
    if phase == .playing, seconds > position { change { $0.unconfirmedTarget = nil } }
    return []
  }

  /// In seconds: a position this near to the target of a seek counts as the target.
  static var nearTarget: Double { 5 }

  /// The longest span of listening, in seconds, that may be unrecorded.
  private static var maxUnrecorded: Double { 60 }

  private mutating func stalled(_ isStalled: Bool) -> [SessionEffect] {
    guard let wait = sound?.wait else { return [] }
    if isStalled {
      if wait == .none { change { $0.wait = .data } }
      return []
    }
    change { $0.wait = .none }
    guard case .network(let wait, isReported: true) = wait, phase == .playing else { return [] }
    return [.message(.streamResumed(after: wait.seconds))]
  }

  /// Records that the stream has broken off. The listener is told the cause once, after `waitBeforeReport`.
  private mutating func waits(_ wait: NetworkWait) -> [SessionEffect] {
    guard wait.seconds.isFinite else { return [] }
    guard let sound else {
      defer { openingWait = wait }
      return openingWait?.cause == wait.cause ? [] : [.message(.waitsForStream(cause: wait.cause))]
    }
    let wasReported = if case .network(_, let isReported) = sound.wait { isReported } else { false }
    let isReported = !wasReported && wait.seconds >= Self.waitBeforeReport
    change { $0.wait = .network(wait, isReported: wasReported || isReported) }
    return isReported ? [.message(.waitsForStream(cause: wait.cause))] : []
  }

  /// Seconds of waiting before the listener is told why. Short interruptions are not reported.
  private static var waitBeforeReport: Double { 2 }

  private mutating func pausedByPlayer(now: Date) -> [SessionEffect] {
    guard phase == .playing else { return [] }
    change { $0.pause = Pause(since: now) }
    return finishHeardSpan(recording: .pause) + [.phase(.paused)]
  }

  private mutating func resumedByPlayer() -> [SessionEffect] {
    guard phase == .paused, item != nil else { return [] }
    change { $0.pause = nil }
    guard excerpt == nil else { return [.phase(.playing)] }
    return [.note(.event(.start, speed: nil)), .note(.status(.playing)), .phase(.playing)]
  }

  private mutating func ended(at seconds: Double, atEnd: Bool, outroPlays: Bool) -> [SessionEffect] {
    guard item != nil else { return [] }
    guard stage != .loading else { return failed(at: nil, "it ended before playback began") }
    if let excerpt {
      return stop(recording: nil) + [.message(.excerptEnded(position: excerpt.storedPosition, isOver: true))]
    }
    if let sound, sound.reach != .reached, let start = positionBeforeIntro(begun: sound.beginning, end: seconds) {
      return stop(recording: nil) + [.introTooLong(start: start)]
    }
    keepPositionOfShortStream(endingAt: seconds)
    if seconds.isFinite { position = max(0, seconds) }
    change { $0.exactPosition = nil }
    guard atEnd else { return stop(recording: .pause) }
    // Without a duration it is unknown whether this was the real end. The kept position lies behind it.
    if let keptPosition {
      let end = duration ?? position
      if let wanted = unheardTarget {
        return stop(recording: nil) + [.message(.endsBefore(wanted: wanted, end: end))]
      }
      let effects = stop(recording: .pause)
      if reason == .fromStart { return effects + [.message(.endedBefore(position: keptPosition))] }
      // The kept position belongs to the longer file.
      duration = previousFile.total
      return effects + [.endsTooEarly(end: end, position: keptPosition)]
    }
    if let before = longerDuration(than: max(position, sound?.fileDuration ?? 0)) {
      let end = position
      let effects = stop(recording: .pause)
      // The position belongs to the longer file.
      duration = before
      return effects + [.endedEarly(end: end, before: before)]
    }
    // The last chapter ends with the episode, so a timer for the end of the chapter ends here, too.
    let sleeps = sleepsAfterItem()
    let effects = finishHeardSpan(recording: nil) + [.note(.status(.played))]
    unload()
    stage = .finished
    position = 0
    return effects + [.heardToEnd(sleeps: sleeps, outroPlays: outroPlays)]
  }

  private mutating func failed(
    at seconds: Double?, _ message: String, concernsFile: Bool = false
  ) -> [SessionEffect] {
    let isUnplayable = concernsFile && stage == .loading && reason == .resume
    if let seconds, seconds.isFinite, stage != .loading {
      keepPositionOfShortStream(endingAt: seconds)
      position = max(0, seconds)
      change { $0.exactPosition = nil }
    }
    return stop(recording: .pause) + [.message(.cannotPlay(message))]
      + (isUnplayable ? [.unplayable(cause: message)] : [])
  }
}
