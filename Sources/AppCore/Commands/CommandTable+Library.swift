/// Podcasts, episodes, playlists and downloads.
extension CommandTable {
  mutating func addLibraryCommands() {
    group = .library
    add(.add, "Add a podcast", argument: .text("ADDRESS"), keys: ["a"], writes: true) { $0.addPodcast($1) }
    add(.subscribe, "On Discover: subscribe to the podcast", keys: ["a"], contexts: [.discover], writes: true) {
      $0.subscribe()
    }
    add(.visit, "Open a podcast without subscribing", argument: .text("ADDRESS")) { $0.visitAddress($1) }
    add(.refresh, "Refresh this podcast", keys: ["r"], unless: \.noPodcastToRefresh, writes: true) {
      $0.refreshSelected()
    }
    add(.refreshAll, "Refresh all podcasts", keys: ["R"], unless: \.noRefreshNow, writes: true) { $0.startRefresh(nil) }
    add(.played, "Played on or off", keys: ["m"], counts: .rows, unless: \.noTargets, writes: true) {
      $0.act(.togglePlayed, on: $0.targets)
    }
    add(
      .named("all-played"), "Mark the list as played, or a part of it", keys: ["M"], unless: \.noListToMark,
      writes: true
    ) { $0.markListPlayed() }
    add(
      .delete, "Mark as deleted, or bring back", keys: ["x"], counts: .rows, unless: \.nothingToDelete, writes: true
    ) { $0.deleteSelected() }
    add(.unsubscribe, "Unsubscribe (asks first)", keys: ["D"], unless: \.noPodcast, writes: true) {
      $0.unsubscribeSelected()
    }
    add(
      .tags, "Tags of the podcast, the episode or the clip", argument: .text("TAGS"), keys: ["#"], counts: .rows,
      unless: \.nothingToTag, writes: true
    ) { $0.tagSelected($1) }
    add(.named("import"), "Import podcasts from OPML or another program", argument: .file, keys: ["I"], writes: true) {
      $0.importLibrary($1)
    }
    add(.exportSubscriptions, "Export the podcasts as OPML", argument: .file, keys: ["W"], unless: \.noPodcasts) {
      $0.exportSubscriptions($1)
    }
    add(.undo, "Undo the last change", keys: ["U"], counts: .repeats, writes: true) { _ in [.write(.undo)] }
    add(.redo, "Redo what was undone", keys: ["<C-r>"], counts: .repeats, writes: true) { _ in [.write(.redo)] }
    add(.unplayedOnly, "Show only unplayed episodes, or all", keys: ["u"], unless: \.noListOfPodcast) {
      $0.toggleUnplayedOnly()
    }
    add(.openLink, "Open a link of the description", argument: .text("LINK"), keys: ["o"], counts: .argument) {
      $0.openLink($1)
    }
    add(.copyLink, "Copy a link, or the podcast's address", argument: .text("LINK"), keys: ["y"], counts: .argument) {
      $0.copyLink($1)
    }
    add(
      .addToPlaylist, "Add to a playlist", argument: .playlist, keys: ["A"], counts: .rows, unless: \.noTargets,
      writes: true
    ) { $0.addToPlaylist($1) }
    add(
      .newPlaylist, "On Playlists: new playlist", argument: .text("TITLE"), keys: ["a"], contexts: [.playlists],
      writes: true
    ) { $0.newPlaylist($1) }
    add(
      .smartPlaylist, "On Playlists: new smart playlist", argument: .text("TITLE"), keys: ["S"], contexts: [.playlists],
      writes: true
    ) { $0.smartPlaylist($1) }
    add(
      .editFilter, "On Playlists: change a filter", argument: .text("FILTER"), keys: ["f"], contexts: [.playlists],
      unless: \.noSmartPlaylist, writes: true
    ) { $0.editFilter($1) }
    add(.filter, "Filter the list", argument: .text("FILTER"), keys: ["f"], unless: \.noListToFilter) {
      $0.filterList($1)
    }
    add(
      .saveFilter, "Save the filter as a smart playlist", argument: .text("TITLE"), unless: \.noFilter, writes: true
    ) { $0.saveFilter($1) }
    add(
      .rename, "Rename the playlist or the clip", argument: .text("TITLE"), keys: ["<F2>"], unless: \.nothingToRename,
      writes: true
    ) { $0.handleOnScreen(.rename($1)) ?? [] }
    add(.named("rules"), "Rules: what Earshot does by itself") { [$0.ask(RulesQuestion())] }
    add(.hidden, "Episodes that rules have hidden") { [$0.ask(HiddenQuestion(since: $0.hiddenSince))] }
    add(.cancel, "Stop a refresh or the request for a new podcast", keys: ["<C-g>"], unless: \.nothingToCancel) {
      $0.cancel()
    }
    add(
      .download, "Download; pause or resume a running one", keys: ["d"], counts: .rows, unless: \.noTargets,
      writes: true
    ) { $0.downloadSelected() }
    add(
      .dropDownload, "Cancel a download, or remove its file", keys: ["X"], counts: .rows, unless: \.noTargets,
      writes: true
    ) { $0.act(.dropDownloads, on: $0.targets) }
    add(.pauseDownloads, "Pause all downloads, or resume them", keys: ["P"], unless: \.noDownloads, writes: true) {
      $0.pauseDownloads()
    }
    add(
      .named("auto-download"), "Download a podcast's new episodes", argument: .text("COUNT"), unless: \.noPodcast,
      writes: true
    ) { $0.show(.autoDownload, $1) }
    add(
      .named("keep-downloads"), "Set how many files a podcast keeps", argument: .text("COUNT"), unless: \.noPodcast,
      writes: true
    ) { $0.show(.keepDownloads, $1) }
  }
}

extension CommandName {
  static let add = named("add")
  static let subscribe = named("subscribe")
  static let visit = named("visit")
  static let refresh = named("refresh")
  static let refreshAll = named("refresh-all")
  static let played = named("played")
  static let delete = named("delete")
  static let unsubscribe = named("unsubscribe")
  static let tags = named("tags")
  static let exportSubscriptions = named("export")
  static let undo = named("undo")
  static let redo = named("redo")
  static let unplayedOnly = named("unplayed-only")
  static let openLink = named("open-link")
  static let copyLink = named("copy-link")
  static let addToPlaylist = named("add-to-playlist")
  static let newPlaylist = named("new-playlist")
  static let smartPlaylist = named("smart-playlist")
  static let editFilter = named("edit-filter")
  static let filter = named("filter")
  static let saveFilter = named("save-filter")
  static let rename = named("rename")
  static let cancel = named("cancel")
  static let hidden = named("hidden")
  static let download = named("download")
  static let dropDownload = named("drop-download")
  static let pauseDownloads = named("pause-downloads")
}
