import Foundation
import Model

extension PlayerThread {
  /// Runs the commands. False when the player must shut down.
  func run(_ commands: [PlayerCommand], on core: MpvCore) -> Bool {
    for command in commands {
      switch command {
      case .load(let request): load(request, on: core)
      case .prepare(let request): prepare(request, on: core)
      case .setPaused(let isPaused): setPaused(isPaused, on: core)
      case .seek(let seconds, let id):
        active?.tracker.seek = id
        seek(to: seconds, on: core)
      case .setSpeed(let speed): if let speed = speed.clamped(to: PlayRequest.speeds) { setSpeed(speed, on: core) }
      case .setVolume(let percent):
        guard let percent = percent.clamped(to: PlayRequest.volumes) else { continue }
        active?.wanted.volume = percent
        guard let file = active, file.isOpen else { continue }
        core.set(.volume, to: .double(file.effectiveVolume))
        reportVolume(percent)
      case .setFade(let share):
        guard let share = share.clamped(to: 0...1) else { continue }
        active?.fade = share
        if let file = active, file.isOpen { core.set(.volume, to: .double(file.effectiveVolume)) }
      case .setSound(let sound): setSound(sound, on: core)
      case .setDevice(let name): core.set("audio-device", to: .string(name))
      case .listDevices: listDevices(on: core)
      case .warmUp: break
      case .stop: stop(on: core)
      case .shutDown:
        recordExactPosition(on: core)
        return false
      }
    }
    return true
  }

  private func load(_ request: PlayRequest, on core: MpvCore) {
    guard !switchToUpcoming(with: request, on: core) else { return }
    active = nil
    cancelUpcoming(on: core)
    do throws(PlaybackError) {
      let source = try MediaSource(request)
      var file = ActiveFile(request: request, source: source)
      file.opening.entry = try open(request, source, file.opening, on: core)
      active = file
    } catch {
      core.stop()
      emit(
        .failed(
          generation: request.generation, seconds: nil, message: "\(error)", concernsFile: error.concernsFile))
    }
  }

  /// Asks mpv to open a file, as `MpvCore.load`.
  func open(
    _ request: PlayRequest, _ source: MediaSource, _ opening: ActiveFile.Opening, behind: Bool = false,
    on core: MpvCore
  ) throws(PlaybackError) -> Int64 {
    for option in source.options(seeking: opening.seeking) { core.set(option.key, to: .string(option.value)) }
    let address = source.address(through: options.streams, seeking: opening.seeking)
    return try core.load(address, LoadArguments.options(request, opening), behind: behind)
  }

  /// Opens the active file again at another position. This is how to seek if the server has no byte ranges or if fast
  /// seeks are unreliable.
  func reopen(at seconds: Double, seeking: SeekStrategy, isAfterRefusal: Bool = false, on core: MpvCore) {
    guard let file = active else { return }
    let request = file.request(from: seconds)
    // `loadfile` with "replace" clears mpv's playlist.
    upcoming?.stage = .planned
    do throws(PlaybackError) {
      var opening = ActiveFile.Opening(seeking: seeking, isAfterRefusal: isAfterRefusal)
      opening.entry = try open(request, file.source, opening, on: core)
      active?.markReopened(with: request, opening)
      emit(active?.tracker.seekStarted(to: seconds, now: now))
    } catch {
      emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
    }
  }

  private func setPaused(_ isPaused: Bool, on core: MpvCore) {
    // Counts the skipped silence up to now. The filter reports again when playback continues.
    if isPaused {
      endSilence(on: core)
      active?.cancelSuspectedEnd()
    }
    active?.wanted.isPaused = isPaused
    guard active?.isOpen == true else {
      // While the file is being reopened, mpv reports no pause.
      if active?.kind != nil { emit(active?.tracker.changedPause(isPaused, at: nil, now: now)) }
      return
    }
    if active?.isHeld == false { core.set(.isPaused, to: .flag(isPaused)) }
    // mpv does not report a change that is reverted before the event is read, so the change is reported from here.
    let position = exactPosition(on: core)
    emit(active?.tracker.changedPause(isPaused, at: position, now: now))
    // A seek to the end during a pause does not end the file. Unpausing does.
    if !isPaused { active?.suspectEnd() }
  }

