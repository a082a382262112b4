import Foundation
import Model

/// The listener's requests, and the record of what was heard.
extension ListeningSession {
  // MARK: Loading and stopping

  /// Shows an item in the player bar without loading it. The listener can resume it.
  public mutating func offer(_ item: Item, at second: Double, duration: Double?) {
    stage = .idle
    if item.episodeID != self.item?.episodeID { allChapters = [] }
    self.item = item
    position = Self.storable(second)
    self.duration = duration
  }

  /// Loads another item. The item before must have been stopped.
  /// - Parameters:
  ///   - item: nil until the library has looked it up; then `identify` follows.
  ///   - second: where playback starts, in seconds.
  ///   - storedState: the stored state of the item, if it is already known.
  public mutating func load(
    _ item: Item?, at second: Double, duration: Double?, as reason: LoadReason = .resume,
    storedState: StoredState? = nil
  ) {
    // A finished item and the start of an item are not recorded in the jump list. `step` has already recorded the
    // current place.
    let recordsJump = reason != .step && stage != .finished && position >= EpisodePlace.near
    if recordsJump, let currentPlace, currentPlace.episode != item?.episodeID { jumps.add(currentPlace) }
    if stage != .finished { forwardSeek = nil }
    unload()
    generation += 1
    stage = .loading
    openingWait = nil
    self.item = item
    self.reason = reason
    self.storedState = storedState
    keptPosition = reason == .fromStart ? storedState?.position : nil
    if case .excerpt(let range) = reason { excerpt = Excerpt(range: range, storedPosition: storedState?.position) }
    // The library may hold values from a version that did not check them.
    position = Self.storable(second)
    self.duration = duration.flatMap(Self.positive)
    allChapters = []
    hasNoFileChapters = false
    savedSeconds = 0
    unrecordedSavedTime = [:]
    chosenSkips = [:]
    skippedParts = []
    heardPart = nil
    previousFile = PreviousFile()
  }

  /// Receives the item after the library has looked it up. The player is about to start it.
  /// - Returns: false if the load is no longer wanted.
  public mutating func identify(
    _ item: Item, at second: Double, duration: Double?, chapters: [Chapter], storedState: StoredState, generation: Int
  ) -> Bool {
    guard generation == self.generation, stage == .loading else { return false }
    self.item = item
    self.storedState = storedState
    excerpt?.storedPosition = storedState.position
    if reason == .fromStart { keptPosition = storedState.position }
    position = Self.storable(second)
    self.duration = duration.flatMap(Self.positive) ?? self.duration
    allChapters = ChapterMerge.listed(chapters, duration: nil)
    previousFile.chapters = self.chapters
    return true
  }

  /// Stops: saves the position and records what was heard. If the file never started, its stored position stays as it
  /// is.
  public mutating func stop(recording end: ListeningEvent.Kind?) -> [SessionEffect] {
    // The position of a paused item is stored already. Another device may have changed it since.
    let effects = stage == .loading || phase == .paused ? [] : finishHeardSpan(recording: phase == .playing ? end : nil)
    unload()
    return effects + [.stopPlayer, .phase(.stopped)]
  }

  /// Saves the position and records what was heard, as a pause does, and plays on.
  public mutating func recordHeard() -> [SessionEffect] { finishHeardSpan(recording: phase == .playing ? .pause : nil) }

  /// Records after `recordHeard` that the item still plays.
  public func resumeRecording() -> [SessionEffect] {
    phase == .playing && excerpt == nil ? [.note(.event(.start, speed: nil)), .note(.status(.playing))] : []
  }

  /// Unloads the item. Its name and position stay.
  mutating func unload() {
    if stage == .loading, let storedState { position = storedState.position }
    stage = .idle
    if let excerpt { position = excerpt.storedPosition ?? position }
    if let keptPosition { position = keptPosition }
    excerpt = nil
    keptPosition = nil
    unheardTarget = nil
    waitingSeek = nil
    previousFile.comparison = .same
  }

  // MARK: Pause and position

  /// Asks the player to pause or to resume. Until the player reports it, `togglePause` goes by what was asked for.
  public mutating func setPaused(_ paused: Bool, now: Date) -> [SessionEffect] {
    guard let sound else { return [] }
    change { $0.requestedPause = paused }
    let leaving = !paused && isExcerptOver ? leaveExcerpt(to: position) : []
    guard !paused, rewindsAfterPause, let pause = sound.pause else { return leaving + [.setPaused(paused)] }
    let back = pause.isPositionChosen ? 0 : ResumePosition.rewind(after: now.timeIntervalSince(pause.since))
    let target = max(position - back, excerpt?.range.lowerBound ?? 0)
    let rewinding = back > 0 ? seek(to: target, as: .automatic) : []
    return leaving + rewinding + [.setPaused(false)]
  }

