import Model

/// Continues with the next file without a gap, through mpv's playlist (`prefetch-playlist`).
///
/// mpv's playlist holds at most the active file and the next one. The next one is added only when the active file is
/// buffered to its last byte, so a broken stream is never mistaken for one that ended. mpv opens the next file with
/// the options of the previous file (seen in 0.35), so those that matter for opening are set beforehand
/// (`PlayerThread.open`).
extension PlayerThread {
  func prepare(_ request: PlayRequest?, on core: MpvCore) {
    // mpv is opening it. To begin again would cancel its request to the server.
    if let next = upcoming, next.isAppended, next.file.request == request { return }
    cancelUpcoming(on: core)
    guard active != nil, let request else { return }
    do throws(PlaybackError) {
      var file = ActiveFile(request: request, source: try MediaSource(request))
      file.prepareForPrefetch()
      upcoming = UpcomingFile(file: file)
      appendUpcomingIfReady(on: core)
    } catch {
      // An address that is refused. `load` will report it.
    }
  }

  /// Cancels the next file. If it is already playing without having been loaded, it is stopped.
  func cancelUpcoming(on core: MpvCore) {
    let isRunning = upcoming?.hasBegun == true
    removeUpcomingFromPlaylist(on: core)
    upcoming = nil
    if isRunning { core.stop() }
  }

  /// Takes the next file out of mpv's playlist. Called on a seek, after which the active file may have to be read
  /// again.
  func removeUpcomingFromPlaylist(on core: MpvCore) {
    guard upcoming?.isAppended == true else { return }
    upcoming?.stage = .planned
    // Removes all entries but the one that plays.
    core.run("playlist-clear")
  }

  func appendUpcomingIfReady(on core: MpvCore) {
    guard let next = upcoming?.file, upcoming?.stage == .planned, let end = endOfActive(on: core) else { return }
    // A start in the middle of a stream is held until positioned, which would delay the last sound of the active
    // file. The file is opened when it is loaded.
    guard !next.isHeld else { return }
    do throws(PlaybackError) {
      upcoming?.file.opening.entry = try open(next.request, next.source, next.opening, behind: true, on: core)
      upcoming?.stage = .appended(endOfActive: end)
    } catch {
      // It is opened when it is loaded.
      upcoming = nil
    }
  }

  /// The end of the active file in seconds, once all of it is buffered. Nil before that and when the end is
  /// uncertain. Nil also at the end itself, where mpv would switch at once, before the last sound has been heard. Nil
  /// also in a file that is opened as one that cannot seek: the next one would be opened in the same way.
  private func endOfActive(on core: MpvCore) -> Double? {
    guard let file = active, file.stage == .open(.playing), !file.tracker.isSeeking,
      file.hasLength, file.opening.seeking != .decodeThrough, core.value(of: .isAtEnd).bool != true,
      let duration = core.value(of: .duration).number
    else { return nil }
    let buffer = core.value(of: "demuxer-cache-state")
    guard buffer["eof"].bool == true, let end = buffer["cache-end"].number else { return nil }
    guard evidence(at: .reached(end), duration: duration, of: file, on: core).isEnd else { return nil }
    // The end of the buffer is the start of its last packet.
    return file.reason.isDurationEstimated ? end : duration
  }

  /// The active file has ended, and mpv plays the next one.
  func startUpcoming() {
    guard let file = active, case .appended(let end) = upcoming?.stage else { return }
    if file.silence.isSilent { countSilence(all: true) }
    upcoming?.stage = .running(deadline: now + options.upcomingTimeout)
    finish(with: .ended(generation: file.request.generation, seconds: end, atEnd: true), at: end)
  }

  /// Handles mpv's events about a file that has not been loaded yet.
  func handleUpcoming(_ event: MpvEvent) {
    guard let next = upcoming, case .running(let deadline) = next.stage else { return }
    switch (event, next.file.stage) {
    case (.startFile(next.file.opening.entry), .opening): upcoming?.file.stage = .opening(hasBegun: true, then: nil)
    case (.fileLoaded, .opening(hasBegun: true, _)): upcoming?.file.stage = .open(.pending(.sound, isHeld: false))
    case (.playbackRestart, .open): upcoming?.file.stage = .open(.playing)
    case (.endFile(next.file.opening.entry, _), _): upcoming?.stage = .failed(deadline: deadline)
    case (.log(let line), _): upcoming?.file.read(line, now: now)
    default: break
    }
  }

  /// Makes the prefetched file the active one. False if something else is requested.
  func switchToUpcoming(with request: PlayRequest, on core: MpvCore) -> Bool {
    guard let next = upcoming, next.fits(request) else { return false }
    // The active file has not ended: the listener skipped ahead, or the outro is skipped.
    if next.isAppended { core.run("playlist-next") }
    core.run("playlist-clear")
    upcoming = nil
    active = next.file
    active?.adopt(as: request)
    // Repeats what mpv has already reported about the file. The rest follows as events.
    if next.file.isOpen { fileOpened(on: core) }
    if next.file.stage == .open(.playing), active?.isSoundExpected == true { soundHasStarted(on: core) }
    return true
  }
}
