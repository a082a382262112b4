import Model
import TerminalKit

/// The player bar: what plays and how, and the progress with chapter ticks and the buffered part.
struct PlayerView {
  let state: State

  func draw(into frame: inout Frame, _ rect: Rect) {
    let theme = state.theme
    let player = state.player
    frame.fill(rect, style: theme[.player])
    guard rect.height >= 2 else { return }
    guard let episode = player.episode else {
      if player.phase == .loading {
        frame.put("Opening…", x: rect.x + 1, y: rect.y, style: theme[.dim].over(theme[.player]))
      } else {
        frame.put(
          "Nothing playing: Enter plays the selected episode", x: rect.x + 1, y: rect.y, width: rect.width - 1,
          style: theme[.dim].over(theme[.player]))
      }
      drawBar(into: &frame, rect.row(1))
      return
    }
    let podcast = episode.podcastTitle.isEmpty ? "" : separator + Sanitize.line(episode.podcastTitle)
    let chapter = player.chapter?.title.map { separator + Sanitize.line($0) } ?? ""
    let figures = figures(
      barWidth: rect.width, title: Clusters.width(Sanitize.line(episode.title)),
      more: Clusters.width(chapter + podcast))
    let figuresWidth = Clusters.width(figures)
    let sign = sign(player)
    var x = rect.x + 1
    x += frame.put(sign.glyph, x: x, y: rect.y, style: theme[sign.role].over(theme[.player])) + 1
    let end = rect.maxX - figuresWidth - 3
    x += frame.put(
      episode.title, x: x, y: rect.y, width: max(0, end - x), style: theme[.playerTitle].over(theme[.player]))
    if end - x > 8 {
      let style = theme[.dim].over(theme[.player])
      // A long chapter leaves room for the podcast's name, if there is room for both at all.
      let behind = end - x - Clusters.width(podcast)
      let room = Clusters.width(chapter) > behind && behind >= Self.shortChapter ? behind : end - x
      x += frame.put(chapter, x: x, y: rect.y, width: room, style: style)
      frame.put(podcast, x: x, y: rect.y, width: max(0, end - x), style: style)
    }
    frame.put(figures, x: rect.maxX - figuresWidth - 1, y: rect.y, style: theme[.player])
    drawBar(into: &frame, rect.row(1))
  }

  /// Columns below which a chapter's name says too little to share them.
  private static let shortChapter = 16

  private var separator: String { Glyphs(ascii: state.preferences.ascii).separator }

  private func sign(_ player: PlayerState) -> (glyph: String, role: Role) {
    let glyphs = Glyphs(ascii: state.preferences.ascii)
    switch player.phase {
    case .loading: return (glyphs.waiting, .warning)
    case .playing: return player.isStalled ? (glyphs.waiting, .warning) : (glyphs.play, .accent)
    case .paused: return (glyphs.pause, .progress)
    case .stopped: return (glyphs.stopped, .dim)
    }
  }

  /// The figures at the right; the least needed go first where there is no room. Those that say that all is as usual
  /// are there only where they leave room for the title, and for chapter and podcast, which take `more` columns.
  private func figures(barWidth: Int, title: Int, more: Int) -> String {
    let player = state.player
    let total = player.duration.map { " / " + TimeText.clock($0) } ?? ""
    var parts = [TimeText.clock(shownPosition) + total]
    if player.phase == .loading { parts = ["opening"] }
    if player.isStalled { parts.insert("buffering", at: 0) }
    var optional: [String] = []
    if let mark = state.clipMark, mark.episode == player.episode?.id {
      parts.append("clip from \(TimeText.clock(mark.start))")
    }
    if let sleep = player.sleep { optional.append(PlayerText.sleep(sleep)) }
    let speed = state.preferences.ascii ? asciiSpeed : PlayerText.speed(player.speed)
    let volume = "vol \(Int(player.volume))%"
    if player.speed != 1 { optional.append(speed) }
    if player.volume != 100 { optional.append(volume) }
    if player.isActive {
      optional += PlayerText.sound(player.shape(over: state.sound), saved: player.savedSeconds)
        .map { state.preferences.ascii ? $0.replacing("−", with: "-") : $0 }
    }
    func width(with part: String) -> Int { Clusters.width((parts + [part]).joined(separator: "  ")) }
    for part in optional where width(with: part) <= barWidth / 2 { parts.append(part) }
    // Of a long chapter or podcast enough is left; the others give way to the whole of both.
    let long = title + min(more, Self.shortChapter)
    let ahead = player.phase == .playing ? bufferedAhead.map { "cache \($0)" } : nil
    let usual = [
      (part: player.speed == 1 ? speed : nil, beside: long),
      (player.volume == 100 ? volume : nil, title + more), (ahead, title + more),
    ]
    for (part, beside) in usual {
      if let part, width(with: part) + beside + 7 <= barWidth { parts.append(part) }
    }
    return parts.joined(separator: "  ")
  }

