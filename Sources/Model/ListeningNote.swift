/// What playing an episode leaves in the library. The player records it automatically, so it must not be lost while the
/// library cannot be written. All numbers are seconds.
public enum ListeningNote: Sendable, Equatable {
  /// The playback position, and the duration of the file if it is known.
  case position(seconds: Double, total: Double?)
  /// `speed`: the speed at which a span was heard.
  case event(ListeningEvent.Kind, speed: Double?)
  /// A span of an excerpt, such as a clip, was heard. It counts in the statistics. It does not change the position and
  /// is not sent to other devices.
  case excerpt(from: Double, to: Double, speed: Double)
  /// Time that the listener saved.
  case savedTime(SavedTime)
  /// A status that playback causes. `undo` ignores it.
  case status(EpisodeStatus)
  /// The listener jumps from one position of the episode to another. `undo` can revert it. `from` nil: the stored
  /// position.
  case jump(from: Double?, to: Double)
  /// It has started to play, so it is the episode that the next start offers.
  case began
  /// It was heard to its end, so it leaves the queue.
  case ended

  /// Whether it records how far the episode was heard. A live stream has no position and cannot be resumed.
  public var isAboutPosition: Bool { self == .began || changesState }

  /// Whether it changes the episode's position or status.
  public var changesState: Bool {
    switch self {
    case .position, .event, .status, .jump: true
    case .excerpt, .savedTime, .began, .ended: false
    }
  }
}
