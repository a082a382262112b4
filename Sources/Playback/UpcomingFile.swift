/// What is to be heard after the active file. mpv opens it ahead and goes on to it by itself.
struct UpcomingFile {
  enum Stage: Equatable {
    /// mpv knows nothing of it.
    case planned
    /// Behind the active file in mpv's list, which has been read to its end and ends at `endOfActive`.
    case appended
    /// The active file is over: mpv is with it, although nobody has asked for it yet.
    case running
  }

  var file: ActiveFile
  var stage = Stage.planned
  /// Where the active file ends, in seconds.
  var endOfActive = 0.0
  /// When it is silenced unless it has been asked for, in seconds of the thread's clock.
  var deadline: Double?
  /// Its sound has come.
  var sounds = false
  /// It could not be opened. Whoever asks for it will be told why when it is tried again.
  var hasFailed = false

  /// Seconds that may pass between the end of one file and the wish for the next: what is written down in between takes
  /// some hundredths, more on a slow disk.
  static let patience = 2.0

  /// Whether this is what it was opened for. Place, speed and sound can still be changed.
  func fits(_ request: PlayRequest) -> Bool {
    !hasFailed && stage != .planned && file.request.address == request.address && file.request.end == request.end
      && file.request.isTrusted == request.isTrusted && file.request.extraFilter == request.extraFilter
  }
}
