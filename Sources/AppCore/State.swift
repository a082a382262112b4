import Foundation
import Model
import TerminalKit

/// The state of the full-screen player. Only AppCore can change it: after the start with `update`, `reconcile` and
/// `becomePlayer`. Only `render` draws it. The library stores the data; State contains the part that is shown.
public struct State: Equatable, Sendable {
  public internal(set) var size: Size
  /// The time of the last action.
  public internal(set) var now: Date
  /// Converts dates to days in the listener's time zone.
  public internal(set) var calendar: CalendarRules
  public internal(set) var preferences: Preferences
  public internal(set) var keymap: Keymap
  public internal(set) var theme: Theme
  /// Names of the available themes.
  public internal(set) var themes: [String]

  public internal(set) var library = LibraryState()
  /// The podcast whose rules are listed. Nil: all rules are.
  var podcastOfRules: PodcastName?
  /// Questions, refreshes and additions that have not answered yet.
  public internal(set) var awaited = Awaited()
  public internal(set) var queue: [EpisodeID] = [] { didSet { recordLeavingQueue(from: oldValue) } }
  /// What follows the loaded episode, which has left the queue.
  var queueSuccessor: QueueSuccessor?
  public internal(set) var refreshes = Refreshes()
  public internal(set) var player: PlayerState
  var pendingPlayback = PendingPlayback()
  public internal(set) var access = Access()
  /// Why episodes could not be played, until they play.
  public internal(set) var unplayable: [EpisodeID: String] = [:]
  /// The sound of podcasts without their own settings. Its gain is 0.
  public internal(set) var sound = SoundShape()
  /// The position at which the sleep timer was last set.
  public internal(set) var sleepMark: EpisodePlace?
  public internal(set) var downloads = DownloadState()
  public internal(set) var sync = SyncState()

  public internal(set) var tab: Tab = .podcasts
  var pendingSelection = PendingSelection()
  /// Questions that wait until no overlay is open and no key waits.
  var questions: [AnyOverlay] = []
  public internal(set) var screens = Screens()
  /// The topmost is last. It alone gets the keys.
  public internal(set) var overlays: [AnyOverlay] = []

  /// The full-screen view of the playing episode; nil while it is closed.
  public internal(set) var listening: ListeningView?
  /// The transcript of the playing episode. It is kept while its view is closed.
  public internal(set) var transcript = TranscriptState()
  public internal(set) var transcribing = TranscribingState()
  /// Drawn covers, and covers that were asked for.
  public internal(set) var covers = DrawnCovers()
  var marks = Marks()

  /// Counts the requests of `earshot ctl` that were done.
  var remoteRequests = 0

  public internal(set) var messages = Messages()
  /// The listener was told that the screen is small.
  var isSmallSizeTold = false
  /// Keys that are not done yet, and the drag of the mouse.
  var keys = KeyInput()
  /// What was typed into prompts.
  public internal(set) var histories = PromptHistories()

  public init(
    size: Size, now: Date, calendar: CalendarRules = .utc, preferences: Preferences = Preferences(),
    keymap: Keymap = Keymap(), theme: Theme = .fallback, themes: [String] = []
  ) {
    self.size = size
    self.now = now
    self.calendar = calendar
    self.preferences = preferences
    self.keymap = keymap
    self.theme = theme
    self.themes = themes
    sound = preferences.sound
    player = PlayerState(speed: preferences.speed, volume: preferences.volume)
    player.rewindsAfterPause = preferences.rewindsAfterPause
  }

  /// The current screen.
  public internal(set) var screen: Screen {
    get { screens[tab] }
    _modify { yield &screens[tab] }
  }

  /// Shows the last played episode in the player bar, so that Space resumes it.
  /// - Parameter settings: the playback settings of its podcast.
  public mutating func offer(_ row: EpisodeRow, with settings: PlaybackSettings) {
    player.offer(row, at: row.position, duration: row.duration)
    player.receive(settings, of: row.podcast)
    library.remember([row])
  }
}
