/// The file to play after the active one. mpv opens it ahead and switches to it automatically.
struct UpcomingFile {
  enum Stage: Equatable {
    /// Not in mpv's playlist yet.
    case planned
    /// In mpv's playlist after the active file, which is completely buffered and ends at this second.
    case appended(endOfActive: Double)
    /// The active file has ended and mpv plays this one, but it has not been loaded yet. It is stopped at `deadline`
    /// (seconds of the thread's clock) unless a load takes it over.
    case running(deadline: Double)
    /// Like `running`, but it could not be opened. A load opens it again and reports the error.
    case failed(deadline: Double)
  }

  var file: ActiveFile
  var stage = Stage.planned

  var isAppended: Bool { if case .appended = stage { true } else { false } }

  /// mpv has switched to it.
  var hasBegun: Bool { deadline != nil }

  var deadline: Double? {
    switch stage {
    case .running(let deadline), .failed(let deadline): deadline
    case .planned, .appended: nil
    }
  }

  /// Seconds to wait between the end of a file and the load of the next one. Saving the listening state in between
  /// takes a few hundredths, more on a slow disk.
  static let timeout = 2.0

  /// Whether a load can take over this file. Start position, speed and sound can still be changed.
  func fits(_ request: PlayRequest) -> Bool {
    switch stage {
    case .planned, .failed: return false
    case .appended, .running: break
    }
    return file.request.address == request.address
      && file.request.isTrusted == request.isTrusted && file.request.extraFilter == request.extraFilter
  }
}