  func seek(to seconds: Double, on core: MpvCore) {
    guard let file = active else { return }
    guard file.isOpen else {
      active?.deferSeek(to: PlayRequest.position(seconds))
      // For example during an outage. The requested position is kept and reported, whatever happens to the stream.
      if file.kind != nil { emit(active?.tracker.seekStarted(to: PlayRequest.position(seconds), now: now)) }
      return
    }
    guard let target = target(near: PlayRequest.position(seconds), in: file, on: core) else {
      emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
      return
    }
    removeUpcomingFromPlaylist(on: core)
    if file.seekReliability.isChained { return reopen(at: target, seeking: .decodeThrough, on: core) }
    if file.opening.isIndexedForStart, !isBuffered(target, on: core) {
      return reopen(at: target, seeking: .fast, on: core)
    }
    guard canReach(target, of: file, on: core) else { return reopen(at: target, seeking: .readThrough, on: core) }
    active?.reason.seekStarts()
    do throws(PlaybackError) {
      seekTag += 1
      try core.seek(to: target, tag: seekTag)
      active?.stage = .open(.pending(.reply(tag: seekTag), isHeld: file.isHeld))
      active?.overdue = OverdueSound()
      emit(active?.tracker.seekStarted(to: target, now: now))
      endSilence(on: core)
    } catch {
      // The seek failed and the position is unchanged. Reporting it corrects what is displayed.
      emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
    }
  }

  /// Limits a seek target to what can be played: the end of the file, or the buffered part of a live stream, beyond
  /// which mpv would wait silently. Nil if nothing of a live stream is buffered.
  private func target(near wanted: Double, in file: ActiveFile, on core: MpvCore) -> Double? {
    guard file.source.isStream, !file.hasLength else { return min(wanted, file.tracker.duration ?? .infinity) }
    let newest = core.value(of: "demuxer-cache-state")["seekable-ranges"].elements.compactMap { range in
      range["start"].number.flatMap { start in range["end"].number.map { (start: start, end: $0) } }
    }.max { $0.end < $1.end }
    return newest.map { range in
      let last = max(range.start, range.end - Self.liveMargin)
      // Nothing has been dropped from a buffer that begins with the stream.
      let first = range.start < 1 ? range.start : min(range.start + Self.oldestMargin, last)
      return max(first, min(wanted, last))
    }
  }

  /// Seconds after the oldest sound of the buffer. mpv first goes to an earlier position than the target, and the
  /// oldest sound is dropped while it plays.
  private static let oldestMargin = 2.0

  /// Seconds behind the newest sound of a live stream. There is nothing to play at its very edge.
  private static let liveMargin = 1.0

  /// Whether mpv can seek there in the open file. A live stream cannot be reopened at a position, so mpv may try.
  private func canReach(_ target: Double, of file: ActiveFile, on core: MpvCore) -> Bool {
    guard file.source.isStream, file.kind == .whole else { return true }
    if file.opening.seeking == .readThrough {
      let isAhead = target >= file.tracker.position ?? 0
      return isAhead || isBuffered(target, on: core)
    }
    return core.value(of: "seekable").bool == true
  }

  private func isBuffered(_ second: Double, on core: MpvCore) -> Bool {
    core.value(of: "demuxer-cache-state")["seekable-ranges"].elements.contains {
      ($0["start"].number ?? .infinity) <= second && second <= ($0["end"].number ?? -.infinity)
    }
  }

  private func stop(on core: MpvCore) {
    recordExactPosition(on: core)
    if let file = active {
      let seconds = file.tracker.position ?? file.request.start
      finish(with: .ended(generation: file.request.generation, seconds: seconds, atEnd: false), at: seconds)
    }
    cancelUpcoming(on: core)
    core.stop()
  }

  /// Records the current position just before a file ends.
  private func recordExactPosition(on core: MpvCore) {
    guard let seconds = exactPosition(on: core) else { return }
    _ = active?.tracker.changedPosition(seconds, now: now)
    emit(nil)
  }

  /// mpv's current position in the active file. Nil if mpv may already be playing the next file.
  func exactPosition(on core: MpvCore) -> Double? {
    guard let file = active, file.isOpen else { return nil }
    return core.present(of: file.opening.entry) { $0.value(of: .position).number } ?? nil
  }
}
