import Foundation
import Model

/// What the listener wants of the player, and the record of what was heard.
extension ListeningSession {
  // MARK: What plays

  /// Stands ready to be gone on with.
  public mutating func offer(_ item: Item, at second: Double, duration: Double?) {
    stage = .idle
    self.item = item
    position = Self.place(second)
    self.duration = duration
  }

  /// Something else is to be heard. What was heard before must have been silenced. The item may be nil until it has been
  /// looked up. `left`: how it was left, where that is known already.
  public mutating func load(
    _ item: Item?, at second: Double, duration: Double?, as arrival: Arrival = .resume, left: Left? = nil
  ) {
    // What was heard to its end is not left; nor is a beginning. A step has noted where it leads away from.
    let isLeft = arrival != .step && stage != .finished && position >= EpisodePlace.near
    if isLeft, let here, here.episode != item?.episodeID { jumps.leave(here) }
    fallSilent()
    generation += 1
    stage = .loading
    self.item = item
    self.arrival = arrival
    self.left = left
    held = arrival == .fromStart ? left?.place : nil
    if case .excerpt(let range) = arrival { excerpt = Excerpt(range: range, place: left?.place) }
    // What a library says may be older than its own checks.
    position = Self.place(second)
    self.duration = duration.flatMap(Self.positive)
    chapters = []
    savedSeconds = 0
    unrecordedSavings = [:]
    chosenSkips = [:]
    memory = FileMemory()
  }

  /// The item has been looked up; sound is on its way.
  public mutating func identify(
    _ item: Item, at second: Double, duration: Double?, chapters: [Chapter], left: Left, generation: Int
  ) -> Bool {
    guard generation == self.generation, stage == .loading else { return false }
    self.item = item
    if let intro = playbackSettings.intro, second == intro { spare(.intro, second - position) }
    self.left = left
    excerpt?.place = left.place
    if arrival == .fromStart { held = left.place }
    position = Self.place(second)
    self.duration = duration.flatMap(Self.positive) ?? self.duration
    self.chapters = Self.visible(chapters)
    memory.chapters = self.chapters
    return true
  }

  /// Ends the sound: the place is saved, the stretch that was heard is recorded. A file that never started has moved
  /// nothing: its stored place stays as it is.
  public mutating func silence(recording end: ListeningEvent.Kind?) -> [SessionEffect] {
    let effects = stage == .loading ? [] : closeStretch(recording: phase == .playing ? end : nil)
    fallSilent()
    return effects + [.stopPlayer, .phase(.stopped)]
  }

  /// Nothing is loaded any more, and nothing of what was loaded is left but its name and place.
  mutating func fallSilent() {
    if stage == .loading, let left { position = left.place }
    stage = .idle
    if let excerpt { position = excerpt.place ?? position }
    if let held { position = held }
    excerpt = nil
    held = nil
    waitingSeek = nil
    memory.comparison = .same
  }

  // MARK: Pause and place

  /// Asks the player for it. Until it reports, the key that does the opposite goes by what was asked.
  public mutating func want(paused: Bool, now: Date) -> [SessionEffect] {
    guard let sound else { return [] }
    change { $0.wantedPause = paused }
    let goesOn = !paused && isExcerptOver ? leaveExcerpt(to: position) : []
    guard !paused, rewindsAfterPause, let since = sound.pausedAt else { return goesOn + [.setPaused(paused)] }
    let back = ResumePlace.rewind(after: now.timeIntervalSince(since))
    let place = max(position - back, excerpt?.range.lowerBound ?? 0)
    let rewinding = back > 0 ? seek(to: place) : []
    if back > 0 { sayNothingOfSeek() }
    return goesOn + rewinding + [.setPaused(false)]
  }

  /// Of something that is active: the opposite of what was asked for last.
  public mutating func togglePause(now: Date) -> [SessionEffect] {
    switch stage {
    case .idle, .finished: [.say(.nothingIsPlaying)]
    case .loading: [.say(.stillOpening)]
    case .active(let sound): want(paused: !(sound.wantedPause ?? (sound.pausedAt != nil)), now: now)
    }
  }

  public mutating func seek(to target: Double, as kind: SeekKind = .nudge) -> [SessionEffect] {
    if stage == .loading { return wait(with: .to(Self.place(target), kind)) }
    guard item != nil, sound != nil else { return [.say(.nothingIsPlaying)] }
    let second = min(Self.place(target), duration ?? .greatestFiniteMagnitude)
    var effects = recordStretch()
    if let excerpt {
      if !excerpt.range.contains(second) { effects += leaveExcerpt(to: second) }
    } else {
      effects += leavePlace(to: second, as: kind)
    }
    return effects + go(to: second) + savedPlace()
  }

  /// The listener did not ask for the newest seek: it is not said where that leads.
  mutating func sayNothingOfSeek() { change { $0.sought = nil } }

  private mutating func wait(with seek: WaitingSeek) -> [SessionEffect] {
    waitingSeek = seek
    return [.say(.seeksWhenOpen)]
  }

  /// Does what was asked for while the item was being opened.
  mutating func seekThatWaited() -> [SessionEffect] {
    defer { waitingSeek = nil }
    switch waitingSeek {
    case .to(let target, let kind): return seek(to: target, as: kind)
    case .by(let delta, let kind): return seek(by: delta, as: kind)
    case nil: return []
    }
  }

  /// Seeks, and nothing else.
  mutating func go(to second: Double) -> [SessionEffect] {
    position = second
    seeks += 1
    change {
      $0.newestSeek = $0.newestSeek.next
      $0.sought = second
      $0.stretchStart = second
      $0.exactPosition = nil
    }
    return [.seek(to: second, newestSeek)]
  }