  /// Seconds; in steps of ten where nothing shall move by itself.
  private var shownPosition: Double {
    let player = state.player
    if let drag = state.dragged, drag.hasMoved { return drag.second }
    guard state.preferences.reducedMotion, player.phase == .playing, player.position.isFinite else {
      return player.position
    }
    return (player.position / 10).rounded(.down) * 10
  }

  private var asciiSpeed: String { PlayerText.speed(state.player.speed).replacing("×", with: "x") }

  private var bufferedAhead: String? {
    guard let until = state.player.bufferedUntil, until > state.player.position else { return nil }
    return TimeText.clock(until - state.player.position)
  }

  private func drawBar(into frame: inout Frame, _ row: Rect) {
    let player = state.player
    let theme = state.theme
    let duration = player.duration ?? 0
    let ticks = duration > 0 ? player.chapters.map { $0.start / duration } : []
    let buffered = duration > 0 && !state.preferences.reducedMotion ? (player.bufferedUntil ?? 0) / duration : 0
    let fraction = duration > 0 ? min(1, max(0, shownPosition / duration)) : 0
    let bar = ProgressBar(
      width: row.width, fraction: fraction, buffered: buffered, ticks: ticks,
      glyphs: state.preferences.ascii ? .ascii : .blocks)
    for (index, piece) in bar.pieces.enumerated() {
      let role: Role =
        switch piece.kind {
        case .played, .head: .barFilled
        case .buffered: .barBuffered
        case .rest: .barEmpty
        }
      var style = theme[role].over(theme[.player])
      if piece.isTick { style.foreground = theme[.chapterTick].foreground }
      frame.set(Cell(piece.glyph, style: style), x: row.x + index, y: row.y)
    }
  }
}

/// The line above the player: the last message, else the refresh that is under way, else the keys that matter here.
struct StatusView {
  let state: State

  func draw(into frame: inout Frame, _ rect: Rect) {
    let theme = state.theme
    frame.fill(rect, style: theme[.status])
    var end = rect.maxX
    if let refresh = state.refresh {
      let text = "refreshing \(refresh.done)/\(refresh.total)"
      let bar = rect.width >= 70 ? " " + self.bar(refresh) : ""
      let width = Clusters.width(text + bar)
      end -= width + 1
      frame.put(text + bar, x: max(rect.x, end), y: rect.y, style: theme[.progress].over(theme[.status]))
      end -= 1
    }
    if let asked = state.adding.last {
      let host = asked.address.split(separator: "/").dropFirst(asked.address.contains("://") ? 1 : 0).first ?? ""
      let text = Clusters.fit("asking \(Sanitize.line(String(host)))", columns: max(6, rect.width / 3), ellipsis: "…")
      end -= text.width + 1
      frame.put(
        text.clusters.map(\.text).joined(), x: max(rect.x, end), y: rect.y, style: theme[.progress].over(theme[.status])
      )
      end -= 1
    } else if state.refresh == nil, state.downloads.running > 0 {
      let share = state.downloads.fraction.map { " \(Int($0 * 100)) %" } ?? ""
      let text = "\(Glyphs(ascii: state.preferences.ascii).download) \(state.downloads.running)\(share)"
      end -= Clusters.width(text) + 1
      frame.put(text, x: max(rect.x, end), y: rect.y, style: theme[.progress].over(theme[.status]))
      end -= 1
    }
    if let typed = pending {
      end -= Clusters.width(typed) + 1
      frame.put(typed, x: max(rect.x, end), y: rect.y, style: theme[.key].over(theme[.status]))
      end -= 1
    }
    let room = end - rect.x - 1
    guard room > 0 else { return }
    if let message = state.message {
      draw(message, into: &frame, rect, room: room)
    } else if let place = state.selectedPlace, place.time != nil || !place.snippet.isEmpty {
      draw(place, into: &frame, x: rect.x + 1, y: rect.y, room: room)
    } else {
      drawHints(into: &frame, x: rect.x + 1, y: rect.y, room: room)
    }
  }

  /// What a search found in the selected episode, and from where Enter plays it.
  private func draw(_ place: SearchPlace, into frame: inout Frame, x: Int, y: Int, room: Int) {
    var shift = 0
    if let time = place.time, let key = state.keymap.hint(.open) {
      shift = frame.put(key, x: x, y: y, width: room, style: state.theme[.key].over(state.theme[.status])) + 1
      let text = "from \(TimeText.clock(time))"
      shift += frame.put(text, x: x + shift, y: y, width: max(0, room - shift), style: state.theme[.status]) + 2
    }
    frame.put(
      Sanitize.line(place.snippet), x: x + shift, y: y, width: max(0, room - shift), style: state.theme[.status],
      ellipsis: Glyphs(ascii: state.preferences.ascii).ellipsis)
  }

