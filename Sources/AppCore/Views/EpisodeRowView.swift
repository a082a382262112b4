import Foundation
import Model
import TerminalKit

/// One row of a list of episodes: state, title, date, duration. A title that needs the room of the date or the duration
/// takes it.
struct EpisodeRowView {
  let state: State
  let id: EpisodeID
  let namesPodcast: Bool
  let base: RowStyle
  /// The row stands for a clip of the episode.
  var clip: Clip?
  let figures: RowFigures
  let widths: RowFigures.Widths

  func draw(into frame: inout Frame, _ row: Rect) {
    frame.fill(row, style: base.background)
    guard let episode = state.rows[id] else { return }
    let glyphs = Glyphs(ascii: state.preferences.ascii)
    let isPlaying = state.player.isActive && state.player.episode?.id == id
    let sign = clip == nil || isPlaying ? glyphs.state(episode, isPlaying: isPlaying) : (glyphs.clip, .accent)
    frame.put(sign.glyph, x: row.x + 1, y: row.y, width: 1, style: base.style(sign.role))

    let marks = clip == nil ? glyphs.marks(episode) : []
    let left = row.x + 3
    let marksWidth = marks.isEmpty ? 0 : marks.count + 1
    let title = RowText.title(
      episode, clip: clip, namesPodcast: namesPodcast, glyphs: glyphs,
      room: row.maxX - left - marksWidth - widths.all)
    let needed = Clusters.width(title.text) + marksWidth
    let columns = columns(from: left, needed: needed, row: row)
    let isMatch = state.screen.search?.matches?.contains(id) ?? false
    let isDone = episode.status == .played || episode.status == .deleted
    let role: Role = isMatch ? .match : isPlaying ? .accent : isDone && clip == nil ? .played : .text
    let room = columns.titleEnd - left - marksWidth
    var x =
      left + frame.put(title.text, x: left, y: row.y, width: room, style: base.style(role), ellipsis: glyphs.ellipsis)
    if title.podcastWidth > 0, !isMatch {
      frame.restyle(Rect(x: left, y: row.y, width: min(title.podcastWidth, x - left), height: 1)) {
        Style(base.style(.dim).foreground, on: $0.background, $0.attributes.union(base.style(.dim).attributes))
      }
    }
    if !marks.isEmpty { x += 1 }
    for mark in marks { x += frame.put(mark.glyph, x: x, y: row.y, width: 1, style: base.style(mark.role)) }
    for column in columns.shown {
      frame.put(column.text, x: column.x, y: row.y, style: base.style(.dim))
    }
  }

  private struct Columns {
    var titleEnd: Int
    var shown: [(text: String, x: Int)]
  }

  /// Date and duration stand in columns at the right. A title runs over them where it needs to: the date gives way
  /// first, then the duration.
  private func columns(from left: Int, needed: Int, row: Rect) -> Columns {
    let end = row.maxX
    if let download = state.downloads[id], clip == nil {
      let text = DownloadText.column(download, ascii: state.preferences.ascii, columns: row.width / 2)
      let x = end - Clusters.width(text)
      return Columns(titleEnd: x - 1, shown: [(text, x)])
    }
    let date = (text: figures.date, x: end - widths.behindDate - figures.date.count)
    let duration = (text: figures.duration, x: end - figures.duration.count)
    for shown in [[date, duration], [duration]] {
      guard let first = shown.first(where: { !$0.text.isEmpty }) else { continue }
      if left + needed < first.x { return Columns(titleEnd: first.x - 1, shown: shown) }
    }
    return Columns(titleEnd: end, shown: [])
  }
}