  /// Pauses, unless that was asked for already.
  public mutating func pause(now: Date) -> [SessionEffect] { isPauseWanted == false ? setPaused(true, now: now) : [] }

  /// Resumes, unless that was asked for already.
  public mutating func resume(now: Date) -> [SessionEffect] { isPauseWanted == true ? setPaused(false, now: now) : [] }

  /// What was asked for last: to pause, or to play. Nil if nothing is open.
  private var isPauseWanted: Bool? { sound.map { $0.requestedPause ?? ($0.pause != nil) } }

  /// Pauses at once, without waiting for the player's report, because the process is about to be stopped. The report
  /// would be recorded after the stop, and would win against what other devices have done meanwhile. An item that is
  /// being opened opens paused.
  public mutating func suspend(now: Date) -> [SessionEffect] {
    resumesAfterSuspend = isActive && isPauseWanted != true
    return isActive ? [.setPaused(true)] + handle(.paused(generation: generation, true), now: now) : []
  }

  /// Plays on after `suspend`, if playback was not paused before.
  public mutating func resumeAfterSuspend(now: Date) -> [SessionEffect] {
    guard resumesAfterSuspend else { return [] }
    resumesAfterSuspend = false
    return stage == .loading ? [.setPaused(false)] : resume(now: now)
  }

  /// Pauses or resumes: the opposite of what was asked for last.
  public mutating func togglePause(now: Date) -> [SessionEffect] {
    switch stage {
    case .idle, .finished: [.message(.nothingIsPlaying)]
    case .loading: [.message(.stillOpening)]
    case .active: setPaused(isPauseWanted != true, now: now)
    }
  }

  public mutating func seek(to target: Double, as kind: SeekKind = .short) -> [SessionEffect] {
    if stage == .loading { return wait(with: .to(Self.storable(target), kind)) }
    guard item != nil, sound != nil else { return [.message(.nothingIsPlaying)] }
    let second = min(Self.storable(target), lastSeekTarget)
    // The end of a file that was not heard must not count as the end of the episode.
    if kind != .automatic, target > lastSeekTarget, let end = endOfFile(before: target) {
      return [.message(.endsBefore(wanted: target, end: end))]
    }
    let heard = recordHeardSpan()
    var effects: [SessionEffect] = []
    if let excerpt {
      if !excerpt.range.contains(second) { effects += leaveExcerpt(to: second) }
    } else {
      if kind != .automatic {
        change { $0.reach.choose() }
        hearPart(at: second)
      }
      effects += recordJump(to: second, as: kind)
    }
    // The new position is stored before the heard span, because the screen shows it at once.
    return effects + sendSeek(to: second, isRequested: kind != .automatic) + savePosition() + heard
  }

  /// The last second that a seek may lead to. The feed's duration may be too short. So if the player does not know the
  /// duration, everything before the position is there, too.
  private var lastSeekTarget: Double {
    let end = duration ?? .greatestFiniteMagnitude
    return sound?.fileDuration == nil ? max(position, end) : end
  }

  private mutating func wait(with seek: WaitingSeek) -> [SessionEffect] {
    waitingSeek = seek
    return [.message(.seeksWhenOpen)]
  }

  /// Sends the seek that was requested while the item was being opened.
  mutating func sendWaitingSeek() -> [SessionEffect] {
    defer { waitingSeek = nil }
    switch waitingSeek {
    case .to(let target, let kind): return seek(to: target, as: kind)
    case .by(let delta, let kind): return seek(by: delta, as: kind, now: nil)
    case nil: return []
    }
  }

  /// Sends the seek to the player, and records nothing.
  /// - Parameter isRequested: the listener asked for it, and is told if it leads elsewhere.
  mutating func sendSeek(to second: Double, isRequested: Bool = true) -> [SessionEffect] {
    position = second
    seeks += 1
    change {
      $0.newestSeek = $0.newestSeek.next
      $0.unconfirmedTarget = isRequested ? second : nil
      if isRequested {
        $0.pause?.isPositionChosen = true
        ($0.skippedFrom, $0.isFirstChapterOpen) = (nil, false)
      }
      ($0.spanStart, $0.soundStart) = (second, second)
      $0.exactPosition = nil
      $0.hasReported = false
    }
    return [.seek(to: second, newestSeek)]
  }