  /// A message that does not fit its row grows upwards, over what the next key shows again.
  private func draw(_ message: Message, into frame: inout Frame, _ rect: Rect, room: Int) {
    let more = state.unread > 0 ? " (\(state.unread) more: :log)" : ""
    let text = message.kind.sign + Sanitize.line(message.text) + more
    let style = style(message.kind)
    guard Clusters.width(text) > room else {
      frame.put(text, x: rect.x + 1, y: rect.y, width: room, style: style)
      return
    }
    let lines = TextFlow.wrap(text, width: max(1, room)).prefix(min(Self.mostLines, rect.y))
    for (index, line) in lines.enumerated() {
      let y = rect.y - lines.count + 1 + index
      let width = y == rect.y ? room + 1 : rect.width
      frame.fill(Rect(x: rect.x, y: y, width: width, height: 1), style: state.theme[.status])
      frame.put(line, x: rect.x + 1, y: y, width: room, style: style)
    }
  }

  /// Rows that a message takes at most.
  private static let mostLines = 4

  /// What was typed of a command that is not whole yet.
  private var pending: String? {
    let keys = state.pendingKeys.map(\.description).joined()
    let text = (state.count.map(String.init) ?? "") + keys
    return text.isEmpty ? nil : text
  }

  private func style(_ kind: Message.Kind) -> Style {
    let role: Role =
      switch kind {
      case .note: .status
      case .success: .success
      case .warning: .warning
      case .error: .error
      }
    return state.theme[role].over(state.theme[.status])
  }

  private func bar(_ refresh: RefreshState) -> String {
    let fraction = refresh.total > 0 ? Double(refresh.done) / Double(refresh.total) : 0
    let glyphs: ProgressBar.Glyphs = state.preferences.ascii ? .ascii : .blocks
    return "[" + ProgressBar(width: 12, fraction: fraction, glyphs: glyphs).text + "]"
  }

  /// As many hints as fit, the most needed first.
  private func drawHints(into frame: inout Frame, x: Int, y: Int, room: Int) {
    let keyStyle = state.theme[.key].over(state.theme[.status])
    let textStyle = state.theme[.status]
    var x = x
    let end = x + room
    for (name, word) in hints {
      guard let key = state.keymap.hint(name) else { continue }
      let width = Clusters.width(key) + 1 + Clusters.width(word)
      guard x + width <= end else { continue }
      x += frame.put(key, x: x, y: y, style: keyStyle) + 1
      x += frame.put(word, x: x, y: y, style: textStyle) + 2
    }
  }

  private var hints: [(CommandName, String)] {
    switch state.focusedPane {
    case .podcasts where state.podcasts.isEmpty:
      [(.add, "add a podcast"), (.help, "help"), (.command, "command"), (.quitScreen, "quit")]
    case .episodes where state.screen.episodes.ids.isEmpty:
      // What acts on an episode would be dead here.
      [
        (.find, "search the library"), (.podcasts, "podcasts"), (.help, "help"), (.new, "new"), (.back, "back"),
        (.refreshAll, "refresh"),
      ]
    case .podcasts:
      [
        (.open, "open"), (.add, "add"), (.refreshAll, "refresh"), (.help, "help"), (.pause, "play"),
        (.search, "search"),
        (.unsubscribe, "unsubscribe"), (.quitScreen, "quit"),
      ]
    case .episodes where state.tab == .downloads:
      [
        (.open, "play"), (.download, "pause"), (.dropDownload, "remove"), (.help, "help"),
        (.pauseDownloads, "pause all"),
        (.details, "read"), (.played, "played"), (.back, "back"),
      ]
    case .episodes where state.tab == .queue:
      [
        (.open, "play"), (.moveDown, "down"), (.moveUp, "up"), (.queueLast, "take out"), (.help, "help"),
        (.details, "read"), (.next, "play next"), (.back, "back"),
      ]
    case .episodes where state.tab == .playlists:
      [
        (.open, "play"), (.details, "read"), (.delete, "take out"), (.help, "help"), (.moveDown, "down"),
        (.moveUp, "up"), (.queueLast, "queue"), (.back, "back"), (.undo, "undo"),
      ]
    case .episodes where state.tab == .find:
      [
        (.open, "play"), (.details, "read"), (.find, "search again"), (.help, "help"), (.queueLast, "queue"),
        (.download, "download"), (.back, "back"),
      ]
    case .episodes:
      [
        (.open, "play"), (.details, "read"), (.help, "help"), (.queueLast, "queue"), (.delete, "delete"),
        (.played, "played"), (.search, "search"), (.back, "back"), (.undo, "undo"),
      ]
    case .playlists:
      [
        (.open, "open"), (.newPlaylist, "new"), (.smartPlaylist, "smart"), (.help, "help"), (.rename, "rename"),
        (.delete, "delete"), (.back, "back"), (.undo, "undo"),
      ]
    case .transcript, .chapters, .upNext, .notes, .cover:
      [
        (.open, state.focusedPane == .upNext ? "play" : "seek here"), (.nextPane, "next part"), (.back, "back"),
        (.help, "help"), (.transcript, "follow"), (.clipStart, "clip from"), (.clipEnd, "clip to"), (.search, "search"),
        (.sleep, "sleep"),
      ]
    case .detail:
      [
        (.back, "back"), (.down, "down"), (.pageDown, "page"), (.help, "help"), (.openLink, "links"),
        (.search, "search"),
        (.pause, "play"),
      ]
    }
  }
}
