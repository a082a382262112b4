import Model

/// Streams that break off because the network is down: a tunnel, a change of network, a server that restarts.
extension PlayerThread {
  /// Starts or continues an outage. True if the active file will be reopened. False for errors that a retry would not
  /// change, such as a refusal by the server.
  func waitsForNetwork(at seconds: Double, because error: PlaybackError, on core: MpvCore) -> Bool {
    guard let file = active, file.source.isStream, let kind = file.kind, kind != .live,
      error.isTransient,
      let outage = Outage.after(file.outage, at: seconds, because: error, now: now, options: options)
    else { return false }
    // From here on, mpv's events about the old connection are ignored.
    active?.stage = .offline(nextTry: outage.nextTry, then: file.pendingPosition)
    active?.outage = outage
    emit(active?.tracker.changedWaiting(true))
    core.stop()
    return true
  }

  /// Reopens the stream when the next try of an outage is due.
  func reopenWhenDue(on core: MpvCore) {
    guard let file = active, let outage = file.outage, case .offline(let due, let then) = file.stage, now >= due else {
      return
    }
    // A station continues live, and its positions begin at 0 again.
    let position = file.hasLength ? then ?? outage.position : 0
    active?.outage?.position = position
    reopen(at: position, seeking: file.opening.seeking, on: core)
  }

  /// Reports that playback waits for the network, at once and then every second.
  func reportNetworkWait() {
    guard let file = active else { return }
    let wait = active?.network.wait(
      isStalled: file.tracker.isStalled, isPaused: file.tracker.isPaused, isConnectionLost: file.isConnectionLost,
      now: now)
    guard let seconds = wait else { return }
    let cause = file.outage?.cause ?? cause(of: file)
    emit([
      .waitsForNetwork(
        generation: file.request.generation,
        NetworkWait(seconds: seconds, cause: cause.isTransient ? "\(cause)" : "the connection broke off"))
    ])
  }
}

extension PlayerThread {
  /// Reports that a stream is still being opened for the first time, and what is missing.
  func reportSlowOpening() {
    guard let file = active, file.source.isStream else { return }
    let isOpening = !file.isOpen && file.kind == nil
    guard let seconds = active?.openingWatch.wait(isOpening: isOpening, now: now) else { return }
    let cause = file.source.failure(in: options.streams).map { "\($0)" }
    emit([
      .waitsForNetwork(
        generation: file.request.generation,
        NetworkWait(seconds: seconds, cause: cause ?? "the server has not sent enough to begin with"))
    ])
  }
}

extension PlaybackError {
  /// The cause is the file or its address, so that another file may play. False for what may be an outage.
  var concernsFile: Bool {
    switch self {
    case .addressRefused, .noSuchFile, .notAFile, .unreadable, .notAudio: true
    case .httpStatus(let status, _): (400..<500).contains(status) && ![407, 408, 429].contains(status)
    default: false
    }
  }

  /// The problem may be temporary.
  var isTransient: Bool {
    switch self {
    case .unknownHost, .unreachable: true
    case .httpStatus(let status, _): status >= 500
    default: false
    }
  }
}
