/// What is to be heard after the active file. mpv opens it ahead and goes on to it by itself.
struct UpcomingFile {
  enum Stage: Equatable {
    /// mpv knows nothing of it.
    case planned
    /// Behind the active file in mpv's list, which has been read to its end and ends at that second.
    case appended(endOfActive: Double)
    /// The active file is over: mpv is with it, although nobody has asked for it yet. It is silenced at the deadline, in
    /// seconds of the thread's clock, unless somebody does.
    case running(deadline: Double)
    /// As `running`, but it could not be opened. Whoever asks for it will be told why when it is tried again.
    case failed(deadline: Double)
  }

  var file: ActiveFile
  var stage = Stage.planned

  var isAppended: Bool { if case .appended = stage { true } else { false } }

  /// mpv is with it, or was.
  var hasBegun: Bool { deadline != nil }

  var deadline: Double? {
    switch stage {
    case .running(let deadline), .failed(let deadline): deadline
    case .planned, .appended: nil
    }
  }

  /// Seconds that may pass between the end of one file and the wish for the next: what is written down in between takes
  /// some hundredths, more on a slow disk.
  static let patience = 2.0

  /// Whether this is what it was opened for. Place, speed and sound can still be changed.
  func fits(_ request: PlayRequest) -> Bool {
    switch stage {
    case .planned, .failed: return false
    case .appended, .running: break
    }
    return file.request.address == request.address && file.request.end == request.end
      && file.request.isTrusted == request.isTrusted && file.request.extraFilter == request.extraFilter
  }
}
