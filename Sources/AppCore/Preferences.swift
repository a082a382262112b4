import Model

/// What `config.toml` can say that concerns State. Steps in seconds.
public struct Preferences: Equatable, Sendable {
  public var seekBack: Double = 10
  public var seekForward: Double = 30
  public var seekBackLong: Double = 60
  public var seekForwardLong: Double = 60
  public var volumeStep: Double = 5
  public var speedStep: Double = 0.1
  public var speed: Double = 1
  public var volume: Double = 100
  public var sound = SoundShape()
  /// Going on after a pause begins a little earlier.
  public var rewindsAfterPause = true
  /// Minutes that `sleep-extend` adds.
  public var sleepExtension: Double = 15
  public var refreshOnStart = true
  /// Two letters: whose charts are asked for.
  public var country = "US"
  /// Names of genres that have charts.
  public var genres: [String] = []
  /// Only ASCII on the screen, but for what feeds say.
  public var ascii = false
  /// Nothing moves by itself but once in ten seconds, and text turns by pages.
  public var reducedMotion = false
  /// Digits are counts (`5j`), and `<A-1>` to `<A-8>` the screens; else it is the other way round.
  public var counts = false
  /// Pictures of podcasts, episodes and chapters.
  public var coverArt = true
  /// The screen is made for ears and for braille: `LinearScreen`.
  public private(set) var isLinear = false
  public init() {}

  /// `--linear` brings what else such a screen needs.
  public mutating func becomeLinear() {
    isLinear = true
    ascii = true
    reducedMotion = true
    coverArt = false
  }
}
