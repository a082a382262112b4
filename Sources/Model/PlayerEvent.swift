/// What the player reports. Every event carries the generation of the load it belongs to, so that late events of
/// the last file can be dropped. Times in seconds.
public enum PlayerEvent: Sendable, Equatable {
  /// The file is open and sound is about to come. `duration` is nil for a live stream; `seekable` is what mpv says.
  case started(generation: Int, duration: Double?, seekable: Bool)
  /// Sent when the shown second changes and after every seek, and at least once a second while playing. `seek` is the
  /// newest seek that the player knows of: a position with an older one than the receiver asked for is out of date.
  case position(generation: Int, seconds: Double, seek: SeekID = .none)
  case duration(generation: Int, seconds: Double?)
  case paused(generation: Int, Bool)
  /// Waiting for data. False when sound goes on.
  case stalled(generation: Int, Bool)
  /// It waits because the stream has broken off. Comes after `.stalled`, at once and then once a second, until that is over.
  case waitsForNetwork(generation: Int, NetworkWait)
  /// The buffer holds the file up to this second.
  case buffered(generation: Int, until: Double)
  /// Chapters of the file itself.
  case chapters(generation: Int, [Chapter])
  case speed(Double)
  /// Percent.
  case volume(Double)
  /// Passing over silence has won that many seconds since it was last told.
  case saved(generation: Int, seconds: Double)
  /// Where sound can go, and the name of where it goes. None: there is no player.
  case devices([AudioDevice], chosen: String?)
  /// The sound device of this name cannot be opened: sound goes to the machine's own choice from here on.
  case deviceGone(String)
  /// The file is over. `atEnd` is decided from the last position against the duration, never from EOF alone;
  /// `seconds` is the last position.
  case ended(generation: Int, seconds: Double, atEnd: Bool)
  /// The server sends the file only from its start, and says of no length: the place where it was to begin cannot be
  /// sought. Nothing was heard, and the load is over. Comes in place of `started`.
  case unreachable(generation: Int, seconds: Double)
  /// The file cannot be played, or stopped being playable: why, for people.
  case failed(generation: Int, seconds: Double?, message: String)
  /// The core is gone; no event follows.
  case shutDown
}

extension PlayerEvent {
  /// Of the load that it is about; nil for what concerns the player itself.
  public var generation: Int? {
    switch self {
    case .started(let generation, _, _), .position(let generation, _, _), .duration(let generation, _),
      .paused(let generation, _), .stalled(let generation, _), .waitsForNetwork(let generation, _),
      .buffered(let generation, _), .chapters(let generation, _), .saved(let generation, _),
      .ended(let generation, _, _), .unreachable(let generation, _), .failed(let generation, _, _):
      generation
    case .speed, .volume, .devices, .deviceGone, .shutDown: nil
    }
  }
}
