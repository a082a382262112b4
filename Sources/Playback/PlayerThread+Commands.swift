import Foundation
import Model

extension PlayerThread {
  /// False when the player is to end.
  func carryOut(_ commands: [PlayerCommand], on core: MpvCore) -> Bool {
    for command in commands {
      switch command {
      case .load(let request): load(request, on: core)
      case .prepare(let request): prepare(request, on: core)
      case .setPaused(let isPaused): setPaused(isPaused, on: core)
      case .seek(let seconds, let id):
        active?.tracker.seek = id
        seek(to: seconds, on: core)
      case .seekBy(let seconds, let id):
        guard let file = active else { continue }
        active?.tracker.seek = id
        seek(to: file.wantedPlace + seconds, on: core)
      case .setSpeed(let speed): if let speed = speed.clamped(to: PlayRequest.speeds) { setSpeed(speed, on: core) }
      case .setVolume(let percent):
        guard let percent = percent.clamped(to: PlayRequest.volumes) else { continue }
        active?.volume = percent
        guard let file = active, file.isOpen else { continue }
        core.set(.volume, to: .double(file.effectiveVolume))
        tellVolume(percent)
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
        noteExactPosition(on: core)
        return false
      }
    }
    return true
  }

  private func load(_ request: PlayRequest, on core: MpvCore) {
    guard !goOn(with: request, on: core) else { return }
    active = nil
    forgetUpcoming(on: core)
    do throws(PlaybackError) {
      let source = try MediaSource(request)
      var file = ActiveFile(request: request, source: source)
      file.opening.entry = try Self.open(
        LoadArguments.make(request, source, seeking: file.opening.seeking, through: options.streams), on: core)
      active = file
    } catch {
      core.stop()
      emit(.failed(generation: request.generation, seconds: nil, message: "\(error)"))
    }
  }

  /// mpv's number for the file, which it opens in the background.
  static func open(
    _ arguments: [(key: String, value: MpvValue)], on core: MpvCore
  ) throws(PlaybackError) -> Int64 {
    guard case .integer(let entry) = try core.command("loadfile", arguments)["playlist_entry_id"] else {
      throw .coreFailed("loadfile gave no entry")
    }
    return entry
  }

  /// Opens the active file once more, at another place: the way to seek where the server gives no byte ranges, or where
  /// fast seeks lead astray.
  func reopen(at seconds: Double, seeking: SeekStrategy, isAfterRefusal: Bool = false, on core: MpvCore) {
    guard let file = active else { return }
    let request = file.request(from: seconds)
    // mpv's list is emptied by it.
    upcoming?.stage = .planned
    do throws(PlaybackError) {
      var opening = ActiveFile.Opening(seeking: seeking, start: seconds, isAfterRefusal: isAfterRefusal)
      opening.entry = try Self.open(
        LoadArguments.make(request, file.source, seeking: seeking, through: options.streams), on: core)
      active?.reopened(with: request, opening)
      emit(active?.tracker.sought(to: seconds, now: now))
    } catch {
      emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
    }
  }

  private func setPaused(_ isPaused: Bool, on core: MpvCore) {
    // A pause wins nothing: it is counted up to here, and the filter speaks again when sound goes on.
    if isPaused {
      passedSilence(on: core)
      active?.goesOn()
    }
    active?.isPaused = isPaused
    guard active?.isOpen == true else {
      // While it is opened once more mpv tells nothing.
      if active?.kind != nil { emit(active?.tracker.changedPause(isPaused, at: nil, now: now)) }
      return
    }
    if active?.isHeld == false { core.set(.isPaused, to: .flag(isPaused)) }
    // mpv tells no change that it took back before we looked, so what we set is told from here.
    let place = exactPosition(on: core)
    emit(active?.tracker.changedPause(isPaused, at: place, now: now))
    // A seek to the end while paused does not end the file: going on does.
    if !isPaused { active?.mayBeOver() }
  }

  func seek(to seconds: Double, on core: MpvCore) {
    guard let file = active else { return }
    guard file.isOpen else {
      active?.keep(PlayRequest.position(seconds))
      // In an outage, say: the place that is wanted is the one to be kept, however that ends.
      if file.kind != nil { emit(active?.tracker.sought(to: PlayRequest.position(seconds), now: now)) }
      return
    }
    guard let target = place(near: PlayRequest.position(seconds), in: file, on: core) else {
      emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
      return
    }
    holdUpcomingBack(on: core)
    if file.opening.isIndexedForStart, !isBuffered(target, on: core) {
      return reopen(at: target, seeking: .fast, on: core)
    }
    guard canReach(target, of: file, on: core) else { return reopen(at: target, seeking: .readThrough, on: core) }
    active?.reason.seekBegins()
    do throws(PlaybackError) {
      seekTag += 1
      try core.seek(to: target, tag: seekTag)
      active?.stage = .open(.awaited(.answer(tag: seekTag), isHeld: file.isHeld))
      emit(active?.tracker.sought(to: target, now: now))
      passedSilence(on: core)
    } catch {
      // The place stays; saying so puts the shown position right.
      emit(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
    }
  }

  /// Where a seek leads: not beyond the end. In a live stream no further than what has arrived, where mpv would wait in
  /// silence for the time to come; nil when nothing has.
  private func place(near target: Double, in file: ActiveFile, on core: MpvCore) -> Double? {
    guard case .http = file.source, !file.hasLength else { return min(target, file.tracker.duration ?? .infinity) }
    let newest = core.value(of: "demuxer-cache-state")["seekable-ranges"].elements.compactMap { range in
      range["start"].number.flatMap { start in range["end"].number.map { (start: start, end: $0) } }
    }.max { $0.end < $1.end }
    return newest.map { max($0.start, min(target, $0.end - Self.liveMargin)) }
  }

  /// Seconds behind the newest sound of a live stream: at its very edge there is nothing to be heard yet.
  private static let liveMargin = 1.0

  /// Whether mpv can seek there in the file as it is open. A live stream has no place to reopen it at, so it may try.
  private func canReach(_ target: Double, of file: ActiveFile, on core: MpvCore) -> Bool {
    guard case .http = file.source, file.tracker.duration != nil else { return true }
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
    noteExactPosition(on: core)
    if let file = active {
      let seconds = file.tracker.position ?? file.request.start
      finish(with: .ended(generation: file.request.generation, seconds: seconds, atEnd: false), at: seconds)
    }
    forgetUpcoming(on: core)
    core.stop()
  }

  /// Takes down where playback is at this very moment, for the last word about a file.
  private func noteExactPosition(on core: MpvCore) {
    guard let seconds = exactPosition(on: core) else { return }
    _ = active?.tracker.changedPosition(seconds, now: now)
    emit(nil)
  }

  /// Where mpv is in the active file at this moment. Nil when it may already be with the next one.
  func exactPosition(on core: MpvCore) -> Double? {
    guard let file = active, file.isOpen else { return nil }
    return core.present(of: file.opening.entry) { $0.value(of: .position).number } ?? nil
  }
}
