import Foundation
import Model
import TerminalKit

/// The podcasts, each with its count of unplayed episodes.
struct PodcastsView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    guard !state.podcasts.isEmpty else {
      let lines =
        state.podcastsQuestion.hasAnswer
        ? ["No podcasts yet.", "a adds one by its address,", "earshot import FILE", "takes an OPML file."] : []
      return EmptyText(theme: state.theme, lines: lines).draw(into: &frame, rect)
    }
    let list = state.screen.podcasts
    let words = state.screen.search.map { SearchText.fold($0.words) }
    for (line, index) in list.visibleRange(height: rect.height).enumerated()
    where state.podcasts.indices.contains(index) {
      draw(
        state.podcasts[index], isSelected: index == list.selected, words: words, into: &frame, rect.row(line))
    }
  }

  private func draw(_ podcast: PodcastRow, isSelected: Bool, words: String?, into frame: inout Frame, _ row: Rect) {
    let theme = state.theme
    let base = RowStyle(theme: theme, isSelected: isSelected, isFocused: isFocused)
    frame.fill(row, style: base.background)
    let count = podcast.unplayed > 0 ? String(podcast.unplayed) : ""
    let isBroken = if case .failed = podcast.health { true } else { podcast.health == .gone }
    let mark = isBroken ? "!" : ""
    let right = [mark, count].filter { !$0.isEmpty }.joined(separator: " ")
    let room = row.width - 1 - (right.isEmpty ? 0 : right.count + 1)
    let isMatch = words.map { !$0.isEmpty && SearchText.matches(podcast.title, $0) } ?? false
    let role: Role = isMatch ? .match : podcast.unplayed > 0 ? .title : .text
    frame.put(podcast.title, x: row.x + 1, y: row.y, width: room, style: base.style(role))
    var x = row.maxX - right.count
    if !mark.isEmpty { x += frame.put(mark + " ", x: x, y: row.y, style: base.style(.error)) }
    frame.put(count, x: x, y: row.y, style: base.style(.new))
  }
}

/// A list of episodes, or of what is in a playlist.
struct EpisodesView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    let screen = state.screen
    guard !screen.episodes.ids.isEmpty else {
      return EmptyText(theme: state.theme, lines: emptyText).draw(into: &frame, rect)
    }
    let visible = screen.episodes.list.visibleRange(height: rect.height).filter(screen.episodes.ids.indices.contains)
    let figures = visible.map { RowFigures(of: screen.episodes.ids[$0], clip: clip($0), state) }
    let widths = RowFigures.widths(of: figures)
    for (line, index) in visible.enumerated() {
      let base = RowStyle(
        theme: state.theme, isSelected: index == screen.episodes.list.selected, isFocused: isFocused)
      EpisodeRowView(
        state: state, id: screen.episodes.ids[index], namesPodcast: state.tab.namesPodcasts, base: base,
        clip: clip(index), figures: figures[line], widths: widths
      ).draw(into: &frame, rect.row(line))
    }
  }

  /// The clip that a row of a playlist stands for.
  private func clip(_ index: Int) -> Clip? {
    let entries = state.screen.entries.entries
    return state.tab == .playlists && entries.indices.contains(index) ? entries[index].clip : nil
  }

  private var emptyText: [String] {
    let screen = state.screen
    if state.tab == .podcasts {
      guard !state.podcasts.isEmpty, screen.episodes.hasLoaded else { return [] }
      if state.unplayedOnly { return ["Everything here is heard.", "u shows the played ones."] }
    } else if state.tab == .find, !screen.words.isEmpty {
      if screen.findRequest != nil { return [] }
      return ["Nothing was found for “\(screen.words)”.", "7 searches again."]
    } else if state.tab == .playlists {
      if let problem = screen.entries.problem { return [problem, "F2 changes the filter."] }
      if state.selectedPlaylist == nil || screen.entries.awaited != nil { return [] }
    } else if state.tab != .find, !screen.episodes.hasLoaded {
      return []
    }
    return state.tab.emptyText
  }
}

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

/// How a download gets on, in a row of a list.
enum DownloadText {
  private static let kinds = ["no connectivity: ", "invalid data: "]

  /// `▓▓▓░░░░░ 37 %  1.2 MB/s`, `paused 37 %`, `failed: no such host`; a reason is cut to so many columns.
  static func column(_ download: DownloadProgress, ascii: Bool, columns: Int) -> String {
    func because(_ word: String, _ reason: String) -> String {
      // There is no room for the kind of the reason; the message has said it.
      let kind = kinds.first { reason.hasPrefix($0) } ?? ""
      let text = "\(word): \(Sanitize.line(String(reason.dropFirst(kind.count))))"
      return Clusters.fit(text, columns: columns, ellipsis: ascii ? "~" : "…").clusters.map(\.text).joined()
    }
    let share = download.fraction.map { "\(Int($0 * 100)) %" } ?? SizeText.bytes(download.received)
    switch download.phase {
    case .waiting:
      if let trouble = download.trouble { return because("waiting", trouble) }
      return download.received > 0 ? "waiting \(share)" : "waiting"
    case .paused: return "paused \(share)"
    case .failed(let reason): return because("failed", reason)
    case .running:
      let filled = Int((download.fraction ?? 0) * 8)
      let bar = (0..<8).map { $0 < filled ? (ascii ? "=" : "█") : (ascii ? "." : "░") }.joined()
      let rate =
        download.rate.isFinite && download.rate >= 1 ? "  \(SizeText.bytes(Int64(min(1e15, download.rate))))/s" : ""
      return "\(bar) \(share)\(rate)"
    }
  }
}

