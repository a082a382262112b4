import Model
import Session
import TerminalKit

/// Why a command cannot be used now, as a sentence; nil when it can.
extension State {
  var noEpisode: String? { selectedEpisode == nil ? "Choose an episode first" : nil }
  /// Why a command that acts on `targets` has nothing to act on.
  var noTargets: String? {
    guard targets.isEmpty else { return nil }
    return focusedPane == .playlists && selectedPlaylist != nil ? "This playlist is empty" : noEpisode
  }
  var noListToFilter: String? {
    let isThere = tab.kind.panes(self).contains(.episodes) && (tab != .podcasts || !library.podcasts.isEmpty)
    return listening == nil && isThere ? nil : "Only lists of episodes can be filtered"
  }
  var noFilter: String? {
    screen.filter == nil ? "This list has no filter. \(keymap.press(.filter)) to set one." : nil
  }
  /// A narrowed list does not show what is between its rows.
  var movesOnlyWholeList: String? {
    screen.filter == nil ? nil : "Items can be moved only in the whole list. \(keymap.press(.back)) to show it."
  }
  var noListToMark: String? {
    if listening != nil {
      return "\(keymap.press(.played)) to mark the episode, or \(keymap.hint(.back)) to go to a list."
    }
    return screen.episodes.ids.isEmpty ? "There is no list of episodes here to mark" : nil
  }
  var noRows: String? {
    if focusedPane == .podcasts, selectedPodcast != nil {
      return "Podcasts cannot be selected together. \(keymap.press(.open)) to select episodes of this one."
    }
    let isThere = focusedPane == .episodes && !screen.episodes.ids.isEmpty
    return isThere ? nil : "Rows can be selected only in lists of episodes"
  }
  var noQueue: String? { queue.isEmpty ? "The queue is empty already" : nil }
  var noPodcast: String? { selectedPodcast == nil ? "Choose a podcast first" : nil }
  var nothingToTag: String? {
    selectedEpisode == nil && selectedPodcast == nil ? "Choose a podcast first, or an episode or a clip" : nil
  }
  var noSearch: String? {
    screen.search == nil ? "Nothing was searched for yet. \(keymap.press(.search)) to search." : nil
  }

  // MARK: The player

  var cannotPlay: String? { access.refusal.map { "Cannot play: \($0)" } }
  /// Another Earshot plays, so the sound and the sleep timer are not this one's to change.
  var otherPlays: String? { access.refusal }
  var stillOpening: String? { player.phase == .loading ? PlayerText.stillOpening(player.episode) : nil }
  var noSound: String? {
    if let stillOpening { return stillOpening }
    return player.isActive ? nil : "Nothing is playing"
  }
  /// An item that is still loading can be stopped, too.
  var nothingToStop: String? { player.isActive ? nil : "Nothing is playing" }
  var noJumpBack: String? {
    if let stillOpening { return stillOpening }
    if player.jumps.canGoBack { return nil }
    return player.jumps.canGoForward
      ? "No earlier jump. \(keymap.press(.jumpForward)) to go forward."
      : "You have not jumped anywhere yet"
  }
  var noJumpForward: String? {
    if let stillOpening { return stillOpening }
    if player.jumps.canGoForward { return nil }
    return player.jumps.canGoBack
      ? "No later jump. \(keymap.press(.jumpBack)) to go back." : "You have not jumped anywhere yet"
  }
  var noChaptersHere: String? { player.chapters.isEmpty ? "This episode has no chapters" : nil }
  var noChaptersToList: String? {
    guard listening == nil, episodeToRead == nil, player.chapters.isEmpty else { return nil }
    if player.isActive { return "This episode has no chapters" }
    return player.episode == nil ? "Choose an episode first" : nil
  }
  private var canMark: Bool { player.isActive && player.phase != .loading && player.episode != nil }
  var noClipToStart: String? { canMark ? nil : "Play an episode to start a clip" }
  var noBookmark: String? { canMark ? nil : "Play an episode to set a bookmark" }
  var noPartToSkip: String? {
    if startedClip != nil { return nil }
    return "\(keymap.press(.clipStart)) where the part to skip starts"
  }
  var noClipToEnd: String? {
    if startedClip != nil { return nil }
    if player.isActive, openBookmark != nil { return nil }
    return "No clip started. \(keymap.press(.clipStart)) at its start."
  }
  var noSoundOfClip: String? {
    guard selectedEntry?.clip?.isBookmark == true else { return noClip }
    return "A bookmark has no end. \(keymap.press(.editClip)) to give it one."
  }
  var noClip: String? {
    selectedEntry?.clip == nil
      ? "Choose a clip first. \(keymap.press(.playlists)) to show them, or \(keymap.hint(.clipStart)) to start one."
      : nil
  }
  var noSleepMark: String? { sleepMark == nil ? "The sleep timer has not been set yet" : nil }
  var noShift: String? { PlayerText.position(player.positionInFile) }
  var noSmartPlaylist: String? { selectedPlaylist?.isSmart == true ? nil : "Only smart playlists have a filter" }
  var noPodcastForSetting: String? { settingTarget == nil ? "No podcast is selected" : nil }
  var noNextInQueue: String? {
    if queue.contains(where: { $0 != player.episode?.id }) { return nil }
    guard queue.isEmpty else { return "Nothing else is in the queue" }
    let hint = selectedEpisode == nil ? "" : ". \(keymap.press(.queueLast)) to add the selected episode."
    return "The queue is empty" + hint
  }

