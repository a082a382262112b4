import Model

/// Detects the end of a file and what it means.
///
/// mpv's properties describe the present, its events the past. When the thread is busy, the two can belong to
/// different times, or even to different files. So an end is only judged when all of these hold: all events have been
/// handled, the file is open, its sound has started at the requested position, and mpv still plays that file.
extension PlayerThread {
  /// Called when mpv has no more events.
  func checkForEnd(on core: MpvCore) {
    guard let file = active, case .open(let sound) = file.stage else { return }
    var limit = now + Self.longestBuffer
    switch sound {
    case .maybeEnded: break
    case .ending(let nextLook, let last) where now >= nextLook: limit = last
    case .ending, .pending, .playing: return
    }
    active?.cancelSuspectedEnd()
    // A pause at the end does not end the file. If another file follows in the playlist, mpv continues with it and
    // reports that.
    guard !file.wanted.isPaused, upcoming?.isAppended != true, let end = end(of: file, on: core) else { return }
    if end.isHeard || now >= limit {
      finishFile(file, at: end.position, on: core)
    } else {
      active?.stage = .open(.ending(nextLook: now + Self.lookInterval, limit: limit))
    }
  }

  /// Seconds between two looks at a file whose last samples are in the device.
  private static let lookInterval = 0.02
  /// The most that a device buffers, in seconds.
  private static let longestBuffer = 1.0

  /// mpv's position if it is at the end of the file, and whether the device has played the last sample: up to 0.4 s
  /// later. Closing the file before would cut the sound off. The file is still open (keep-open), and mpv has paused
  /// itself (keep-open-pause).
  ///
  /// Before that, the position of libmpv 0.35 is the end already, and that of 0.41 is the sample that is being heard.
  private func end(of file: ActiveFile, on core: MpvCore) -> (position: Double, isHeard: Bool)? {
    let end = core.present(of: file.opening.entry) { core -> (Double, Bool)? in
      guard core.value(of: .isAtEnd).bool == true else { return nil }
      let isHeard = core.value(of: .isPaused).bool == true
      return (core.value(of: .position).number ?? 0, isHeard)
    }
    return end ?? nil
  }

  /// Called when the last sample has been heard.
  private func finishFile(_ file: ActiveFile, at end: Double, on core: MpvCore) {
    drainLog(of: core)
    if file.silence.isSilent { countSilence(all: true) }
    let duration = file.hasLength ? core.value(of: .duration).number : nil
    let position = file.tracker.hasPlayed(before: end) ? EndEvidence.Position.reached(end) : .seekTarget(end)
    conclude(evidence(at: position, duration: duration, of: active ?? file, on: core), on: core)
    core.stop()
  }

  /// What is known about the end of a file that is still open.
  func evidence(
    at position: EndEvidence.Position, duration: Double?, of file: ActiveFile, on core: MpvCore
  ) -> EndEvidence {
    var evidence = Self.evidence(at: position, duration: duration, of: file)
    evidence.bytesRead = core.value(of: "stream-pos").integer
    evidence.size = core.fileSize ?? file.size
    // FFmpeg does not report that a stream of unknown length breaks off, or that the server sends nothing for
    // `networkTimeout`. The relay knows both. Right after a seek, mpv does not know how much was read.
    if evidence.bytesRead == nil || evidence.size == nil, streamError(of: file) != nil || isUnfinished(file) {
      evidence.hasStreamError = true
    }
    return evidence
  }

  private static func evidence(at position: EndEvidence.Position, duration: Double?, of file: ActiveFile) -> EndEvidence
  {
    EndEvidence(
      position: position, duration: duration, feedDuration: file.request.feedDuration,
      isDurationEstimated: file.reason.isDurationEstimated || file.seekReliability.isChained,
      hasStreamError: file.reason.hasStreamError)
  }

  /// Handles mpv closing the active file.
  func fileEnded(_ reason: MpvEvent.EndReason, on core: MpvCore) {
    // The file did not break off. `.shutDown` is the event about its end.
    guard reason != .quit, let file = active else { return }
    if upcoming?.isAppended == true {
      guard reason != .endOfFile else { return startUpcoming() }
      core.stop()
    }
    switch reason {
    case .endOfFile, .stopped, .quit:
      // Unexpected: after our own `stop` there is no active file, and keep-open should have kept this one open.
      let position = file.tracker.position ?? file.request.start
      let hasPlayed = file.isOpen && file.tracker.hasPlayed(before: position)
      conclude(
        Self.evidence(
          at: hasPlayed ? .reached(position) : .seekTarget(position), duration: file.tracker.duration, of: file),
        on: core)
    case .error(let code, let text): fail(code: code, text: text, on: core)
    case .redirected: fail(code: 0, text: "this is a playlist, not audio", on: core)
    }
  }

  private func conclude(_ evidence: EndEvidence, on core: MpvCore) {
    guard let file = active else { return }
    let generation = file.request.generation
    let seconds = evidence.position.seconds
    let isStation = file.kind == .station
    // A station has no end.
    if !isStation, evidence.isEnd {
      return finish(with: .ended(generation: generation, seconds: seconds, atEnd: true), at: seconds)
    }
    var cause = self.cause(of: file)
    if isStation, !cause.isTransient { cause = .unreachable("it closed the connection") }
    if file.reason.hasStreamError || isStation || streamError(of: file) != nil,
      waitsForNetwork(at: seconds, because: cause, on: core)
    {
      return
    }
    let error: PlaybackError =
      if case .file = file.source { .incomplete(at: seconds, of: evidence.duration) } else {
        .brokeOff(at: seconds, of: evidence.duration ?? evidence.feedDuration)
      }
    finish(with: .failed(generation: generation, seconds: seconds, message: "\(error)"), at: seconds)
  }

  /// Why it cannot be played: the relay's reason if there is one, or else mpv's and FFmpeg's.
  func cause(of file: ActiveFile, code: Int32 = 0, text: String = "") -> PlaybackError {
    streamError(of: file) ?? file.reason.error(code: code, text: text)
  }

  private func streamError(of file: ActiveFile) -> PlaybackError? { file.source.failure(in: options.streams) }

  private func isUnfinished(_ file: ActiveFile) -> Bool {
    guard case .http(let address) = file.source else { return false }
    return options.streams?.isUnfinished(address) ?? false
  }

  func fail(code: Int32, text: String, on core: MpvCore) {
    guard let file = active else { return }
    let error = cause(of: file, code: code, text: text)
    if error == .noSoundDevice, fallBackToDefaultDevice(on: core) {
      return reopen(at: file.wantedPosition, seeking: file.opening.seeking, on: core)
    }
    let seconds = file.tracker.position
    // A file that has been open may be reopened for a seek while the network is down.
    if file.kind != nil, let seconds, waitsForNetwork(at: seconds, because: error, on: core) { return }
    finish(
      with: .failed(
        generation: file.request.generation, seconds: seconds, message: "\(error)", concernsFile: error.concernsFile),
      at: seconds)
  }
}
