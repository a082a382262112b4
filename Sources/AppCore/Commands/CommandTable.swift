/// The names of all commands, as typed after `:` and written in `config.toml`, in the order of the help. To add a
/// command, add its name here and its row below, which the compiler asks for.
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

/// The table of all commands: a row for each name.
extension CommandName {
  var row: Command {
    switch self {
    case .down:
      return command(.move, "Down", keys: ["j", "<Down>"], counts: .own) { $0.moveSelection(.rows($1.count ?? 1)) }
    case .up:
      return command(.move, "Up", keys: ["k", "<Up>"], counts: .own) { $0.moveSelection(.rows(-($1.count ?? 1))) }
    case .left:
      return command(.move, "Pane to the left", keys: ["h"], counts: .repeats, needsList: false) {
        $0.moveFocus(by: -1, wraps: false)
      }
    case .right:
      return command(.move, "Pane to the right", keys: ["l"], counts: .repeats, needsList: false) {
        $0.moveFocus(by: 1, wraps: false)
      }
    case .nextPane:
      return command(.move, "Next pane", keys: ["<Tab>"], counts: .repeats, needsList: false) {
        $0.moveFocus(by: 1, wraps: true)
      }
    case .previousPane:
      return command(.move, "Previous pane", keys: ["<S-Tab>"], counts: .repeats, needsList: false) {
        $0.moveFocus(by: -1, wraps: true)
      }
    case .first:
      return command(.move, "First", keys: ["g", "<Home>"], counts: .own) {
        $0.moveSelection(toLine: $1.count, else: .first)
      }
    case .last:
      return command(.move, "Last", keys: ["G", "<End>"], counts: .own) {
        $0.moveSelection(toLine: $1.count, else: .last)
      }
    case .halfPageDown:
      return command(.move, "Half a page down", keys: ["<C-d>"], counts: .repeats) { $0.moveSelection(.halfPages(1)) }
    case .halfPageUp:
      return command(.move, "Half a page up", keys: ["<C-u>"], counts: .repeats) { $0.moveSelection(.halfPages(-1)) }
    case .pageDown:
      return command(.move, "A page down", keys: ["<PageDown>", "<C-f>"], counts: .repeats) {
        $0.moveSelection(.pages(1))
      }
    case .pageUp:
      return command(.move, "A page up", keys: ["<PageUp>", "<C-b>"], counts: .repeats) { $0.moveSelection(.pages(-1)) }
    case .open: return command(.move, "Open; on an episode: play", keys: ["<Enter>"]) { $0.open() }
    case .back: return command(.move, "Back, close", keys: ["<Esc>"], needsList: false) { $0.stepBack() }
    case .search:
      return command(.move, "Search in the list", argument: .text("WORDS"), keys: ["/"], needsList: false) {
        $0.search(for: $1.argument)
      }
    case .searchNext:
      return command(.move, "Next match", keys: ["n"], counts: .repeats, unless: \.noSearch) {
        $0.searchAgain(forward: true)
      }
    case .searchPrevious:
      return command(.move, "Previous match", keys: ["N"], counts: .repeats, unless: \.noSearch) {
        $0.searchAgain(forward: false)
      }
    case .pause: return command(.playback, "Play or pause", keys: ["<Space>"]) { $0.togglePause() }
    case .play:
      return command(.playback, "Play the selected episode", unless: \.noEpisode, needsList: true) { $0.playSelected() }
    case .stop: return command(.playback, "Stop and keep the place", unless: \.nothingToStop) { $0.stop() }
    case .seekForward:
      return command(.playback, "Seek forward", keys: ["<Right>"], counts: .repeats, unless: \.noSound) {
        $0.seek(by: $0.preferences.seekForward, as: .short)
      }
    case .seekBack:
      return command(.playback, "Seek back", keys: ["<Left>"], counts: .repeats, unless: \.noSound) {
        $0.seek(by: -$0.preferences.seekBack, as: .short)
      }
    case .seekForwardLong:
      return command(.playback, "Seek forward a minute", keys: ["<S-Right>"], counts: .repeats, unless: \.noSound) {
        $0.seek(by: $0.preferences.seekForwardLong, as: .long)
      }
    case .seekBackLong:
      return command(.playback, "Seek back a minute", keys: ["<S-Left>"], counts: .repeats, unless: \.noSound) {
        $0.seek(by: -$0.preferences.seekBackLong, as: .long)
      }
    case .seek:
      return command(.playback, "Seek to a time, or by +30 or -10 seconds", argument: .time) { $0.seek($1.argument) }
    case .jumpBack:
      return command(
        .playback, "Back to the place that you jumped from", keys: ["<C-o>"], counts: .repeats, unless: \.noJumpBack
      ) { $0.stepThroughJumps(back: true) }
    case .jumpForward:
      return command(
        .playback, "Forward again, to where you went back", keys: ["<C-p>"], counts: .repeats, unless: \.noJumpForward
      ) { $0.stepThroughJumps(back: false) }
    case .whereNow: return command(.playback, "Show the title and the position", keys: ["w"]) { $0.showPosition() }
    case .nextChapter:
      return command(.playback, "Next chapter", keys: [">", "."], counts: .repeats, unless: \.noChaptersHere) {
        $0.seekChapter(1)
      }
    case .previousChapter:
      return command(.playback, "Previous chapter", keys: ["<lt>", ","], counts: .repeats, unless: \.noChaptersHere) {
        $0.seekChapter(-1)
      }
    case .chapters:
      return command(.playback, "List the chapters", keys: ["c"], unless: \.noChaptersToList, needsList: true) {
        $0.openChapters()
      }
    case .clipStart:
      return command(.playback, "Mark where a clip starts", keys: ["("], unless: \.noClipToStart, writes: true) {
        $0.markClipStart()
      }
    case .clipEnd:
      return command(
        .playback, "Mark where the clip ends, and save it", keys: [")"], unless: \.noClipToEnd, writes: true
      ) {
        $0.markClipEnd()
      }
    case .editClip:
      return command(
        .playback, "Edit the start and the end of a clip", keys: ["C"], unless: \.noClip, needsList: true, writes: true
      ) {
        $0.editClip()
      }
    case .exportClip:
      return command(
        .playback, "Write a clip as an audio file", argument: .file, keys: ["F"], unless: \.noClip, needsList: true
      ) { $0.exportClip($1.argument) }
    case .share:
      return command(
        .playback, "Copy a clip or an episode as text with a link", keys: ["Y"], unless: \.noEpisode, needsList: true
      ) {
        $0.share()
      }
    case .volumeUp:
      return command(.playback, "Louder", keys: ["+", "="], counts: .repeats) {
        $0.setVolume($0.player.volume + $0.preferences.volumeStep)
      }
    case .volumeDown:
      return command(.playback, "Quieter", keys: ["-"], counts: .repeats) {
        $0.setVolume($0.player.volume - $0.preferences.volumeStep)
      }
    case .volume:
      return command(.playback, "Set the volume", argument: .number("PERCENT"), counts: .argument) {
        $0.setVolume($1.argument)
      }
    case .faster:
      return command(.playback, "Faster", keys: ["]"], counts: .repeats) {
        $0.setSpeed($0.player.speed + $0.preferences.speedStep)
      }
    case .slower:
      return command(.playback, "Slower", keys: ["["], counts: .repeats) {
        $0.setSpeed($0.player.speed - $0.preferences.speedStep)
      }
    case .normalSpeed: return command(.playback, "Normal speed", keys: ["\\"]) { $0.setSpeed(1) }
    case .speed: return command(.playback, "Set the speed", argument: .number("FACTOR")) { $0.setSpeed($1.argument) }
    case .sleep:
      return command(.playback, "Sleep timer, or when it ends", argument: .text("WHEN"), keys: ["s"], counts: .argument)
      { $0.sleep($1.argument) }
    case .sleepExtend: return command(.playback, "Extend the sleep timer", keys: ["S"]) { $0.extendSleep() }
    case .sleepBack:
      return command(.playback, "Back to where the sleep timer was set", keys: ["B"], unless: \.noSleepMark) {
        $0.sleepBack()
      }
    case .skipSilence:
      return command(.playback, "Skip silence on or off", argument: .text("ON|OFF")) {
        $0.toggleSound(.skipSilence, $1.argument)
      }
    case .levelling:
      return command(.playback, "Level loud and quiet passages, on or off", argument: .text("ON|OFF")) {
        $0.toggleSound(.levelling, $1.argument)
      }
    case .mono:
      return command(.playback, "Mono on or off", argument: .text("ON|OFF")) { $0.toggleSound(.mono, $1.argument) }
    case .show:
      return command(
        .playback, "Settings of this podcast", argument: .text("SETTING"), keys: ["v"],
        unless: \.noPodcastForSetting, needsList: true
      ) { $0.show($1.argument) }
    case .device:
      return command(.playback, "Choose the audio device", argument: .text("DEVICE")) { $0.device($1.argument) }
    case .correctPlace:
      return command(.playback, "Go to the same place in a changed file", keys: ["@"], unless: \.noShift) {
        $0.correctPlace()
      }
    case .add:
      return command(.library, "Add a podcast", argument: .text("ADDRESS"), keys: ["a"], writes: true) {
        $0.addPodcast($1.argument)
      }
    case .subscribe:
      return command(
        .library, "Subscribe to the podcast that is shown", keys: ["a"], contexts: [.discover], writes: true
      ) {
        $0.subscribe()
      }
    case .visit:
      return command(.library, "Open a podcast without subscribing", argument: .text("ADDRESS")) {
        $0.visitAddress($1.argument)
      }
    case .refresh:
      return command(.library, "Refresh this podcast", keys: ["r"], unless: \.noPodcastToRefresh, writes: true) {
        $0.refreshSelected()
      }
    case .refreshAll:
      return command(.library, "Refresh all podcasts", keys: ["R"], unless: \.noRefreshNow, writes: true) {
        $0.startRefresh(nil)
      }
    case .played:
      return command(.library, "Played on or off", keys: ["m"], unless: \.noEpisode, writes: true) { $0.togglePlayed() }
    case .allPlayed:
      return command(.library, "Mark all as played", keys: ["M"], unless: \.noPodcast, writes: true) {
        $0.markAllPlayed()
      }
    case .delete:
      return command(.library, "Mark the episode deleted", keys: ["x"], unless: \.nothingToDelete, writes: true) {
        $0.deleteSelected()
      }
    case .unsubscribe:
      return command(.library, "Unsubscribe (asks first)", keys: ["D"], unless: \.noPodcast, writes: true) {
        $0.unsubscribeSelected()
      }
    case .tags:
      return command(
        .library, "Tags of the podcast", argument: .text("TAGS"), keys: ["#"], unless: \.noPodcast, writes: true
      ) {
        $0.tagPodcast($1.argument)
      }
    case .importLibrary:
      return command(
        .library, "Import podcasts from OPML or another program", argument: .file, keys: ["I"], writes: true
      ) { $0.importLibrary($1.argument) }
    case .exportSubscriptions:
      return command(
        .library, "Export the podcasts as OPML", argument: .file, keys: ["W"], unless: \.noPodcasts
      ) { $0.exportSubscriptions($1.argument) }
    case .undo:
      return command(.library, "Undo the last change", keys: ["U"], counts: .repeats, writes: true) { $0.undo() }
    case .redo:
      return command(.library, "Redo what was undone", keys: ["<C-r>"], counts: .repeats, writes: true) { $0.redo() }
    case .unplayedOnly:
      return command(.library, "Show only unplayed episodes, or all", keys: ["u"], unless: \.noListOfPodcast) {
        $0.toggleUnplayedOnly()
      }
    case .openLink:
      return command(
        .library, "Open a link of the description", argument: .number("LINK"), keys: ["o"], counts: .argument
      ) { $0.openLink($1.argument) }
    case .copyLink:
      return command(
        .library, "Copy a link, or the podcast's address", argument: .number("LINK"), keys: ["y"], counts: .argument
      ) { $0.copyLink($1.argument) }
    case .addToPlaylist:
      return command(.library, "Add to a playlist", argument: .playlist, keys: ["A"], unless: \.noEpisode, writes: true)
      {
        $0.addToPlaylist($1.argument)
      }
    case .newPlaylist:
      return command(
        .library, "New playlist", argument: .text("TITLE"), keys: ["a"], contexts: [.playlists], writes: true
      ) {
        $0.newPlaylist($1.argument)
      }
    case .smartPlaylist:
      return command(
        .library, "New smart playlist: a saved search", argument: .text("TITLE"), keys: ["S"], contexts: [.playlists],
        writes: true
      ) { $0.smartPlaylist($1.argument) }
    case .rename:
      return command(
        .library, "Rename the playlist or the clip", argument: .text("TITLE"), keys: ["<F2>"],
        unless: \.nothingToRename, writes: true
      ) { $0.rename($1.argument) }
    case .cancel:
      return command(
        .library, "Stop a refresh or the request for a new podcast", keys: ["<C-g>"], unless: \.nothingToCancel
      ) { $0.cancel() }
    case .download:
      return command(
        .library, "Download; pause or resume a running one", keys: ["d"], unless: \.noEpisode, writes: true
      ) {
        $0.downloadSelected()
      }
    case .dropDownload:
      return command(.library, "Cancel a download, or remove its file", keys: ["X"], unless: \.noEpisode, writes: true)
      {
        $0.dropSelectedDownload()
      }
    case .pauseDownloads:
      return command(.library, "Pause all downloads, or resume them", keys: ["P"], unless: \.noDownloads, writes: true)
      {
        $0.pauseDownloads()
      }
    case .autoDownload:
      return command(
        .library, "Download a podcast's new episodes", argument: .number("COUNT"), unless: \.noPodcast, writes: true
      ) {
        $0.setAutomaticDownload($1.argument)
      }
    case .keepDownloads:
      return command(
        .library, "Set how many files of a podcast are kept", argument: .number("COUNT"), unless: \.noPodcast,
        writes: true
      ) {
        $0.setKeptDownloads($1.argument)
      }
    case .queueLast:
      return command(.queue, "Queue at the end", keys: ["e"], unless: \.noEpisode, writes: true) {
        $0.enqueue(next: false)
      }
    case .queueNext:
      return command(.queue, "Queue to play next", keys: ["E"], unless: \.noEpisode, writes: true) {
        $0.enqueue(next: true)
      }
    case .next:
      return command(.queue, "Play the next in the queue", keys: ["b"], unless: \.noNextInQueue) { $0.playNext() }
    case .moveDown:
      return command(
        .queue, "Move the item down the queue, playlist or list", keys: ["J"], contexts: [.queue, .podcasts],
        counts: .repeats,
        unless: \.nothingToMove, writes: true
      ) { $0.moveItem(by: 1) }
    case .moveUp:
      return command(
        .queue, "Move the item up the queue, playlist or list", keys: ["K"], contexts: [.queue, .podcasts],
        counts: .repeats,
        unless: \.nothingToMove, writes: true
      ) { $0.moveItem(by: -1) }
    case .podcasts: return command(.view, "Podcasts", keys: ["1"]) { $0.show(.podcasts) }
    case .new: return command(.view, "New: unplayed episodes of all podcasts", keys: ["2"]) { $0.show(.new) }
    case .queue: return command(.view, "Queue", keys: ["3"]) { $0.show(.queue) }
    case .downloads: return command(.view, "Downloads", keys: ["4"]) { $0.show(.downloads) }
    case .playlists: return command(.view, "Playlists and clips", keys: ["5"]) { $0.show(.playlists) }
    case .history: return command(.view, "History", keys: ["6"]) { $0.show(.history) }
    case .find:
      return command(.view, "Search the whole library", argument: .text("WORDS"), keys: ["7"]) {
        $0.findInLibrary($1.argument)
      }
    case .discover:
      return command(.view, "Discover: search directories of podcasts", argument: .text("WORDS"), keys: ["8"]) {
        $0.discover($1.argument)
      }
    case .charts:
      return command(.view, "Charts of a genre and a country", argument: .text("GENRE")) {
        $0.showCharts($1.argument)
      }
    case .nowPlaying:
      return command(.view, "Now playing: cover, transcript, chapters, notes, queue", keys: ["p"]) { $0.listen(nil) }
    case .transcript:
      return command(.view, "Transcript, which follows playback", keys: ["t"], needsList: true) {
        $0.listen(.transcript)
      }
    case .details:
      return command(.view, "Details on the full screen", keys: ["i"], needsList: true) { $0.showDetails() }
    case .statistics:
      return command(.view, "Statistics: what was heard, and what time was saved", keys: ["H"]) { $0.showStatistics() }
    case .sortPodcasts:
      return command(
        .view, "Order and groups of the podcasts", argument: .order, keys: ["O"], contexts: [.podcasts],
        unless: \.noPodcasts, needsList: true
      ) { $0.sortPodcasts($1.argument) }
    case .groupByTag:
      return command(.view, "Podcasts in groups by their tags, or in one list", unless: \.noPodcasts) {
        $0.groupPodcasts()
      }
    case .fold:
      return command(.view, "Fold or unfold a group", keys: ["z"], contexts: [.podcasts], unless: \.noGroups) {
        $0.foldGroup()
      }
    case .wider:
      return command(.view, "Make the pane wider", keys: ["}"], counts: .repeats, unless: \.onePaneOnly) {
        $0.resizePane(by: 2)
      }
    case .narrower:
      return command(.view, "Make the pane narrower", keys: ["{"], counts: .repeats, unless: \.onePaneOnly) {
        $0.resizePane(by: -2)
      }
    case .nextTheme: return command(.view, "Next theme", keys: ["T"], unless: \.noThemes) { $0.chooseNextTheme() }
    case .theme: return command(.view, "Choose a theme", argument: .theme) { $0.chooseTheme($1.argument) }
    case .help: return command(.program, "Help", keys: ["?", "<F1>"]) { $0.open(HelpOverlay()) }
    case .command: return command(.program, "Command line", keys: [":"]) { $0.open(Prompt(CommandPrompt())) }
    case .log: return command(.program, "Messages of this run") { $0.open(LogOverlay()) }
    case .syncNow:
      return command(.program, "Sync with the other devices", writes: true) { state in
        // The listener has asked for a sync, so the question about held back removals is asked again.
        state.sync.askedRemovals = []
        return [.network(.sync(.now))]
      }
    case .syncStatus: return command(.program, "Status of sync") { _ in [.network(.sync(.status))] }
    case .redraw: return command(.program, "Draw the screen again", keys: ["<C-l>"]) { _ in [.terminal(.redraw)] }
    case .suspend: return command(.program, "Suspend to the shell", keys: ["<C-z>"]) { _ in [.terminal(.suspend)] }
    case .quitScreen: return command(.program, "Back, or quit", keys: ["q"]) { $0.back() ? [] : $0.quit() }
    case .quit: return command(.program, "Quit", keys: ["Q", "<C-c>"]) { $0.quit() }
    }
  }
}
