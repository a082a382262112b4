/// Screens, and what they show.
extension CommandTable {
  mutating func addViewCommands() {
    group = .view
    add(.podcasts, "Podcasts", keys: ["1"]) { $0.show(.podcasts) }
    add(.new, "New: unplayed episodes, without back catalogues", keys: ["2"]) { $0.show(.new) }
    add(.queue, "Queue", keys: ["3"]) { $0.show(.queue) }
    add(.downloads, "Downloads", keys: ["4"]) { $0.show(.downloads) }
    add(.playlists, "Playlists and clips", keys: ["5"]) { $0.show(.playlists) }
    add(.history, "History", keys: ["6"]) { $0.show(.history) }
    add(.find, "Search the whole library", argument: .text("WORDS"), keys: ["7"]) { $0.findInLibrary($1) }
    add(.discover, "Discover: search directories of podcasts", argument: .text("WORDS"), keys: ["8"]) {
      $0.discover($1)
    }
    add(.charts, "Charts of a genre and a country", argument: .text("GENRE")) { $0.showCharts($1) }
    add(.nowPlaying, "Now playing: transcript, chapters, notes", keys: ["p"]) { $0.listen(nil) }
    add(.transcript, "Transcript, which follows playback", keys: ["t"], needsList: true) { $0.listen(.transcript) }
    add(
      .transcribe, "Make a transcript, or cancel making it", keys: ["<C-t>"], counts: .rows, unless: \.cannotTranscribe,
      needsList: true, writes: true
    ) { $0.transcribeSelected() }
    add(.named("transcribe-cancel"), "Cancel the transcript being made", unless: \.nothingTranscribes, writes: true) {
      $0.cancelTranscribing()
    }
    add(.transcribing, "List of transcripts to make") { [$0.ask(TranscribingQuestion())] }
    add(.details, "Details on the full screen", keys: ["i"], unless: \.nothingToRead, needsList: true) {
      $0.showDetails()
    }
    add(.statistics, "Statistics: time listened and time saved", keys: ["H"]) { [$0.ask(StatisticsQuestion())] }
    add(.named("year"), "Your year in numbers, or another year", argument: .text("YEAR")) { $0.showYear($1) }
    add(
      .sortPodcasts, "Order and groups of the podcasts", argument: .order, keys: ["O"], contexts: [.podcasts],
      unless: \.noPodcasts, needsList: true
    ) { $0.sortPodcasts($1) }
    add(.named("group-by-tag"), "Podcasts in groups by tag, or in one list", unless: \.noPodcasts) {
      $0.groupPodcasts()
    }
    add(.fold, "Fold or unfold a group", keys: ["z"], contexts: [.podcasts], unless: \.noGroups) { $0.foldGroup() }
    add(.named("wider"), "Make the pane wider", keys: ["}"], counts: .repeats, unless: \.onePaneOnly) {
      $0.resizePane(by: 2)
    }
    add(.named("narrower"), "Make the pane narrower", keys: ["{"], counts: .repeats, unless: \.onePaneOnly) {
      $0.resizePane(by: -2)
    }
    add(.named("next-theme"), "Next theme", keys: ["T"], unless: \.noThemes) { $0.chooseNextTheme() }
    add(.named("theme"), "Choose a theme", argument: .theme) { $0.chooseTheme($1) }
  }
}

extension CommandName {
  static let podcasts = named("podcasts")
  static let new = named("new")
  static let queue = named("queue")
  static let downloads = named("downloads")
  static let playlists = named("playlists")
  static let history = named("history")
  static let find = named("find")
  static let discover = named("discover")
  static let charts = named("charts")
  static let nowPlaying = named("now-playing")
  static let transcript = named("transcript")
  static let transcribe = named("transcribe")
  static let transcribing = named("transcribing")
  static let details = named("details")
  static let statistics = named("statistics")
  static let sortPodcasts = named("sort")
  static let fold = named("fold")
}