  /// - Parameter now: nil if the listener has asked for it before, while the item was being opened.
  public mutating func seek(by delta: Double, as kind: SeekKind? = nil, now: Date?) -> [SessionEffect] {
    let kind = kind ?? (abs(delta) >= Self.longSeek ? .long : .short)
    if let now, isMeantForEndedItem(delta, now: now) {
      // Seen by whoever waits for the seek.
      seeks += 1
      return []
    }
    guard stage == .loading else {
      return seek(to: min(position + delta, lastSeekTarget), as: kind)
    }
    // Where it will begin may not be known yet.
    switch waitingSeek {
    case .to(let target, _): return wait(with: .to(Self.storable(target + delta), kind))
    case .by(let before, _): return wait(with: .by(before + delta, kind))
    case nil: return wait(with: .by(delta, kind))
    }
  }

  /// Seconds. A longer seek counts as `SeekKind.long`.
  private static var longSeek: Double { 60 }

  /// Whether a seek belongs to a quick series of seeks forward that has led to the end of the item before. The listener
  /// pressed the key again before they could hear that the next item had begun.
  private mutating func isMeantForEndedItem(_ delta: Double, now: Date) -> Bool {
    guard delta > 0 else {
      forwardSeek = nil
      return false
    }
    let last = forwardSeek.flatMap { now.timeIntervalSince($0.time) < Self.quickSeeks ? $0 : nil }
    let isMeant = last.map { $0.generation != generation } ?? false
    forwardSeek = ForwardSeek(generation: last?.generation ?? generation, time: now)
    return isMeant
  }

  /// In seconds: seeks of one series follow each other this quickly.
  private static var quickSeeks: Double { 1.5 }

  public mutating func seekChapter(_ step: Int) -> [SessionEffect] {
    guard !chapters.isEmpty else { return [.message(.noChapters)] }
    let current = chapterIndex ?? -1
    // Within the first seconds of a chapter, "previous" means the chapter before, as in other players.
    let intoChapter = current >= 0 ? position - chapters[current].start : 0
    let target = step < 0 ? (intoChapter > 3 ? current : chapterIndex(before: current)) : current + step
    guard target < chapters.count else { return [.message(.lastChapter)] }
    return seek(to: target < 0 ? 0 : chapters[target].start, as: .long)
  }

  /// The last chapter that begins at least a second before this one. A list may have several of one second, and a seek
  /// to one of them would lead into the same one again. −1 if there is none.
  private func chapterIndex(before index: Int) -> Int {
    guard chapters.indices.contains(index) else { return -1 }
    return chapters[..<index].lastIndex { $0.start <= chapters[index].start - 1 } ?? -1
  }

  /// Seeks to the previous chapter, or to the start of an item without chapters.
  public mutating func goBack() -> [SessionEffect] {
    chapters.isEmpty ? seek(to: 0, as: .long) : seekChapter(-1)
  }

  /// Receives where the player is now, a little after its last report. Used for the last record before a stop.
  public mutating func receiveExactPosition(_ seconds: Double, seek: SeekID, generation: Int) {
    guard generation == self.generation, let sound, seek == sound.newestSeek, seconds.isFinite, seconds > position,
      seconds - position < Self.jump
    else { return }
    change { $0.exactPosition = seconds }
  }

  // MARK: Speed and sound

  /// Receives the settings of the podcast that is loaded or about to be loaded.
  public mutating func receive(_ settings: PlaybackSettings, of podcast: PodcastID) {
    own = OwnSettings(podcast: podcast, settings: settings)
  }

  /// Receives what the library now says of the loaded item: another title, or another podcast that its podcast was
  /// merged with. The playing sound stays.
  public mutating func update(_ item: Item) {
    guard let before = self.item, before.episodeID == item.episodeID else { return }
    if let own, own.podcast == before.podcastID, let podcast = item.podcastID {
      self.own = OwnSettings(podcast: podcast, settings: own.settings)
    }
    self.item = item
  }

  /// Applies a changed setting of the loaded podcast.
  /// - Returns: whether the playing speed has changed.
  public mutating func change(_ change: PlaybackSettings.Change, of podcast: PodcastID) -> Bool {
    var settings = own?.podcast == podcast ? own?.settings ?? PlaybackSettings() : PlaybackSettings()
    settings.apply(change)
    return replace(settings, of: podcast)
  }

