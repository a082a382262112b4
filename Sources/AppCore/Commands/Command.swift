/// Everything a user can do, by the name that is typed after `:` and written in `config.toml`.
/// The row of a name in `Command.table` says the rest.
public enum CommandName: String, CaseIterable, Sendable {
  case down, up, left, right, first, last
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case pageDown = "page-down"
  case pageUp = "page-up"
  case nextPane = "next-pane"
  case previousPane = "previous-pane"
  case open, back, details
  case add, refresh
  case refreshAll = "refresh-all"
  case played
  case allPlayed = "all-played"
  case delete
  case undo, redo
  case unsubscribe
  case unplayedOnly = "unplayed-only"
  case search
  case searchNext = "search-next"
  case searchPrevious = "search-previous"
  case openLink = "open-link"
  case download
  case dropDownload = "drop-download"
  case pauseDownloads = "pause-downloads"
  case autoDownload = "auto-download"
  case keepDownloads = "keep-downloads"
  case play
  case pause = "play-pause"
  case stop
  case seekForward = "seek-forward"
  case seekBack = "seek-back"
  case seekForwardLong = "seek-forward-long"
  case seekBackLong = "seek-back-long"
  case seek
  case whereNow = "where"
  case nextChapter = "next-chapter"
  case previousChapter = "previous-chapter"
  case chapters
  case volumeUp = "volume-up"
  case volumeDown = "volume-down"
  case volume
  case faster, slower
  case normalSpeed = "normal-speed"
  case speed
  case next
  case queueLast = "queue-last"
  case queueNext = "queue-next"
  case moveDown = "move-down"
  case moveUp = "move-up"
  case sleep
  case sleepExtend = "sleep-extend"
  case sleepBack = "sleep-back"
  case skipSilence = "skip-silence"
  case levelling, mono, show, device
  case correctPlace = "correct-place"
  case podcasts, new, queue, history, find
  case downloads
  case playlists
  case nowPlaying = "now-playing"
  case transcript
  case clipStart = "clip-start"
  case clipEnd = "clip-end"
  case addToPlaylist = "add-to-playlist"
  case newPlaylist = "new-playlist"
  case smartPlaylist = "smart-playlist"
  case rename
  case copyLink = "copy-link"
  case wider, narrower
  case cancel
  case theme
  case nextTheme = "next-theme"
  case log
  case syncNow = "sync"
  case syncStatus = "sync-status"
  case help
  case command
  case redraw
  case suspend
  case quitScreen = "back-or-quit"
  case quit
}

/// One row of the command table: keymap, help, completion and the manual are all made from it.
public struct Command: Sendable {
  /// Where the help lists it.
  public enum Group: String, CaseIterable, Sendable {
    case move = "Moving about"
    case playback = "Playback"
    case library = "Library"
    case queue = "Queue"
    case view = "Screens and views"
    case program = "Program"
  }

  /// What may follow the name after `:`.
  public enum Argument: Equatable, Sendable {
    case none
    /// A number, with the word that the help shows for it.
    case number(String)
    /// A time: `93`, `1:33`, `+30`, `-10`.
    case time
    case text(String)
    case theme
  }

  public let name: CommandName
  public let group: Group
  public let help: String
  public let argument: Argument
  /// Default keys in the notation of `KeyNotation`.
  public let keys: [String]
  /// Where the keys mean this command; `.everywhere` gives way to a nearer context.
  public let context: Context

  init(
    _ name: CommandName, _ group: Group, _ help: String, argument: Argument = .none, keys: [String] = [],
    context: Context = .everywhere
  ) {
    self.name = name
    self.group = group
    self.help = help
    self.argument = argument
    self.keys = keys
    self.context = context
  }

  public static func row(_ name: CommandName) -> Command { byName[name]! }

  /// Every name has a row: the initializer of this dictionary is checked by a test.
  private static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0) })
}

/// Where a key was pressed.
public enum Context: String, CaseIterable, Sendable {
  case everywhere, podcasts, playlists, episodes, queue, detail, player
}
