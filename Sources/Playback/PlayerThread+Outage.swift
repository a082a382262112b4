import Model

/// Streams that break off because the network is away: a tunnel, another network, a server that starts anew.
extension PlayerThread {
  /// True when the active file will be opened again by itself. Not for what the server or the file says: that would be the
  /// same the next time.
  func waitsForNetwork(at seconds: Double, because error: PlaybackError, on core: MpvCore) -> Bool {
    guard let file = active, case .http = file.source, let kind = file.kind, kind != .live,
      error.isPassing,
      let outage = Outage.after(file.outage, at: seconds, because: error, now: now, options: options)
    else { return false }
    // What mpv still says of the file as it was open is of no interest any more.
    active?.stage = .away(nextTry: outage.nextTry, then: file.pendingPlace)
    active?.outage = outage
    emit(active?.tracker.changedWaiting(true))
    core.stop()
    return true
  }

  /// When the stream is to be opened again, it is.
  func endOutageWhenDue(on core: MpvCore) {
    guard let file = active, let outage = file.outage, case .away(let due, let then) = file.stage, now >= due else {
      return
    }
    // A station is where it is by now.
    reopen(at: file.hasLength ? then ?? outage.place : 0, seeking: file.opening.seeking, on: core)
  }

  /// Says that the sound waits for the network, for as long as it does.
  func tellNetworkWait() {
    guard let file = active else { return }
    let wait = active?.network.wait(
      isStalled: file.tracker.isStalled, isPaused: file.tracker.isPaused, isCutOff: file.isCutOff, now: now)
    guard let seconds = wait else { return }
    let cause = file.outage?.cause ?? cause(of: file)
    emit([
      .waitsForNetwork(
        generation: file.request.generation,
        NetworkWait(seconds: seconds, cause: cause.isPassing ? "\(cause)" : "the connection broke off"))
    ])
  }
}

extension PlaybackError {
  /// It may be over in a while.
  var isPassing: Bool {
    switch self {
    case .unknownHost, .unreachable: true
    case .httpStatus(let status, _): status >= 500
    default: false
    }
  }
}