/// What a row says of an episode.
enum RowText {
  /// The least that is left of a podcast's name before the title behind it.
  private static let shortName = 12

  /// The title, after the podcast's where the list mixes podcasts; both clean. Where `room` columns do not hold both,
  /// the podcast's name is shortened first: what tells the rows apart is the title.
  static func title(
    _ episode: EpisodeRow, clip: Clip? = nil, namesPodcast: Bool, glyphs: Glyphs, room: Int
  ) -> (text: String, podcastWidth: Int) {
    let title = Sanitize.line(episode.title)
    let separator = glyphs.separator
    if let clip {
      // What a clip is called stands first; where it is from comes behind.
      let times = "\(TimeText.clock(clip.startTime))\(glyphs.range)\(TimeText.clock(clip.endTime))"
      let own = clip.title.map { Sanitize.line($0) + separator } ?? ""
      return (own + title + separator + times, 0)
    }
    guard namesPodcast, !episode.podcastTitle.isEmpty else { return (title, 0) }
    var podcast = Sanitize.line(episode.podcastTitle)
    let left = room - Clusters.width(separator + title)
    if Clusters.width(podcast) > left {
      let short = Clusters.fit(podcast, columns: max(shortName, left), ellipsis: glyphs.ellipsis)
      podcast = short.clusters.map(\.text).joined()
    }
    return (podcast + separator + title, Clusters.width(podcast + separator))
  }

  /// The time left of an episode that was begun, else its length.
  static func duration(_ episode: EpisodeRow) -> String {
    guard let duration = episode.duration, duration > 0 else { return "" }
    let isBegun = episode.status != .played && episode.position >= 1 && episode.position < duration
    return isBegun ? "-" + TimeText.clock(duration - episode.position) : TimeText.clock(duration)
  }
}

/// The playlists, each with how much is in it.
struct PlaylistsView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    guard !state.playlists.isEmpty else {
      let lines = state.screen.question.hasAnswer ? ["No playlists yet.", "a makes one, S a smart one."] : []
      return EmptyText(theme: state.theme, lines: lines).draw(into: &frame, rect)
    }
    let glyphs = Glyphs(ascii: state.preferences.ascii)
    let list = state.screen.playlists
    let words = state.screen.search.map { SearchText.fold($0.words) } ?? ""
    for (line, index) in list.visibleRange(height: rect.height).enumerated()
    where state.playlists.indices.contains(index) {
      let playlist = state.playlists[index]
      let row = rect.row(line)
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      frame.fill(row, style: base.background)
      if playlist.isSmart { frame.put(glyphs.search, x: row.x + 1, y: row.y, width: 1, style: base.style(.accent)) }
      let count = playlist.count.map { $0 > 0 ? String($0) : "" } ?? ""
      let room = row.width - 3 - (count.isEmpty ? 0 : count.count + 1)
      let isMatch = !words.isEmpty && SearchText.matches(playlist.title, words)
      frame.put(
        playlist.title, x: row.x + 3, y: row.y, width: room, style: base.style(isMatch ? .match : .text),
        ellipsis: glyphs.ellipsis)
      frame.put(count, x: row.maxX - count.count, y: row.y, style: base.style(.dim))
    }
  }
}

/// The styles of a row that may be selected.
struct RowStyle {
  let theme: Theme
  let isSelected: Bool
  let isFocused: Bool

  var background: Style {
    guard isSelected else { return theme[.text] }
    return isFocused ? theme[.selection] : theme[.selectionUnfocused]
  }

  /// A role's style on this row. On the focused selection the selection's own foreground wins, for contrast.
  func style(_ role: Role) -> Style {
    let own = theme[role]
    guard isSelected else { return own.over(theme[.text]) }
    if isFocused { return background.with(own.attributes.subtracting(.dim)) }
    return Style(
      own.foreground == .standard ? background.foreground : own.foreground, on: background.background,
      own.attributes.union(background.attributes))
  }
}

/// What an empty pane says.
struct EmptyText {
  let theme: Theme
  let lines: [String]

  func draw(into frame: inout Frame, _ rect: Rect) {
    let flowed = lines.flatMap { TextFlow.wrap($0, width: max(1, rect.width - 2)) }
    for (index, line) in flowed.enumerated() where index + 1 < rect.height {
      frame.put(
        line, x: rect.x + 1, y: rect.y + 1 + index, width: rect.width - 1,
        style: theme[.dim].over(theme[.text]))
    }
  }
}
