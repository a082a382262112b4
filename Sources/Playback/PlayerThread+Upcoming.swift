import Model

/// Goes on to the next file without a gap, as mpv does with a playlist (`prefetch-playlist`).
///
/// mpv's list never holds more than the active file and the next one, and the next one only when the active file is in
/// the buffer to its last byte: a stream that is cut is never taken for one that has ended. mpv opens the next file with
/// the options of the file before it (seen in 0.35): those that matter for opening are set beforehand.
extension PlayerThread {
  func prepare(_ request: PlayRequest?, on core: MpvCore) {
    forgetUpcoming(on: core)
    guard active != nil, let request else { return }
    do throws(PlaybackError) {
      var file = ActiveFile(request: request, source: try MediaSource(request))
      file.openAhead()
      upcoming = UpcomingFile(file: file)
      appendUpcomingIfReady(on: core)
    } catch {
      // An address that is refused: the load will say so.
    }
  }

  /// Nothing comes after the active file. What was sounding without having been asked for is silenced.
  func forgetUpcoming(on core: MpvCore) {
    let isRunning = upcoming?.hasBegun == true
    holdUpcomingBack(on: core)
    upcoming = nil
    if isRunning { core.stop() }
  }

  /// Takes it out of mpv's list again: the active file has been sent elsewhere, and may have to be read again.
  func holdUpcomingBack(on core: MpvCore) {
    guard upcoming?.isAppended == true else { return }
    upcoming?.stage = .planned
    // All but what plays.
    core.run("playlist-clear")
  }

  func appendUpcomingIfReady(on core: MpvCore) {
    guard let next = upcoming?.file, upcoming?.stage == .planned, let end = endOfActive(on: core) else { return }
    // In the middle of a stream: it would be held back, and with it the last sound of the active file. It is opened when
    // it is asked for.
    guard !next.isHeld else { return }
    for option in next.source.options(seeking: next.opening.seeking) { core.set(option.key, to: .string(option.value)) }
    do throws(PlaybackError) {
      upcoming?.file.opening.entry = try Self.open(
        LoadArguments.make(
          next.request, next.source, seeking: next.opening.seeking, through: options.streams, behind: true), on: core)
      upcoming?.stage = .appended(endOfActive: end)
    } catch {
      // It is opened when it is asked for.
      upcoming = nil
    }
  }

  /// Where the active file ends, in seconds, once all of it is in the buffer; nil before, where the end is not sure, and
  /// at the end itself: mpv would leave the file at once, before the last of it has been heard.
  private func endOfActive(on core: MpvCore) -> Double? {
    guard let file = active, file.stage == .open(.coming), !file.tracker.isSeeking, file.request.end == nil,
      file.hasLength, core.value(of: .isAtEnd).bool != true, let duration = core.value(of: .duration).number
    else { return nil }
    let buffer = core.value(of: "demuxer-cache-state")
    guard buffer["eof"].bool == true, let end = buffer["cache-end"].number else { return nil }
    guard evidence(at: .reached(end), duration: duration, of: file, on: core).verdict == .ended(atEnd: true) else {
      return nil
    }
    // The buffer's end is where its last packet begins.
    return file.reason.isDurationEstimated ? end : duration
  }

  /// The active file is over, and mpv is with the next one.
  func goOnToUpcoming() {
    guard let file = active, case .appended(let end) = upcoming?.stage else { return }
    if file.silence.isSilent { countSilence(all: true) }
    upcoming?.stage = .running(deadline: now + UpcomingFile.patience)
    finish(with: .ended(generation: file.request.generation, seconds: end, atEnd: true), at: end)
  }

  /// What mpv says of a file that nobody has asked for yet.
  func noteOfUpcoming(_ event: MpvEvent) {
    guard let next = upcoming, case .running(let deadline) = next.stage else { return }
    switch (event, next.file.stage) {
    case (.startFile(next.file.opening.entry), .opening): upcoming?.file.stage = .opening(hasBegun: true, then: nil)
    case (.fileLoaded, .opening(hasBegun: true, _)): upcoming?.file.stage = .open(.awaited(.sound, isHeld: false))
    case (.playbackRestart, .open): upcoming?.file.stage = .open(.coming)
    case (.endFile(next.file.opening.entry, _), _): upcoming?.stage = .failed(deadline: deadline)
    case (.log(let line), _): upcoming?.file.note(line, now: now)
    default: break
    }
  }

  /// Makes what was opened ahead the active file. False when something else is asked for.
  func goOn(with request: PlayRequest, on core: MpvCore) -> Bool {
    guard let next = upcoming, next.fits(request) else { return false }
    // Before its end: the listener is impatient, or does not want the outro.
    if next.isAppended { core.run("playlist-next") }
    core.run("playlist-clear")
    upcoming = nil
    active = next.file
    active?.adopted(as: request)
    // What mpv has told of it so far is told again; the rest is still to come.
    if next.file.isOpen { fileHasOpened(on: core) }
    if next.file.stage == .open(.coming), active?.isSoundExpected == true { soundHasCome(on: core) }
    return true
  }
}
