import Foundation
import Model
import TerminalKit

/// All that the program knows while it runs. Changed by `update` alone; drawn by `render` alone.
/// The durable truth is the store's; what is here is what is shown.
public struct State: Equatable, Sendable {
  public var size: Size
  /// When the last action happened.
  public var now: Date
  /// Where "today" and the dates of the list are.
  public var calendar: CalendarRules
  public var preferences: Preferences
  public var keymap: Keymap
  public var theme: Theme
  /// Names of the themes that can be chosen.
  public var themes: [String]

  public var podcasts: [PodcastRow] = [] {
    didSet {
      longestPodcastTitle = Layout.longest(podcasts.lazy.map(\.title))
      podcastLines = arrangement.lines(podcasts)
    }
  }
  /// The list of podcasts as it is shown: in its order, with the heads of groups.
  public private(set) var podcastLines: [PodcastLine] = []
  public var arrangement = PodcastArrangement() {
    didSet { podcastLines = arrangement.lines(podcasts) }
  }
  /// Columns; measured when the titles come, as every key asks for it several times.
  private(set) var longestPodcastTitle = 0
  public var podcastsQuery = QueryState()
  /// Rows that lists have asked for, by id: a cache over the store.
  public var rows: [EpisodeID: EpisodeRow] = [:]
  /// Rows that could not be read; they are asked for again after the next change.
  var unreadableRows: Set<EpisodeID> = []
  /// What was asked for and is not here yet.
  public var awaited = Awaited()
  public var queue: [EpisodeID] = []
  /// Those that have begun.
  public var refreshes: [RequestID: RefreshState] = [:]
  public var player: PlayerState
  /// The player has been told to get ready for sound.
  var isPlayerWarm = false
  /// Why this one plays nothing: another Earshot holds the player.
  public var refusal: String?
  /// Why the library cannot be changed now, although this one plays; nil: it can.
  public var unwritable: String?
  /// The places that were left, as they are stored.
  var storedJumps: [EpisodePlace] = []
  /// A download that is waited for to be played, and where it is to begin; nil when anything else was played since.
  var playsOnArrival: EpisodePlace?
  /// What the player has been told to make ready.
  var preparedUpcoming: UpcomingEpisode?
  /// How podcasts sound that have no settings of their own; the gain is 0.
  public var sound = SoundShape()
  /// Where the sleep timer was last set.
  public var sleepMark: SleepMark?
  public var downloads = DownloadState()
  public var sync = SyncState()

  public var tab: Tab = .podcasts
  /// `u`: the lists of podcasts show what is not played.
  public var unplayedOnly = false
  /// Podcasts that are being added and have begun to arrive.
  public var arriving: [RequestID: ArrivingPodcast] = [:]
  /// A podcast that was just added is selected once it is in the list.
  var selectWhenLoaded: PodcastID?
  /// What an undo brought back is selected once it is in a list; nil when a key was pressed since.
  var restored: Restored?
  public var screens = Screens()
  /// The topmost is the last; it alone gets the keys.
  public var overlays: [AnyOverlay] = []

  /// The view of what plays, when it covers the screen.
  public var listening: Listening?
  /// The transcript of what plays; kept while its view is closed.
  public var transcript = TranscriptPane()
  /// Covers that were drawn, and those that are on their way.
  public var covers = CoverShelf()
  /// Columns by which the listener has made the side pane and the details wider or narrower.
  public var paneWidths = PaneWidths()

  public var playlists: [PlaylistRow] = [] {
    didSet { longestPlaylistTitle = Layout.longest(playlists.lazy.map(\.title)) }
  }
  private(set) var longestPlaylistTitle = 0
  /// A playlist that was just made or renamed is selected once it is in the list.
  var playlistToSelect: String?
  /// Where something was added last: the picker begins there.
  var lastPlaylist: String?
  public var clipMark: ClipMark?
  /// The progress bar is held by the mouse.
  var dragged: Drag?
  struct Drag: Equatable, Sendable {
    /// Seconds: where it would seek to.
    var second: Double
    var hasMoved = false
  }

  /// What `earshot ctl` asked for and was done.
  var remoteRequests = 0

  /// A key was pressed, or the mouse used: somebody is there.
  var isTouched = false
  public var message: Message?
  /// Errors and warnings since the last key that others have taken the place of: nobody can have read them.
  public internal(set) var unread = 0
  /// A key was pressed since the message came.
  var isMessageSeen = false
  /// The newest last; what `:log` shows.
  public var log: [LoggedMessage] = []
  public var pendingKeys: [Key] = []
  /// Digits before a command: how often, or which line.
  public var count: Int?
  public var history = PromptHistory()
  /// Words that were looked for in the library, and in lists, since the start.
  var findHistory = PromptHistory()
  var searchHistory = PromptHistory()
  var discoverHistory = PromptHistory()

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

  /// The screen that is shown.
  public var screen: Screen {
    get { screens[tab] }
    _modify { yield &screens[tab] }
  }

  /// A message from outside `update`: what went wrong before the first screen.
  public mutating func note(_ message: Message) { say(message) }

  /// The episode that was heard last stands ready in the player bar, with the settings of its podcast: Space goes on with it.
  public mutating func offer(_ row: EpisodeRow, heard settings: PlaybackSettings = PlaybackSettings()) {
    player.offer(row, at: row.position, duration: row.duration)
    player.receive(settings, of: row.podcast)
    rows[row.id] = row
  }

  mutating func say(_ kind: Message.Kind, _ text: String) { say(Message(kind, text)) }

  mutating func say(_ message: Message) {
    if hasUnreadMessage { unread += 1 }
    self.message = message
    isMessageSeen = false
    record(message)
  }

  /// Something that nobody asked for at this moment. It does not take the place of an error or a warning since which no
  /// key was pressed: that may not have been seen yet. The log has both.
  mutating func mention(_ kind: Message.Kind, _ text: String) {
    if hasUnreadMessage, !kind.isGrave {
      record(Message(kind, text))
    } else {
      say(kind, text)
    }
  }

  /// An error or a warning is shown that came since the last key.
  var hasUnreadMessage: Bool { !isMessageSeen && message?.kind.isGrave == true }

  private mutating func record(_ message: Message) {
    log.append(LoggedMessage(message: message, time: now))
    if log.count > 500 { log.removeFirst(log.count - 500) }
  }
}
