/// The names of all commands, as typed after `:` and written in `config.toml`, in the order of the help. To add a
/// command, add its name here, and its row to the file of its group, `CommandTable+GROUP.swift`.
public enum CommandName: String, CaseIterable, Sendable {
  case down, up, left, right
  case nextPane = "next-pane"
  case previousPane = "previous-pane"
  case first, last
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case pageDown = "page-down"
  case pageUp = "page-up"
  case open, back, search
  case searchNext = "search-next"
  case searchPrevious = "search-previous"
  case pause = "play-pause"
  case play, stop
  case seekForward = "seek-forward"
  case seekBack = "seek-back"
  case seekForwardLong = "seek-forward-long"
  case seekBackLong = "seek-back-long"
  case seek
  case jumpBack = "jump-back"
  case jumpForward = "jump-forward"
  case whereNow = "where"
  case nextChapter = "next-chapter"
  case previousChapter = "previous-chapter"
  case chapters
  case clipStart = "clip-start"
  case clipEnd = "clip-end"
  case editClip = "edit-clip"
  case exportClip = "export-clip"
  case share
  case volumeUp = "volume-up"
  case volumeDown = "volume-down"
  case volume, faster, slower
  case normalSpeed = "normal-speed"
  case speed, sleep
  case sleepExtend = "sleep-extend"
  case sleepBack = "sleep-back"
  case skipSilence = "skip-silence"
  case levelling, mono, show, device
  case correctPlace = "correct-place"
  case add, subscribe, visit, refresh
  case refreshAll = "refresh-all"
  case played
  case allPlayed = "all-played"
  case delete, unsubscribe, tags
  case importLibrary = "import"
  case exportSubscriptions = "export"
  case undo, redo
  case unplayedOnly = "unplayed-only"
  case openLink = "open-link"
  case copyLink = "copy-link"
  case addToPlaylist = "add-to-playlist"
  case newPlaylist = "new-playlist"
  case smartPlaylist = "smart-playlist"
  case rename, cancel, download
  case dropDownload = "drop-download"
  case pauseDownloads = "pause-downloads"
  case autoDownload = "auto-download"
  case keepDownloads = "keep-downloads"
  case queueLast = "queue-last"
  case queueNext = "queue-next"
  case next
  case moveDown = "move-down"
  case moveUp = "move-up"
  case podcasts, new
  case queue = "Queue"
  case downloads, playlists, history, find, discover, charts
  case nowPlaying = "now-playing"
  case transcript, details, statistics
  case sortPodcasts = "sort"
  case groupByTag = "group-by-tag"
  case fold, wider, narrower
  case nextTheme = "next-theme"
  case theme, help, command, log
  case syncNow = "sync"
  case syncStatus = "sync-status"
  case redraw, suspend
  case quitScreen = "back-or-quit"
  case quit
}
