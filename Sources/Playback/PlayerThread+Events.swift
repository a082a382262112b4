import Foundation
import Model

extension PlayerThread {
  func handle(_ event: MpvEvent, on core: MpvCore) {
    guard let file = active else {
      handleUpcoming(event)
      return
    }
    switch (event, file.stage) {
    case (.startFile(file.opening.entry), .opening(_, let then)):
      active?.stage = .opening(hasBegun: true, then: then)
    case (.fileLoaded, .opening(hasBegun: true, _)): fileOpened(on: core)
    case (.replied(let tag, _), _): active?.seekAccepted(tag)
    case (.seek, _): active?.seekStarted()
    case (.playbackRestart, .open): if file.isSoundExpected { soundHasStarted(on: core) }
    case (.property(let property, let value), .open): handle(property, value, on: core)
    case (.log(let line), let stage):
      read(line)
      switch stage {
      case .open: _ = reopenIfSeekIsUnreliable(inMidSeek: true, on: core) || reopenIfRefused(on: core)
      case .opening where active?.reason.hasExhaustedRetries == true:
        fail(code: 0, text: line.text, on: core)
        core.stop()
      case .opening, .offline: break
      }
    // A file that ends during an outage has been handled before.
    case (.endFile, .offline): break
    case (.endFile(file.opening.entry, let reason), _): fileEnded(reason, on: core)
    default: break
    }
  }

  /// Sound starts, after opening or after a seek.
  func soundHasStarted(on core: MpvCore) {
    guard let file = active else { return }
    active?.reason.soundStarts()
    // mpv also reports this at the end of what could be read. Then the connection is still broken.
    let isAtEnd = core.value(of: .isAtEnd).bool == true
    if !isAtEnd { active?.network.soundStarted() }
    drainLog(of: core)
    guard !reopenIfSeekIsUnreliable(inMidSeek: false, on: core), !reopenIfRefused(on: core), !reopenIfChained(on: core)
    else { return }
    active?.opening.isAfterRefusal = false
    active?.seekReliability.soundStarted(at: file.wantedPosition)
    // The sound may have started at the very end. mpv does not report the end a second time.
    active?.stage = .open(.maybeEnded)
    // The file was held, or mpv has paused itself at the end before a seek.
    if !file.wanted.isPaused, file.isHeld || !isAtEnd && core.value(of: .isPaused).bool == true {
      core.set(.isPaused, to: .flag(false))
    }
    if file.outage != nil { emit(active?.tracker.changedWaiting(false)) }
    emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
  }

  func drainLog(of core: MpvCore) { for line in core.logged() { read(line) } }

  private func read(_ line: LogLine) {
    // The active file has been read completely, so the line can only concern the next file.
    guard upcoming?.isAppended != true else {
      upcoming?.file.read(line, now: now)
      return
    }
    active?.read(line, now: now)
  }

  private func handle(_ property: MpvProperty, _ value: MpvValue, on core: MpvCore) {
    switch property {
    case .position:
      guard let seconds = value.number else { return }
      emit(active?.tracker.changedPosition(seconds, now: now))
      if active?.tracker.hasPlayed(before: seconds) == true { active?.soundMoved(to: seconds) }
      appendUpcomingIfReady(on: core)
    case .duration:
      if active?.hasReliableDuration == true { emit(active?.tracker.changedDuration(value.number, now: now)) }
    case .isPaused:
      // A different value comes from holding the file (see `ActiveFile.Opening`), from mpv at the end of the file
      // (keep-open-pause), or from an older change.
      guard let isPaused = value.bool, isPaused == active?.wanted.isPaused else { return }
      let position = exactPosition(on: core)
      emit(active?.tracker.changedPause(isPaused, at: position, now: now))
    case .isPausedForCache: emit(active?.tracker.changedWaiting(value.bool ?? false))
    case .bufferedUntil:
      guard let seconds = value.number, active?.source.isStream == true else { return }
      active?.network.dataArrived(now: now)
      emit(active?.tracker.changedBuffer(until: seconds, now: now))
    case .chapters:
      emit(active?.tracker.changedChapters(FileChapters.read(value, tags: core.value(of: "metadata"))))
    // Only the player changes them, and it reports what was requested. Silence skipping and fades also change mpv's
    // values.
    case .speed, .volume: break
    case .isAtEnd: if value.bool == true { active?.suspectEnd() }
    }
  }

