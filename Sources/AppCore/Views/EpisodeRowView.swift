import Model
import TerminalKit

/// Draws a row of a list of episodes: state, title, marks and columns.
struct EpisodeRowView {
  let state: State
  let id: EpisodeID
  let base: RowStyle
  /// The clip, if the row is a clip of the episode.
  var clip: Clip?
  /// It is one of several selected rows.
  var isInSelection = false
  let columns: RowColumns

  func draw(into frame: inout Frame, _ row: Rect) {
    frame.fill(row, style: base.background)
    let glyphs = state.glyphs
    if isInSelection { frame.put(glyphs.selected, x: row.x, y: row.y, width: 1, style: base.style(.accent)) }
    guard let episode = state.library.rows[id] else { return }
    let isPlaying = state.player.isActive && state.player.episode?.id == id && isClipPlaying
    let sign =
      isPlaying
      ? glyphs.player(state.player)
      : clip != nil
        ? (glyphs.clip, .accent)
        : state.unplayable[id] == nil ? glyphs.state(episode) : (glyphs.broken, .error)
    frame.put(sign.glyph, x: row.x + 1, y: row.y, width: 1, style: base.style(sign.role))

    var left = row.x + RowColumns.titleStart
    let marksEnd = drawColumns(episode, into: &frame, row.inset(right: RowColumns.rightMargin))
    let titleEnd = marksEnd - columns.marks.count - 1
    if clip == nil {
      for (index, column) in columns.marks.enumerated() {
        guard let mark = glyphs.mark(episode, in: column) else { continue }
        frame.put(mark.glyph, x: titleEnd + 1 + index, y: row.y, width: 1, style: base.style(mark.role))
      }
    }
    let isMatch = state.screen.search?.finds(id, clip) ?? false
    let isDone = episode.status.isOver
    let role: Role = isMatch ? .match : isPlaying ? .accent : isDone && clip == nil ? .played : .text
    if let width = columns.nameWidth, clip == nil {
      let style = isMatch ? base.style(.match) : base.style(.dim)
      let podcast = Sanitize.line(episode.podcastTitle)
      frame.put(podcast, x: left, y: row.y, width: width, style: style)
      left += width + RowColumns.gap
    }
    let room = max(0, titleEnd - left)
    let title = RowText.title(episode, clip: clip, glyphs: glyphs)
    let x = left + frame.put(title, x: left, y: row.y, width: room, style: base.style(role))
    if clip == nil { drawDevice(episode, from: x, to: titleEnd, into: &frame, row) }
  }

  /// Whether the row is an episode, or a clip that plays. A clip does not count as playing while its whole episode
  /// plays.
  private var isClipPlaying: Bool {
    clip.map { $0.range != nil && state.player.excerptRange == $0.range } ?? true
  }

  /// In the history, if there is room after the title: the other device on which the episode was played.
  private func drawDevice(_ episode: EpisodeRow, from x: Int, to end: Int, into frame: inout Frame, _ row: Rect) {
    guard state.tab.kind.traits.showsWhenHeard, state.listening == nil, let device = episode.otherDevice else { return }
    let text = state.glyphs.separator + "on " + Sanitize.line(device)
    let width = Clusters.width(text)
    if x + width <= end { frame.put(text, x: x, y: row.y, width: width, style: base.style(.dim)) }
  }

  /// Draws the columns and the progress of a download.
  /// - Returns: the column where the marks end.
  private func drawColumns(_ episode: EpisodeRow, into frame: inout Frame, _ row: Rect) -> Int {
    var texts = columns.texts(episode, clip: clip, state)
    var end = row.maxX - columns.width
    if clip == nil, let download = state.downloads[id] {
      let ascii = state.preferences.ascii
      let room = end - row.x - RowColumns.titleStart - columns.marks.count - 1
      // The reason of a failed download gets half of the row, and the title the rest.
      let date = columns.shown.firstIndex(of: .date)
      let dateEnd = columns.distanceFromRight(.date).map { row.maxX - $0 } ?? end
      let words = min(row.width / 2, dateEnd - row.x - RowColumns.titleStart - 13)
      let long = DownloadText.long(
        download, ascii: ascii, hasSize: columns.shown.contains(.size), columns: room - columns.minimumTitle - 1)
      if let text = long {
        end -= Clusters.width(text) + 1
        frame.put(text, x: end + 1, y: row.y, style: base.style(.dim))
      } else if let text = DownloadText.problem(download, ascii: ascii, columns: words) {
        end = dateEnd - Clusters.width(text) - 1
        // The text covers the columns on the left of the date.
        if let date { texts.removeSubrange(...date) }
        put(text, endingAt: dateEnd, into: &frame, row)
      } else {
        // On a narrow screen one word replaces the date, or the next column if there is no date.
        if let index = date ?? columns.shown.indices.first {
          texts[index].text = DownloadText.short(download)
        } else {
          let text = DownloadText.short(download)
          put(text, endingAt: end, into: &frame, row)
          end -= Clusters.width(text) + 1
        }
      }
    }
    for (column, text) in texts {
      guard let distance = columns.distanceFromRight(column) else { continue }
      put(text, endingAt: row.maxX - distance, into: &frame, row)
    }
    return end
  }

  private func put(_ text: String, endingAt end: Int, into frame: inout Frame, _ row: Rect) {
    let width = Clusters.width(text)
    frame.put(text, x: end - width, y: row.y, width: width, style: base.style(.dim))
  }
}
