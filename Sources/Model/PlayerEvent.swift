/// An event of the player. Each one has the generation of its load, so that late events of an earlier load can be
/// dropped. Times are in seconds.
public enum PlayerEvent: Sendable, Equatable {
  /// The file is open and playback begins. `duration` is nil for a live stream. `seekable` is what mpv reports.
  case started(generation: Int, duration: Double?, seekable: Bool)
  /// Sent when the shown second changes, after every seek, and at least once a second while playing. `seek` is the
  /// newest seek that the player knows. If the receiver asked for a later one, the position is out of date.
  case position(generation: Int, seconds: Double, seek: SeekID = .none)
  case duration(generation: Int, seconds: Double?)
  case paused(generation: Int, Bool)
  /// Playback waits for data; false: it continues.
  case stalled(generation: Int, Bool)
  /// Playback waits because the stream was interrupted. Sent directly after `.stalled`, and then every second until the
  /// stream is back.
  case waitsForNetwork(generation: Int, NetworkWait)
  /// The buffer reaches up to this second.
  case buffered(generation: Int, until: Double)
  /// The chapters in the file.
  case chapters(generation: Int, [Chapter])
  case speed(Double)
  /// Percent.
  case volume(Double)
  /// How many seconds skipping silence has saved since the last such event.
  case saved(generation: Int, seconds: Double)
  /// The available devices, and the name of the current one. Empty if there is no player.
  case devices([AudioDevice], chosen: String?)
  /// The device with this name cannot be opened. From now on the system's default is used.
  case deviceGone(String)
  /// The file has ended. `atEnd` compares the last position with the duration, because EOF alone may mean a broken
  /// stream. `seconds` is the last position.
  case ended(generation: Int, seconds: Double, atEnd: Bool)
  /// The server sends the file only from its start, without a length, so the start position cannot be reached. Nothing
  /// was played, and the load is over. Sent instead of `started`.
  case unreachable(generation: Int, seconds: Double)
  /// The file cannot be played, or can no longer be played. `message` is a text for the listener. `concernsFile`: the
  /// cause is the file, such as a missing one, so that another file may play. False for a network or a device that is
  /// gone.
  case failed(generation: Int, seconds: Double?, message: String, concernsFile: Bool = false)
  /// The player has ended. No event follows.
  case shutDown
}

extension PlayerEvent {
  /// The load that the event belongs to; nil for events of the player itself.
  public var generation: Int? {
    switch self {
    case .started(let generation, _, _), .position(let generation, _, _), .duration(let generation, _),
      .paused(let generation, _), .stalled(let generation, _), .waitsForNetwork(let generation, _),
      .buffered(let generation, _), .chapters(let generation, _), .saved(let generation, _),
      .ended(let generation, _, _), .unreachable(let generation, _), .failed(let generation, _, _, _):
      generation
    case .speed, .volume, .devices, .deviceGone, .shutDown: nil
    }
  }
}

/// The number of a seek. The caller counts its seeks, and the player returns the number of the newest one with every
/// position. This shows whether a position is from before a seek. Each load begins with 0.
public struct SeekID: Sendable, Hashable {
  private let number: Int

  /// No seek since the load.
  public static let none = SeekID(number: 0)

  /// The id of the next seek.
  public var next: SeekID { SeekID(number: number + 1) }
}

/// Playback waits because the network or the server has interrupted the stream.
public struct NetworkWait: Sendable, Equatable, Codable {
  /// How long it has been waiting, in seconds.
  public var seconds: Double
  /// A text for the listener, such as "the server cannot be reached: it refuses connections".
  public var cause: String

  public init(seconds: Double, cause: String) {
    self.seconds = seconds
    self.cause = cause
  }
}
