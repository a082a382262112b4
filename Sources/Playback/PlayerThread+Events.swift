import Foundation
import Model

extension PlayerThread {
  func handle(_ event: MpvEvent, on core: MpvCore) {
    guard let file = active else {
      noteOfUpcoming(event)
      return
    }
    switch event {
    case .startFile(let entry): if entry == file.entry { active?.isStarted = true }
    case .fileLoaded: if file.isStarted, !file.isLoaded { fileHasOpened(file, on: core) }
    case .playbackRestart: if file.isLoaded { soundHasCome(on: core) }
    case .property(let property, let value): if file.isLoaded { handle(property, value, on: core) }
    case .log(let line):
      note(line)
      if file.isLoaded, reopenIfAstray(inMidSeek: true, on: core) || reopenIfRefused(on: core) { return }
      if !file.isLoaded, active?.reason.hasTriedEnough == true {
        fail(code: 0, text: line.text, on: core)
        core.stop()
      }
    case .endFile(let entry, let reason): if entry == file.entry { fileHasEnded(reason, on: core) }
    case .none, .shutDown, .other: break
    }
  }

  /// At the start, or after a seek.
  func soundHasCome(on core: MpvCore) {
    guard let file = active else { return }
    active?.reason.soundCame()
    active?.network.soundCame()
    hearLog(of: core)
    guard !reopenIfAstray(inMidSeek: false, on: core), !reopenIfRefused(on: core) else { return }
    active?.isReopenedAfterRefusal = false
    if file.isHeld { release(file, on: core) }
    if file.outage != nil { emit(active?.tracker.changedWaiting(false)) }
    emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
  }

  private func hearLog(of core: MpvCore) { for line in core.logged() { note(line) } }

  private func note(_ line: LogLine) {
    // The active file has been read to its end: nothing but the next one can go wrong.
    guard upcoming?.stage != .appended else {
      upcoming?.file.note(line, now: now)
      return
    }
    active?.note(line, now: now)
  }

  private func handle(_ property: MpvProperty, _ value: MpvValue, on core: MpvCore) {
    switch property {
    case .position:
      guard let seconds = value.number else { return }
      emit(active?.tracker.changedPosition(seconds, now: now))
      appendUpcomingIfReady(on: core)
    case .duration: if active?.hasLength == true { emit(active?.tracker.changedDuration(value.number, now: now)) }
    case .isPaused:
      // Not what we asked for: it was held (see `ActiveFile.isHeld`), or another change is on its way.
      guard let isPaused = value.bool, isPaused == active?.isPaused else { return }
      emit(active?.tracker.changedPause(isPaused, at: core.value(of: .position).number, now: now))
    case .isPausedForCache: emit(active?.tracker.changedWaiting(value.bool ?? false))
    case .bufferedUntil:
      guard let seconds = value.number, case .http = active?.source else { return }
      active?.network.dataCame(now: now)
      emit(active?.tracker.changedBuffer(until: seconds, now: now))
    case .chapters: emit(active?.tracker.changedChapters(FileChapters.read(value)))
    // Only we change them, and tell what was asked for: silence and fading out change them besides.
    case .speed, .volume: break
    case .isAtEnd: if value.bool == true { endIfOver(on: core) }
    }
  }

  func fileHasOpened(_ file: ActiveFile, on core: MpvCore) {
    active?.isLoaded = true
    // What was said up to here may have been of the file before.
    active?.reason.seekBegins()
    guard !file.isTold else {
      reconcile(file, on: core)
      return
    }
    active?.isTold = true
    let isStream = if case .http = file.source { true } else { false }
    let duration = Self.length(of: file, on: core)
    active?.hasLength = duration != nil
    active?.isBroadcast = isStream && duration == nil && Self.isStation(core)
    let isSeekable = core.value(of: "seekable").bool ?? false
    emit(
      active?.tracker.opened(
        at: file.request.start, duration: duration, isSeekable: isSeekable || isStream && duration != nil,
        isPaused: file.isPaused, chapters: FileChapters.read(core.value(of: .chapters)), isLocal: !isStream, now: now))
    if isStream, !isSeekable, duration != nil, file.request.start > 0 {
      // mpv ignores the start then, and would play from the beginning.
      reopen(at: file.pendingSeek ?? file.request.start, seeking: .readThrough, on: core)
    } else {
      reconcile(file, on: core)
    }
  }

