import Foundation
import Model

extension PlayerThread {
  func handle(_ event: MpvEvent, on core: MpvCore) {
    guard let file = active else {
      noteOfUpcoming(event)
      return
    }
    switch (event, file.stage) {
    case (.startFile(file.opening.entry), .opening(_, let then)):
      active?.stage = .opening(hasBegun: true, then: then)
    case (.fileLoaded, .opening(hasBegun: true, _)): fileHasOpened(on: core)
    case (.replied(let tag, _), _): active?.seekWasTaken(tag)
    case (.seek, _): active?.seekHasBegun()
    case (.playbackRestart, .open): if file.isSoundExpected { soundHasCome(on: core) }
    case (.property(let property, let value), .open): handle(property, value, on: core)
    case (.log(let line), let stage):
      note(line)
      switch stage {
      case .open: _ = reopenIfAstray(inMidSeek: true, on: core) || reopenIfRefused(on: core)
      case .opening where active?.reason.hasTriedEnough == true:
        fail(code: 0, text: line.text, on: core)
        core.stop()
      case .opening, .away: break
      }
    // What ends while the network is away was open before.
    case (.endFile, .away): break
    case (.endFile(file.opening.entry, let reason), _): fileHasEnded(reason, on: core)
    default: break
    }
  }

  /// At the start, or after a seek.
  func soundHasCome(on core: MpvCore) {
    guard let file = active else { return }
    // mpv says so at the end of what could be read, too: then nothing has been overcome.
    if core.value(of: .isAtEnd).bool != true {
      active?.reason.soundCame()
      active?.network.soundCame()
    }
    hearLog(of: core)
    guard !reopenIfAstray(inMidSeek: false, on: core), !reopenIfRefused(on: core) else { return }
    active?.opening.isAfterRefusal = false
    // It may have come at the end, where no more follows; mpv does not say so twice.
    active?.stage = .open(.perhapsOver)
    if file.isHeld, !file.isPaused { core.set(.isPaused, to: .flag(false)) }
    if file.outage != nil { emit(active?.tracker.changedWaiting(false)) }
    emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
  }

  func hearLog(of core: MpvCore) { for line in core.logged() { note(line) } }

  private func note(_ line: LogLine) {
    // The active file has been read to its end: nothing but the next one can go wrong.
    guard upcoming?.isAppended != true else {
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
      // Not what we asked for: it was held (see `ActiveFile.Opening`), or another change is on its way.
      guard let isPaused = value.bool, isPaused == active?.isPaused else { return }
      let place = exactPosition(on: core)
      emit(active?.tracker.changedPause(isPaused, at: place, now: now))
    case .isPausedForCache: emit(active?.tracker.changedWaiting(value.bool ?? false))
    case .bufferedUntil:
      guard let seconds = value.number, case .http = active?.source else { return }
      active?.network.dataCame(now: now)
      emit(active?.tracker.changedBuffer(until: seconds, now: now))
    case .chapters: emit(active?.tracker.changedChapters(FileChapters.read(value)))
    // Only we change them, and tell what was asked for: silence and fading out change them besides.
    case .speed, .volume: break
    case .isAtEnd: if value.bool == true { active?.mayBeOver() }
    }
  }

  func fileHasOpened(on core: MpvCore) {
    guard let file = active else { return }
    active?.stage = .open(.awaited(.sound, isHeld: file.opening.isHeld))
    // What was said up to here may have been of the file before.
    active?.reason.seekBegins()
    guard file.kind == nil else {
      reconcile(file, on: core)
      return
    }
    let isStream = if case .http = file.source { true } else { false }
    let duration = Self.length(of: file, on: core)
    active?.kind = duration != nil ? .whole : isStream && Self.isStation(core) ? .station : .live
    let isSeekable = core.value(of: "seekable").bool ?? false
    // mpv ignores a start that it cannot seek, and would play from the beginning.
    let isOutOfReach = isStream && !isSeekable && file.request.start > 0
    let isNearStart = file.request.start < Self.nearStart
    if isOutOfReach, active?.kind == .live, file.request.reach == .ask, !isNearStart {
      finish(
        with: .unreachable(generation: file.request.generation, seconds: file.request.start), at: file.request.start)
      core.stop()
      return
    }
    let isReadUpTo = active?.kind == .whole || active?.kind == .live && file.request.reach == .readThrough
    emit(
      active?.tracker.opened(
        at: file.request.start, duration: duration, isSeekable: isSeekable || isStream && duration != nil,
        isPaused: file.isPaused, chapters: FileChapters.read(core.value(of: .chapters)), isLocal: !isStream, now: now))
    if isOutOfReach, isReadUpTo {
      reopen(at: file.pendingPlace ?? file.request.start, seeking: .readThrough, on: core)
    } else {
      reconcile(file, on: core)
    }
  }

  /// Seconds. So little is heard again without a question.
  private static let nearStart = 10.0

  /// A fast seek went where nobody knows: the file is opened once more, and places are found by reading up to them.
  ///
  /// - Parameter inMidSeek: mpv may not be able to say how fast the file is; it is asked again when sound comes.
  private func reopenIfAstray(inMidSeek: Bool, on core: MpvCore) -> Bool {
    guard let file = active, file.opening.seeking == .fast else { return false }
    let rate = core.value(of: "current-tracks/audio/demux-bitrate").number
    guard rate != nil || !inMidSeek, file.doubt.isAstray(averageRate: rate) else { return false }
    reopen(at: file.wantedPlace, seeking: .indexed, on: core)
    return true
  }

  /// A seek found a closed door: the file has been moved or exchanged, or a token's time is over. It is opened once more
  /// from its start, which tells.
  private func reopenIfRefused(on core: MpvCore) -> Bool {
    guard let file = active, file.tracker.isSeeking, file.reason.isPlaceRefused else { return false }
    let place = file.wantedPlace
    // The start is not sought: it came when the file was opened. What was refused lies further on, and what has come up to
    // there can be heard.
    guard place > 0 else { return false }
    if file.opening.isAfterRefusal {
      finish(
        with: .failed(generation: file.request.generation, seconds: place, message: "\(cause(of: file))"), at: place)
      core.stop()
    } else {
      reopen(at: place, seeking: file.opening.seeking, isAfterRefusal: true, on: core)
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

  /// Does what was asked for while the file, as it was then, was being opened.
  private func reconcile(_ file: ActiveFile, on core: MpvCore) {
    if !file.opening.isHeld, file.isPaused != file.request.isPaused { core.set(.isPaused, to: .flag(file.isPaused)) }
    if file.speed != file.request.speed { core.set(.speed, to: .double(file.speed)) }
    if file.effectiveVolume != file.request.volume { core.set(.volume, to: .double(file.effectiveVolume)) }
    if file.sound != file.request.sound { core.set("af", to: .string(file.sound.filters)) }
    if let speed = file.speed.clamped(to: PlayRequest.speeds) { tellSpeed(speed) }
    if let percent = file.volume.clamped(to: PlayRequest.volumes) { tellVolume(percent) }
    if let place = file.pendingPlace { seek(to: place, on: core) }
  }

}