  public mutating func seek(by delta: Double, as kind: SeekKind = .nudge) -> [SessionEffect] {
    guard stage == .loading else { return seek(to: position + delta, as: kind) }
    // Where it will begin may not be known yet.
    switch waitingSeek {
    case .to(let target, _): return wait(with: .to(Self.place(target + delta), kind))
    case .by(let before, _): return wait(with: .by(before + delta, kind))
    case nil: return wait(with: .by(delta, kind))
    }
  }

  public mutating func seekChapter(_ step: Int) -> [SessionEffect] {
    guard !chapters.isEmpty else { return [.say(.noChapters)] }
    let current = chapterIndex ?? -1
    // Going back within the first seconds of a chapter means the one before, as players do.
    let intoChapter = current >= 0 ? position - chapters[current].start : 0
    let target = step < 0 && intoChapter > 3 ? current : current + step
    guard target < chapters.count else { return [.say(.lastChapter)] }
    return seek(to: target < 0 ? 0 : chapters[target].start, as: .stride)
  }

  /// To the chapter before, or to the start of an item without chapters.
  public mutating func goBack() -> [SessionEffect] {
    chapters.isEmpty ? seek(to: 0, as: .stride) : seekChapter(-1)
  }

  /// Where the player is at this moment, a little after its last report: for a last record before it falls silent.
  public mutating func noteExactPosition(_ seconds: Double, seek: SeekID, generation: Int) {
    guard generation == self.generation, let sound, seek == sound.newestSeek, seconds.isFinite, seconds > position,
      seconds - position < Self.jump
    else { return }
    change { $0.exactPosition = seconds }
  }

  // MARK: Speed and sound

  /// The settings of the podcast that is, or is about to be, heard.
  public mutating func receive(_ settings: PlaybackSettings, of podcast: PodcastID) {
    own = OwnSettings(podcast: podcast, settings: settings)
  }

  /// A setting of the podcast that is loaded has been changed. True when the speed is another one now.
  public mutating func change(_ change: PlaybackSettings.Change, of podcast: PodcastID) -> Bool {
    var settings = own?.podcast == podcast ? own?.settings ?? PlaybackSettings() : PlaybackSettings()
    settings.apply(change)
    return replace(settings, of: podcast)
  }

  /// The settings of a podcast are others now. True when the speed is another one, too.
  public mutating func replace(_ settings: PlaybackSettings, of podcast: PodcastID) -> Bool {
    guard item?.podcastID == podcast else { return false }
    own = OwnSettings(podcast: podcast, settings: settings)
    guard isActive, speed(of: settings) != speed else { return false }
    speed = speed(of: settings)
    return true
  }

  /// How fast a podcast with these settings is heard.
  public func speed(of settings: PlaybackSettings) -> Double { wantedSpeed ?? settings.speed ?? generalSpeed }

  /// 0.5 to 4. True when it is the speed of this podcast alone, which has one of its own.
  public mutating func setSpeed(_ speed: Double) -> Bool {
    self.speed = min(4, max(0.5, (speed * 100).rounded() / 100))
    if isActive, playbackSettings.speed != nil {
      own?.settings.speed = self.speed
      return true
    }
    generalSpeed = self.speed
    return false
  }

  /// 0.5 to 4: for this and all that is played after it, whatever their podcasts say.
  public mutating func setSpeedOfAll(_ speed: Double) {
    self.speed = min(4, max(0.5, speed))
    wantedSpeed = self.speed
  }

  /// Percent, 0 to 150.
  public mutating func setVolume(_ percent: Double) { volume = min(150, max(0, percent.rounded())) }

  // MARK: What was heard

  /// Records what was heard since the last record, start or seek.
  mutating func recordStretch() -> [SessionEffect] {
    guard item != nil, let from = sound?.stretchStart, position > from else { return [] }
    let end = position
    change { $0.stretchStart = end }
    if excerpt != nil { return [.heardExcerpt(from: from, to: end, speed: speed)] }
    let heard = SessionEffect.record(.play(from: from, to: position, total: duration), speed: speed)
    guard let held else { return [heard] + takeSavings() }
    // A stretch tells other devices where the listener is, and one without length puts that right.
    return [heard, .record(.play(from: held, to: held, total: duration), speed: nil)] + takeSavings()
  }

  /// Seconds of the item are passed over.
  mutating func spare(_ kind: Saving.Kind, _ seconds: Double) {
    guard seconds.isFinite, seconds > 0 else { return }
    unrecordedSavings[kind, default: 0] += seconds / max(0.1, speed)
  }

  /// What was spared since the last record, in a fixed order; less than a second waits for more.
  private mutating func takeSavings() -> [SessionEffect] {
    let due = Saving.Kind.allCases.compactMap { kind in
      unrecordedSavings[kind].flatMap { $0 >= 1 ? Saving(kind, seconds: $0) : nil }
    }
    for saving in due { unrecordedSavings[saving.kind] = nil }
    return due.map { .spared($0) }
  }

  /// Saves the place and records what was heard.
  mutating func closeStretch(recording end: ListeningEvent.Kind?) -> [SessionEffect] {
    guard item != nil else { return [] }
    if let exact = sound?.exactPosition, phase == .playing { position = exact }
    guard excerpt == nil else { return recordStretch() }
    let effects = savedPlace() + recordStretch()
    return effects + (end.map { [.record($0, speed: nil), .setStatus(.paused)] } ?? [])
  }

  /// The place, to be stored, unless what is heard does not move it.
  func savedPlace() -> [SessionEffect] {
    excerpt == nil && held == nil ? [.savePosition(seconds: position, total: duration)] : []
  }

  /// A place that can be saved, whatever a file or a library says.
  static func place(_ seconds: Double) -> Double { seconds.isFinite ? max(0, seconds) : 0 }
}