  /// A fast seek went where nobody knows: the file is opened once more, and places are found by reading up to them.
  ///
  /// - Parameter inMidSeek: mpv may not be able to say how fast the file is; it is asked again when sound comes.
  private func reopenIfAstray(inMidSeek: Bool, on core: MpvCore) -> Bool {
    guard let file = active, file.seeking == .fast else { return false }
    let rate = core.value(of: "current-tracks/audio/demux-bitrate").number
    guard rate != nil || !inMidSeek, file.doubt.isAstray(averageRate: rate) else { return false }
    reopen(at: file.pendingSeek ?? file.tracker.position ?? file.request.start, seeking: .indexed, on: core)
    return true
  }

  /// A seek found a closed door: the file has been moved or exchanged, or a token's time is over. It is opened once more
  /// from its start, which tells.
  private func reopenIfRefused(on core: MpvCore) -> Bool {
    guard let file = active, file.tracker.isSeeking, file.reason.isPlaceRefused else { return false }
    let place = file.pendingSeek ?? file.tracker.position ?? file.request.start
    if file.isReopenedAfterRefusal {
      finish(
        with: .failed(generation: file.request.generation, seconds: place, message: "\(cause(of: file))"), at: place)
      core.stop()
    } else {
      reopen(at: place, seeking: file.seeking, on: core)
      active?.isReopenedAfterRefusal = true
    }
    return true
  }

  /// The duration, if the file says it or its size does. For a stream of unknown size mpv takes the end of what has
  /// arrived: a duration of the container lies far behind that.
  private static func length(of file: ActiveFile, on core: MpvCore) -> Double? {
    guard let duration = core.value(of: .duration).number else { return nil }
    guard case .http = file.source, core.value(of: "file-size").number == nil else { return duration }
    return duration > (core.value(of: .bufferedUntil).number ?? 0) + 1 ? duration : nil
  }

  /// Whether the server has sent headers of the SHOUTcast protocol (`icy-name` and its like), which FFmpeg hands on.
  private static func isStation(_ core: MpvCore) -> Bool {
    guard case .map(let tags) = core.value(of: "metadata") else { return false }
    return tags.contains { $0.key.lowercased().hasPrefix("icy-") }
  }

  /// Does what was asked for while the file was being opened.
  private func reconcile(_ file: ActiveFile, on core: MpvCore) {
    if !file.isHeld, file.isPaused != file.request.isPaused { core.set(.isPaused, to: .flag(file.isPaused)) }
    if file.speed != file.request.speed { core.set(.speed, to: .double(file.speed)) }
    if file.effectiveVolume != file.request.volume { core.set(.volume, to: .double(file.effectiveVolume)) }
    if file.sound != file.request.sound { core.set("af", to: .string(file.sound.filters)) }
    active?.pendingSeek = nil
    if let speed = file.speed.clamped(to: PlayRequest.speeds) { tellSpeed(speed) }
    if let percent = file.volume.clamped(to: PlayRequest.volumes) { tellVolume(percent) }
    if let seconds = file.pendingSeek { seek(to: seconds, on: core) }
  }

  /// The place is the one that was asked for: let it be heard.
  private func release(_ file: ActiveFile, on core: MpvCore) {
    active?.isHeld = false
    if !file.isPaused { core.set(.isPaused, to: .flag(false)) }
  }

  /// Asks mpv, whatever it has told: that may have been of the file before. With another one behind it mpv goes on to
  /// that, and says so; and a pause at the end is no end.
  func endIfOver(on core: MpvCore) {
    guard active?.isPaused == false, upcoming?.stage != .appended, core.value(of: .isAtEnd).bool == true else { return }
    fileHasEnded(on: core)
  }

  /// No more sound comes, and the file is still open (keep-open). mpv says so when the last samples are on their way to
  /// the device (`gapless-audio`), up to 0.4 s before they are heard: to close the file now would cut them off.
  private func fileHasEnded(on core: MpvCore) {
    guard let file = active else { return }
    let end = core.value(of: .position).number ?? 0
    active?.heardAt =
      options.output.isTimed ? now + file.tracker.unheard(until: end, speed: file.effectiveSpeed, now: now) : now
  }