  func fileOpened(on core: MpvCore) {
    guard let file = active else { return }
    active?.stage = .open(.pending(.sound, isHeld: file.opening.isHeld))
    active?.size = core.fileSize ?? file.size
    // Earlier log lines may belong to the previous file.
    active?.reason.seekStarts()
    // mpv delivers the log lines of opening after this event.
    drainLog(of: core)
    let isSeekable = core.value(of: "seekable").bool ?? false
    // mpv ignores a start position that it cannot seek to, and would play from the beginning.
    let isOutOfReach = file.source.isStream && !isSeekable && file.request.start > 0
    let target = file.pendingPosition ?? file.request.start
    guard file.kind == nil else {
      if reopenIfChained(on: core) { return }
      // After an interruption, a server without byte ranges sends the file from its beginning.
      if isOutOfReach, [.fast, .indexed].contains(file.opening.seeking) {
        reopen(at: target, seeking: .readThrough, on: core)
      } else {
        reconcile(file, on: core)
      }
      return
    }
    let isStream = file.source.isStream
    // FFmpeg asks for the end of the file. If the servers behind one address give it different validators, the relay
    // refuses that once, and FFmpeg takes the file for one without an end. The log line may have come before.
    let isRefused = file.reason.isSeekRefused || active?.reason.isSeekRefused == true
    let duration = core.duration(isStream: isStream)
    if isStream, duration == nil, isRefused, !file.opening.isAfterRefusal {
      return reopen(at: target, seeking: file.opening.seeking, isAfterRefusal: true, on: core)
    }
    if file.source.isChained(in: options.streams) { active?.seekReliability.foundChain() }
    let isChained = active?.seekReliability.isChained == true
    active?.kind = duration != nil || isChained ? .whole : isStream && Self.isStation(core) ? .station : .live
    // A chained file's duration is that of the first stream.
    let isReliable =
      !isChained && core.isDurationReliable(active?.reason ?? file.reason, evidence(of: file, on: core))
    active?.isDurationReliable = isReliable
    let isNearStart = file.request.start < Self.nearStart
    if isOutOfReach, active?.kind == .live, file.request.seekFallback == .ask, !isNearStart {
      finish(
        with: .unreachable(generation: file.request.generation, seconds: file.request.start), at: file.request.start)
      core.stop()
      return
    }
    let isReadUpTo = active?.kind == .whole || active?.kind == .live && file.request.seekFallback == .readThrough
    emit(
      active?.tracker.opened(
        at: file.request.start, duration: isReliable ? duration : nil,
        isSeekable: isSeekable || isChained || isStream && duration != nil, isPaused: file.wanted.isPaused,
        chapters: FileChapters.read(core.value(of: .chapters), tags: core.value(of: "metadata")), isLocal: !isStream,
        now: now))
    if reopenIfChained(on: core) { return }
    if isOutOfReach, isReadUpTo {
      reopen(at: target, seeking: .readThrough, on: core)
    } else {
      reconcile(file, on: core)
    }
  }

  /// Reopens a chained file that was opened as any other. True if it did.
  private func reopenIfChained(on core: MpvCore) -> Bool {
    guard let file = active, file.seekReliability.isChained, file.opening.seeking != .decodeThrough else {
      return false
    }
    var position = file.wantedPosition
    if !file.isHeld {
      // The sound may have begun. It must not be heard twice.
      core.set(.isPaused, to: .flag(true))
      position = max(position, core.value(of: .position).number ?? 0)
    }
    reopen(at: position, seeking: .decodeThrough, on: core)
    return true
  }

  /// Seconds. A start position this close to the beginning is played from the beginning without asking.
  private static let nearStart = 10.0

  /// Reopens the file if a fast seek may have landed in the wrong position, and seeks by reading from then on.
  ///
  /// - Parameter inMidSeek: during a seek, mpv may not know the bit rate yet. The check is repeated when sound
  ///   starts.
  private func reopenIfSeekIsUnreliable(inMidSeek: Bool, on core: MpvCore) -> Bool {
    guard let file = active, file.opening.seeking == .fast else { return false }
    let evidence = evidence(of: file, on: core)
    guard evidence.averageRate != nil || !inMidSeek,
      file.seekReliability.isUnreliable(at: file.wantedPosition, evidence)
    else { return false }
    if file.reason.isDurationEstimated, evidence.timing?.durationAtConstantRate == nil {
      active?.isDurationReliable = false
    }
    reopen(at: file.wantedPosition, seeking: .indexed, on: core)
    return true
  }

  private func evidence(of file: ActiveFile, on core: MpvCore) -> SeekReliability.Evidence {
    SeekReliability.Evidence(
      averageRate: core.averageRate, timing: file.source.timing(in: options.streams),
      duration: core.value(of: .duration).number, feedDuration: file.request.feedDuration)
  }

  /// Reopens the file if the server refused a seek. The file may have moved or changed, or a token may have expired;
  /// a new request shows which.
  private func reopenIfRefused(on core: MpvCore) -> Bool {
    guard let file = active, file.tracker.isSeeking, file.reason.isSeekRefused else { return false }
    let position = file.wantedPosition
    // Position 0 needs no seek, because it came with opening the file. The refused request was for a later part, and
    // what has arrived before it can be played.
    guard position > 0 else { return false }
    if file.opening.isAfterRefusal {
      finish(
        with: .failed(generation: file.request.generation, seconds: position, message: "\(cause(of: file))"),
        at: position)
      core.stop()
    } else {
      reopen(at: position, seeking: file.opening.seeking, isAfterRefusal: true, on: core)
    }
    return true
  }

  /// Whether the server sent SHOUTcast headers (such as `icy-name`), which FFmpeg passes on as metadata.
  private static func isStation(_ core: MpvCore) -> Bool {
    guard case .map(let tags) = core.value(of: "metadata") else { return false }
    return tags.contains { $0.key.lowercased().hasPrefix("icy-") }
  }

  /// Applies the changes that were requested while the file was being opened.
  private func reconcile(_ file: ActiveFile, on core: MpvCore) {
    let (wanted, request) = (file.wanted, file.request)
    if !file.opening.isHeld, wanted.isPaused != request.isPaused { core.set(.isPaused, to: .flag(wanted.isPaused)) }
    if wanted.speed != request.speed { core.set(.speed, to: .double(wanted.speed)) }
    if file.effectiveVolume != request.volume { core.set(.volume, to: .double(file.effectiveVolume)) }
    if wanted.sound != request.sound { core.set("af", to: .string(file.filters(for: wanted.sound))) }
    if let speed = wanted.speed.clamped(to: PlayRequest.speeds) { reportSpeed(speed) }
    if let percent = wanted.volume.clamped(to: PlayRequest.volumes) { reportVolume(percent) }
    if let target = file.pendingPosition { seek(to: target, on: core) }
  }

}
