import Model
import TerminalKit

/// The texts of linear mode: the name first, then the facts in words.
enum AccessibleText {
  /// A name at the start of a row, shortened so that the facts after it stay visible.
  /// - Parameter width: of the row, in columns.
  static func name(_ text: String, _ width: Int) -> String {
    Clusters.shortened(Sanitize.line(text), columns: max(16, width / 2), ellipsis: "...")
  }

  static func podcast(_ line: PodcastLine, width: Int) -> String {
    switch line {
    case .podcast(let row): podcast(row, width: width)
    case .group(let group):
      "\(name(group.title, width)), group of \(Counted.text(group.podcasts, "podcast")), "
        + "\(Totals.words(new: group.new, unplayed: group.unplayed)), \(group.isFolded ? "folded" : "unfolded")"
    }
  }

  static func podcast(_ podcast: PodcastRow, width: Int) -> String {
    var parts = [name(podcast.title, width)]
    parts.append(podcast.unplayed > 0 ? Totals.words(new: podcast.new, unplayed: podcast.unplayed) : "all played")
    if podcast.isLive { parts.append("on air now") }
    switch podcast.health {
    case .failed: parts.append("the last refresh failed")
    case .gone: parts.append("ended by its publisher")
    case .good, .unknown: break
    }
    return parts.joined(separator: ", ")
  }

  static func result(_ row: DiscoverRow, width: Int, _ state: State) -> String {
    var parts = [name(row.title, width)]
    if let podcast = row.podcast {
      if state.subscription(podcast) != nil { parts.append("subscribed") }
      if podcast.isDead { parts.append("cannot be read any more") }
    }
    if let subtitle = row.subtitle { parts.append(name(subtitle, width)) }
    if case .podcast(let podcast, _) = row, let count = podcast.episodeCount {
      parts.append(Counted.text(count, "episode"))
    }
    if case .episode(let episode) = row, let duration = episode.duration { parts.append(words(duration)) }
    return parts.joined(separator: ", ")
  }

  static func playlist(_ playlist: Playlist, count: Int?, width: Int) -> String {
    let count = count.map { ", " + Counted.text($0, "item") } ?? ""
    return name(playlist.title, width) + (playlist.isSmart ? ", smart playlist" : "") + count
  }

  static func episode(
    _ id: EpisodeID, clip: Clip?, isInSelection: Bool = false, width: Int, _ state: State
  ) -> String {
    guard let row = state.library.rows[id] else { return "..." }
    let title = (isInSelection ? "selected, " : "") + name(row.title, width)
    if let clip {
      let own = clip.title.map { name($0, width) + ", " } ?? ""
      let note = clip.note.map { ", note: \(name($0, width))" } ?? ""
      return "\(own)\(clip.isBookmark ? "bookmark in" : "clip of") \(title), \(clip.times(" to "))\(note)"
    }
    var parts = [title]
    if state.listening == nil, let match = state.searchMatch(of: id) {
      // In a search, the time and the words of the hit come before facts that all rows have.
      if let time = match.time { parts.append("from \(TimeText.clock(time))") }
      if !match.snippet.isEmpty { parts.append("“\(Sanitize.line(match.snippet))”") }
    }
    if state.tab.kind.traits.namesPodcasts, !row.podcastTitle.isEmpty {
      parts.append(name(row.podcastTitle, width / 2))
    }
    let isPlaying = state.player.isActive && state.player.episode?.id == id
    parts.append(isPlaying ? "in the player" : status(row))
    // The length tells more than the date, so it comes first.
    parts += RowColumn.allCases.reversed().compactMap {
      $0.words(row, isPlaying: isPlaying, width: width, state)
    }
    if let cause = state.unplayable[id] { parts.append("cannot be played: " + Sanitize.line(cause)) }
    parts += RowMark.all.compactMap { $0.words(row, state) }
    return parts.joined(separator: ", ")
  }

  static func chapter(_ index: Int, of chapters: [Chapter], width: Int) -> String {
    "\(name(chapters.title(at: index), width)), at \(TimeText.clock(chapters[index].start))"
  }

  /// What plays, without the changing time.
  static func player(_ state: State) -> String {
    let player = state.player
    guard let episode = player.episode else { return player.phase == .loading ? "Opening" : "Nothing playing" }
    let title = Sanitize.line(episode.title)
    switch player.phase {
    case .loading: return "Opening: \(title)"
    case .playing:
      if player.networkWait != nil { return "Waiting for the network: \(title)" }
      return player.isStalled ? "Waiting for data: \(title)" : "Playing: \(title)"
    case .paused: return "Paused at \(TimeText.clock(player.position)): \(title)"
    case .stopped where player.isFinished: return "Played to the end: \(title)"
    case .stopped: return "Stopped at \(TimeText.clock(player.position)): \(title)"
    }
  }

  private static func status(_ row: EpisodeRow) -> String {
    switch row.status {
    case .deleted: "deleted"
    case .played: "played"
    case .new, .playing, .paused: row.position < 1 ? "new" : "begun"
    }
  }

  /// The state of a download, without numbers that change constantly.
  static func download(_ download: DownloadProgress) -> String {
    switch download.phase {
    case .waiting: "waits to be downloaded" + (download.problem.map { ": " + Sanitize.line($0) } ?? "")
    case .running: "downloading"
    case .paused: "download paused"
    case .failed(let reason): "download failed: " + Sanitize.line(reason)
    }
  }

  /// Such as `25 minutes` or `1 hour 2 minutes`. Below a minute: seconds.
  static func words(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "" }
    let seconds = min(max(0, seconds), 1e9)
    guard seconds.rounded() >= 60 else { return Counted.text(Int(seconds.rounded()), "second") }
    let minutes = Int((seconds / 60).rounded())
    guard minutes >= 60 else { return Counted.text(minutes, "minute") }
    return Counted.text(minutes / 60, "hour") + (minutes % 60 == 0 ? "" : " " + Counted.text(minutes % 60, "minute"))
  }
}