  /// The last sample has been heard.
  func fileIsOver(on core: MpvCore) {
    hearLog(of: core)
    guard let file = active else { return }
    if file.silence.isSilent { countSilence(all: true) }
    var position = file.tracker.position ?? file.request.start
    if !file.tracker.isSeeking, let seconds = core.value(of: .position).number { position = seconds }
    let duration = file.hasLength ? core.value(of: .duration).number : nil
    conclude(evidence(at: position, duration: duration, of: file, on: core), of: file, on: core)
    core.stop()
  }

  /// What is known of the end of a file that is still open.
  func evidence(at position: Double, duration: Double?, of file: ActiveFile, on core: MpvCore) -> EndEvidence {
    var evidence = Self.evidence(at: position, duration: duration, of: file)
    if case .integer(let bytes) = core.value(of: "stream-pos") { evidence.bytesRead = bytes }
    if case .integer(let bytes) = core.value(of: "file-size") { evidence.size = bytes }
    return evidence
  }

  private static func evidence(at position: Double, duration: Double?, of file: ActiveFile) -> EndEvidence {
    EndEvidence(
      position: position, duration: duration, requestedEnd: file.request.end,
      isDurationEstimated: file.reason.isDurationEstimated, hasStreamError: file.reason.hasStreamError)
  }

  private func fileHasEnded(_ reason: MpvEvent.EndReason, on core: MpvCore) {
    guard let file = active else { return }
    if upcoming?.stage == .appended {
      guard reason != .endOfFile else { return goOnToUpcoming() }
      core.stop()
    }
    switch reason {
    case .endOfFile, .stopped:
      // Not from our `stop`, after which there is no active file; and keep-open should have held it.
      let position = file.tracker.position ?? file.request.start
      conclude(Self.evidence(at: position, duration: file.tracker.duration, of: file), of: file, on: core)
    case .error(let code, let text): fail(code: code, text: text, on: core)
    case .redirected: fail(code: 0, text: "this is a playlist, not audio", on: core)
    }
  }

  private func conclude(_ evidence: EndEvidence, of file: ActiveFile, on core: MpvCore) {
    let generation = file.request.generation
    // A station has no end.
    switch file.isBroadcast ? .cut : evidence.verdict {
    case .ended(let atEnd):
      finish(with: .ended(generation: generation, seconds: evidence.position, atEnd: atEnd), at: evidence.position)
    case .cut:
      var cause = self.cause(of: file)
      if file.isBroadcast, !cause.isPassing { cause = .unreachable("it closed the connection") }
      if file.reason.hasStreamError || file.isBroadcast || trouble(of: file) != nil,
        waitsForNetwork(at: evidence.position, because: cause, on: core)
      {
        return
      }
      let error: PlaybackError =
        if case .file = file.source { .incomplete(at: evidence.position, of: evidence.duration) } else {
          .brokeOff(at: evidence.position, of: evidence.duration)
        }
      finish(
        with: .failed(generation: generation, seconds: evidence.position, message: "\(error)"), at: evidence.position)
    }
  }

  /// Why it cannot be played: as the one who fetches it knows, else as mpv and FFmpeg say.
  func cause(of file: ActiveFile, code: Int32 = 0, text: String = "") -> PlaybackError {
    trouble(of: file) ?? file.reason.error(code: code, text: text)
  }

  private func trouble(of file: ActiveFile) -> PlaybackError? {
    guard case .http(let address) = file.source else { return nil }
    return options.streams?.trouble(with: address).map { PlaybackError($0) }
  }

  private func fail(code: Int32, text: String, on core: MpvCore) {
    guard let file = active else { return }
    let error = cause(of: file, code: code, text: text)
    if error == .noSoundDevice, leaveDevice(on: core) {
      return reopen(
        at: file.pendingSeek ?? file.tracker.position ?? file.request.start, seeking: file.seeking, on: core)
    }
    let seconds = file.tracker.position
    if file.outage != nil, let seconds, waitsForNetwork(at: seconds, because: error, on: core) { return }
    finish(with: .failed(generation: file.request.generation, seconds: seconds, message: "\(error)"), at: seconds)
  }
}