  /// Replaces the settings of a podcast, if its episode is loaded.
  /// - Returns: whether the speed has changed.
  public mutating func replace(_ settings: PlaybackSettings, of podcast: PodcastID) -> Bool {
    guard item?.podcastID == podcast else { return false }
    own = OwnSettings(podcast: podcast, settings: settings)
    guard isActive, speed(of: settings) != speed else { return false }
    speed = speed(of: settings)
    return true
  }

  /// The speed at which a podcast with these settings is played.
  public func speed(of settings: PlaybackSettings) -> Double { speedOverride ?? settings.speed ?? generalSpeed }

  /// Sets the speed, from 0.5 to 4.
  /// - Returns: true if it is the loaded podcast's own speed, false if it is the general one or the one for everything.
  public mutating func setSpeed(_ speed: Double) -> Bool {
    self.speed = min(4, max(0.5, (speed * 100).rounded() / 100))
    guard speedOverride == nil else {
      speedOverride = self.speed
      return false
    }
    if isActive, playbackSettings.speed != nil {
      own?.settings.speed = self.speed
      return true
    }
    generalSpeed = self.speed
    return false
  }

  /// Percent, 0 to 150.
  public mutating func setVolume(_ percent: Double) { volume = min(150, max(0, percent.rounded())) }

  // MARK: Recording

  /// Records what was heard since the last record, start or seek.
  mutating func recordHeardSpan() -> [SessionEffect] {
    endSpanOfSpeed()
    guard item != nil, let spans = sound?.earlierSpans, !spans.isEmpty else { return [] }
    change { $0.earlierSpans = [] }
    if excerpt != nil { return spans.map { .note(.excerpt(from: $0.start, to: $0.end, speed: $0.speed)) } }
    let total = durationToStore
    let heard = spans.map {
      SessionEffect.note(.event(.play(from: $0.start, to: $0.end, total: total), speed: $0.speed))
    }
    guard let keptPosition else { return heard + takeSavedTime() }
    // Other devices take the end of a span as the position. A further span of length 0 restores the kept position.
    return heard + [.note(.event(.play(from: keptPosition, to: keptPosition, total: total), speed: nil))]
      + takeSavedTime()
  }

  /// Ends the span that was heard at the present speed. It is recorded with its own speed.
  mutating func endSpanOfSpeed() {
    guard let start = sound?.spanStart, position > start else { return }
    let span = HeardSpan(start: start, end: position, speed: speed)
    change {
      $0.earlierSpans.append(span)
      $0.spanStart = span.end
    }
  }

  /// Counts skipped seconds of the item as saved time.
  /// - Parameter speed: the playing speed; nil: the present one.
  mutating func addSavedTime(_ kind: SavedTime.Kind, _ seconds: Double, at speed: Double? = nil) {
    guard seconds.isFinite, seconds > 0 else { return }
    unrecordedSavedTime[kind, default: 0] += seconds / max(0.1, speed ?? self.speed)
  }

  /// The saved time since the last record, in a fixed order. Less than a second stays for the next record.
  private mutating func takeSavedTime() -> [SessionEffect] {
    let due = SavedTime.Kind.allCases.compactMap { kind in
      unrecordedSavedTime[kind].flatMap { $0 >= 1 ? SavedTime(kind, seconds: $0) : nil }
    }
    for saved in due { unrecordedSavedTime[saved.kind] = nil }
    return due.map { .note(.savedTime($0)) }
  }

  /// Saves the position and records what was heard.
  mutating func finishHeardSpan(recording end: ListeningEvent.Kind?) -> [SessionEffect] {
    guard item != nil else { return [] }
    if let exact = sound?.exactPosition, phase == .playing { position = exact }
    guard excerpt == nil else { return recordHeardSpan() }
    let effects = savePosition() + recordHeardSpan()
    return effects + (end.map { [.note(.event($0, speed: nil)), .note(.status(.paused))] } ?? [])
  }

  /// The effect that saves the position. Empty while an excerpt or a kept position must not be overwritten.
  func savePosition() -> [SessionEffect] {
    excerpt == nil && keptPosition == nil ? [.note(.position(seconds: position, total: durationToStore))] : []
  }

  /// A position that can be stored: finite and not negative.
  static func storable(_ seconds: Double) -> Double { seconds.isFinite ? max(0, seconds) : 0 }
}