  // MARK: The library

  var noPodcastToRefresh: String? { noPodcast.map { "\($0). \(keymap.press(.refreshAll)) to refresh all." } }
  var noRefreshNow: String? {
    if !awaited.refreshes.isEmpty { return "A refresh is already running" }
    return library.podcasts.isEmpty ? "There is no podcast to refresh yet. \(keymap.press(.add)) to add one." : nil
  }
  var nothingToDelete: String? {
    listening == nil && !screen.isReading
      ? tab.kind.handling(of: .delete, self).reason(common: noEpisode) : noEpisode
  }
  var noListOfPodcast: String? {
    tab.kind.traits.canHidePlayed ? nil : "Open the list of a podcast first"
  }
  var nothingToRename: String? {
    tab.kind.handling(of: .rename(nil), self).reason(
      common: "Playlists and clips can be renamed. \(keymap.press(.playlists)) to show them.")
  }
  var onlyQueueMoves: String { "Only episodes of the queue can be moved. \(keymap.press(.queue)) to show it." }
  var nothingToMove: String? {
    listening == nil ? tab.kind.handling(of: .move(by: 1), self).reason(common: onlyQueueMoves) : nil
  }
  var nothingToCancel: String? {
    awaited.additions.isEmpty && awaited.refreshes.isEmpty && !awaited.contains(.directories)
      ? "Nothing to stop" : nil
  }
  var noDownloads: String? {
    downloads.isEmpty
      ? "Nothing is being downloaded. \(keymap.press(.download)) on an episode to download it." : nil
  }

  var noGroups: String? {
    guard tab == .podcasts, listening == nil else {
      return "Only groups of podcasts can be folded. \(keymap.press(.podcasts)) to show them."
    }
    if library.podcastLines.contains(where: { $0.group != nil }) { return nil }
    return library.arrangement.isGrouped
      ? "No groups yet: no podcast has a tag"
      : "No groups yet. \(keymap.press(.named("group-by-tag"))) to group by tag."
  }
  var noPodcasts: String? {
    library.podcasts.isEmpty ? "There is no podcast yet. \(keymap.press(.add)) to add one." : nil
  }

  // MARK: The view

  /// Nothing is selected whose details could be shown.
  var nothingToRead: String? {
    guard listening == nil, !screen.isReading, tab.kind.details(self).subject == nil else { return nil }
    return tab == .podcasts ? noPodcasts ?? noPodcast : noEpisode
  }
  var onePaneOnly: String? {
    layout.areas.count > 1 && listening == nil ? nil : "There is only one pane here"
  }
  var noThemes: String? { themes.isEmpty ? "No other themes were found" : nil }
}
