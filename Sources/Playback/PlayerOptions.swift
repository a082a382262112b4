/// Settings of a `Player`, fixed for its lifetime.
public struct PlayerOptions: Sendable {
  /// The audio output.
  public enum Output: Sendable, Equatable {
    /// The system's sound device.
    case system
    /// No output, in real time or as fast as it can be decoded.
    case null(isTimed: Bool)
    /// A 16-bit WAVE file with what would be heard, written as fast as it can be decoded.
    case wave(path: String)
    /// The same without a header, such as for a pipe.
    case raw(path: String)
    /// The mpv audio output of this name: `pipewire`, `alsa`, `null`.
    case named(String)

    /// Whether the output takes sound in real time.
    var isTimed: Bool {
      switch self {
      case .system, .named: true
      case .null(let isTimed): isTimed
      case .wave, .raw: false
      }
    }
  }

  public var output = Output.system
  /// Seconds without data after which a connection is closed.
  var networkTimeout = 20
  /// The longest pause between two of FFmpeg's reconnection attempts, in seconds.
  var reconnectSeconds = 10
  /// After FFmpeg has given up. Seconds.
  var outageTimeout = Outage.timeout
  var outageInterval = Outage.interval
  /// How long the next file plays after the end of a file without being loaded. Seconds.
  var upcomingTimeout = UpcomingFile.timeout
  /// How many bytes of a stream to buffer ahead. Half as many are kept behind. 8 MiB are 9 minutes at 128 kbit/s.
  var bufferBytes = 8 * 1024 * 1024
  public var userAgent = "Earshot (podcast player)"
  /// The name of an `AudioDevice`. Nil: the system's choice.
  public var device: String?
  /// The path of the socket for mpv's JSON IPC, which only the user may open. Nil: none. A client of it can do
  /// whatever mpv can, which includes running commands as the user.
  public var ipcSocket: String?
  /// The relay that fetches streams. Nil: mpv fetches them itself.
  public var streams: (any StreamSource)?
  /// File names of libmpv. Tests pass one that does not exist.
  var libraryNames = MpvLibrary.names
  /// Lets tests replace functions of libmpv.
  var adaptLibrary: @Sendable (MpvLibrary) -> MpvLibrary = { $0 }
  /// More mpv options. They are set last, so they replace the others.
  var overrides: [MpvOption] = []

  public init(output: Output = .system) { self.output = output }
}
