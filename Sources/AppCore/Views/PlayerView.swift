import Model
import Session
import TerminalKit

/// The player bar: what plays, and the progress bar with chapters and the buffered part.
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
        let isAtEpisode = state.focusedPane.kind.episode(state) != nil
        let press = "\(state.keymap.press(.open)) "
        let hint = press + (isAtEpisode ? "to play the selected episode." : "on an episode to play it.")
        let nothing =
          ["Nothing playing. \(hint)", hint, press + "to play it."].first { Clusters.width($0) < rect.width }
          ?? "Nothing playing"
        frame.put(
          state.access.refusal ?? nothing, x: rect.x + 1, y: rect.y, width: rect.width - 1,
          style: theme[.dim].over(theme[.player]))
      }
      drawBar(into: &frame, rect.row(1))
      return
    }
    let podcast = episode.podcastTitle.isEmpty ? "" : separator + Sanitize.line(episode.podcastTitle)
    let chapter = (isPlayed ? nil : player.chapterTitle).map { separator + Sanitize.line($0) } ?? ""
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
      // The name of the podcast is shown after a long chapter title if both have enough columns.
      let behind = end - x - Clusters.width(podcast)
      let room = Clusters.width(chapter) > behind && behind >= Self.shortChapter ? behind : end - x
      x += frame.put(chapter, x: x, y: rect.y, width: room, style: style)
      // Not behind a chapter title that was cut, and not only its separator.
      let isWhole = Clusters.width(chapter) <= room
      if isWhole, end - x > Clusters.width(separator) + 1 || end - x >= Clusters.width(podcast) {
        frame.put(podcast, x: x, y: rect.y, width: max(0, end - x), style: style)
      }
    }
    frame.put(figures, x: rect.maxX - figuresWidth - 1, y: rect.y, style: theme[.player])
    drawBar(into: &frame, rect.row(1))
  }

  /// The minimum width in columns of a shortened chapter title.
  private static let shortChapter = 16

  /// Whether the bar shows an episode that was played to its end or is marked as played.
  private var isPlayed: Bool {
    let player = state.player
    guard player.phase == .stopped, let id = player.episode?.id else { return false }
    return player.isFinished || state.library.rows[id]?.status == .played
  }

  private var separator: String { state.glyphs.separator }

  private func sign(_ player: PlayerState) -> (glyph: String, role: Role) {
    isPlayed ? (state.glyphs.played, .played) : state.glyphs.player(player)
  }

  /// The texts on the right. If there is not enough room, the least important are left out. Texts about a normal state
  /// are only shown if the title, the chapter and the podcast fit, too.
  /// - Parameter more: the columns of chapter and podcast.
  private func figures(barWidth: Int, title: Int, more: Int) -> String {
    let player = state.player
    let total = player.duration.map { " / " + TimeText.clock($0) } ?? ""
    var parts = [TimeText.clock(shownPosition) + total]
    if player.phase == .loading { parts = ["opening"] }
    if isPlayed { parts = ["played"] + (player.duration.map { [TimeText.clock($0)] } ?? []) }
    if player.isStalled { parts.insert(PlayerText.wait(player.networkWait, columns: barWidth), at: 0) }
    var optional: [String] = []
    if let clip = state.startedClip { parts.append("clip from \(TimeText.clock(clip.seconds))") }
    if let sleep = player.sleep { optional.append(PlayerText.sleep(sleep)) }
    let factor = shownSpeed
    let speed = PlayerText.speed(factor).replacing("×", with: state.preferences.ascii ? "x" : "×")
    let volume = "vol \(Int(player.volume))%"
    if factor != 1 { optional.append(speed) }
    if player.volume != 100 { optional.append(volume) }
    if player.isActive {
      optional += PlayerText.sound(player.shape(over: state.sound), saved: player.savedSeconds)
        .map { state.preferences.ascii ? $0.replacing("−", with: "-") : $0 }
    }
    func width(with part: String) -> Int { Clusters.width((parts + [part]).joined(separator: "  ")) }
    for part in optional where width(with: part) <= barWidth / 2 { parts.append(part) }
    // A long chapter or podcast is shortened. All others are shown in full.
    let long = title + min(more, Self.shortChapter)
    let ahead = player.phase == .playing ? bufferedAhead.map { "buffered \($0)" } : nil
    let normal = [
      (part: factor == 1 ? speed : nil, beside: long),
      (player.volume == 100 ? volume : nil, title + more), (ahead, title + more),
    ]
    for (part, beside) in normal {
      if let part, width(with: part) + beside + 7 <= barWidth { parts.append(part) }
    }
    return parts.joined(separator: "  ")
  }

  /// In seconds. In steps of 10 if nothing is to move (`reduced_motion`).
  private var shownPosition: Double {
    let player = state.player
    if let target = state.keys.drag?.target(in: player.generation) { return target }
    guard state.preferences.reducedMotion, player.phase == .playing, player.position.isFinite else {
      return player.position
    }
    return (player.position / 10).rounded(.down) * 10
  }

  /// The speed. For an offered episode, the speed at which it will play.
  private var shownSpeed: Double {
    let player = state.player
    return player.isActive ? player.speed : player.speed(of: player.playbackSettings)
  }

  private var bufferedAhead: String? {
    guard let until = state.player.bufferedUntil, until > state.player.position else { return nil }
    return TimeText.clock(until - state.player.position)
  }

  private func drawBar(into frame: inout Frame, _ row: Rect) {
    let player = state.player
    let theme = state.theme
    let duration = player.duration ?? 0
    let ticks = duration > 0 ? player.chapters.map { $0.start / duration } : []
    let marks = state.marks.loaded.episode == player.episode?.id && duration > 0 ? state.marks.loaded : EpisodeMarks()
    let buffered = duration > 0 && !state.preferences.reducedMotion ? (player.bufferedUntil ?? 0) / duration : 0
    let fraction = isPlayed ? 1 : duration > 0 ? min(1, max(0, shownPosition / duration)) : 0
    let bar = ProgressBar(
      width: row.width, fraction: fraction, buffered: buffered, ticks: ticks,
      bookmarks: marks.bookmarks.map { $0 / duration },
      skipped: marks.clips.skippedRanges.map { $0.lowerBound / duration...$0.upperBound / duration },
      glyphs: state.glyphs.bar)
    for (index, piece) in bar.pieces.enumerated() {
      let role: Role =
        switch piece.kind {
        case .played: .barFilled
        case .buffered: .barBuffered
        case .rest: .barEmpty
        }
      var style = theme[role].over(theme[.player])
      if piece.isTick { style.foreground = theme[.chapterTick].foreground }
      // The hatch covers the colour of what was played.
      if piece.isSkipped, !piece.isTick { style.foreground = theme[.dim].foreground }
      frame.set(Cell(piece.glyph, style: style), x: row.x + index, y: row.y)
    }
  }
}
