/// How the player is set up. Fixed for the life of a `Player`.
public struct PlayerOptions: Sendable {
  /// Where sound goes.
  public enum Output: Sendable, Equatable {
    /// The machine's own.
    case system
    /// Nowhere: in real time, or as fast as it can be decoded.
    case null(isTimed: Bool)
    /// Into a WAVE file of 16 bits, as fast as it can be decoded: what would be heard.
    case wave(path: String)
    /// The same without a header: into a pipe, for one.
    case raw(path: String)
    /// One of mpv's outputs by its name: `pipewire`, `alsa`, `null`.
    case named(String)

    /// Takes sound as it is heard, and not as fast as it can be made.
    var isTimed: Bool {
      switch self {
      case .system, .named: true
      case .null(let isTimed): isTimed
      case .wave, .raw: false
      }
    }
  }

  public var output: Output
  /// Seconds without data after which a connection is given up.
  public var networkTimeout: Int
  /// How long a broken stream is asked for again, in seconds: the longest pause between two attempts.
  public var reconnectSeconds: Int
  /// How long a stream that broke off is opened again by ourselves after that, and how often, in seconds.
  var outagePatience = 600.0
  var outageInterval = 4.0
  /// How many bytes of a stream are held ahead; half as many behind. 8 MiB are 9 minutes at 128 kbit/s.
  public var bufferBytes: Int
  public var userAgent: String
  /// The name of an `AudioDevice`; nil: the machine's choice.
  public var device: String?
  /// Where mpv listens for commands of its JSON IPC, for its owner alone; nil: nowhere. Whoever is let in there can do
  /// whatever mpv can, which is all that the user can.
  public var ipcSocket: String?
  /// Fetches streams; nil: mpv does.
  public var streams: (any StreamSource)?
  /// What libmpv is called; tests name one that is not there.
  var libraryNames = MpvLibrary.names
  /// Puts other functions in the place of libmpv's, for tests.
  var adaptLibrary: @Sendable (MpvLibrary) -> MpvLibrary = { $0 }
  /// Further options of mpv, for tests.
  var overrides: [MpvOption] = []

  public init(
    output: Output = .system, networkTimeout: Int = 20, reconnectSeconds: Int = 10,
    bufferBytes: Int = 8 * 1024 * 1024, userAgent: String = "Earshot (podcast player)", device: String? = nil
  ) {
    self.output = output
    self.networkTimeout = networkTimeout
    self.reconnectSeconds = reconnectSeconds
    self.bufferBytes = bufferBytes
    self.userAgent = userAgent
    self.device = device
  }
}
