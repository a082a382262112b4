/// The settings of `config.toml` that State needs. Seek steps are in seconds.
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
  /// Resuming after a pause starts a few seconds earlier.
  public var rewindsAfterPause = true
  /// An episode that another one interrupts is queued to play next.
  public var queuesInterrupted = false
  /// Minutes that `sleep-extend` adds.
  public var sleepExtension: Double = 15
  public var refreshOnStart = true
  /// The rules for downloads and new episodes of all podcasts that have none of their own.
  public var podcastRules = PodcastSettings()
  /// Whether the files of played episodes are deleted.
  public var deletesPlayed = false
  /// The two-letter country whose charts are shown.
  public var country = "US"
  /// Names of the genres that have charts.
  public var genres: [String] = []
  /// Draws with ASCII only, except for texts from feeds.
  public var ascii = false
  /// Things that move are redrawn at most once in ten seconds, and text scrolls by pages.
  public var reducedMotion = false
  /// Digits are counts (`5j`), and digits with Alt switch screens. If false, it is the other way round.
  public var counts = false
  /// A program or a server of the listener makes transcripts.
  public var canTranscribe = false
  /// Shows pictures of podcasts, episodes and chapters.
  public var coverArt = true
  /// Draws the screen for screen readers and braille displays: `LinearScreen`.
  public private(set) var isLinear = false
  public init() {}

  /// Turns on linear mode, and the settings that it includes.
  public mutating func enableLinearMode() {
    isLinear = true
    ascii = true
    reducedMotion = true
    coverArt = false
  }
}

/// Values that are remembered from one run to the next. The raw value is the key in the store.
public enum Setting: String, Equatable, Sendable, CaseIterable {
  case volume, speed, theme
  case lastPlayed = "last-played"
  /// The episode that was loaded last. It may not have played yet.
  case loaded
  case sideWidth = "side-width"
  case detailWidth = "detail-width"
  /// Lines typed after `:`, one a line, newest last.
  case commandHistory = "command-history"
  case skipSilence = "skip-silence"
  case levelling, mono, device
  /// The position at which the sleep timer was last set.
  case sleepMark = "sleep-mark"
  /// These three store a `PodcastArrangement`.
  case podcastOrder = "podcast-order"
  case podcastGroups = "podcast-groups"
  case foldedTags = "folded-tags"
  /// The jump list.
  case jumps
  /// A `SavedScreen`.
  case savedScreen = "screen-place"
}
