import Foundation
import Model
import TerminalKit

/// Draws the whole screen from the state, and changes nothing. Any state can be drawn at any size.
public func render(_ state: State) -> Frame {
  var frame = Frame(state.size, style: state.theme[.text])
  let layout = state.layout
  guard !layout.isTooSmall else {
    frame.put("Earshot needs more room", x: 0, y: 0, style: state.theme[.warning])
    return frame
  }
  guard !state.preferences.isLinear else {
    LinearScreen(state: state).draw(into: &frame)
    return frame
  }
  TabsView(state: state).draw(into: &frame, layout.tabs)
  for place in layout.places { PaneView(state: state, place: place).draw(into: &frame) }
  if let newest = state.arriving.max(by: { $0.key < $1.key })?.value {
    ArrivingView(state: state, podcast: newest).draw(into: &frame, above: layout.status)
  }
  StatusView(state: state).draw(into: &frame, layout.status)
  PlayerView(state: state).draw(into: &frame, layout.player)
  for overlay in state.overlays { OverlayView(state: state).draw(overlay, into: &frame) }
  if !state.overlays.isEmpty { frame.dropLinks() }
  frame.settlePictures()
  return frame
}

/// The symbols of the screen, with their ASCII stand-ins.
struct Glyphs {
  let ascii: Bool

  var vertical: String { ascii ? "|" : "│" }
  var play: String { ascii ? ">" : "▶" }
  var pause: String { ascii ? "=" : "Ⅱ" }
  var stopped: String { ascii ? "." : "■" }
  var download: String { ascii ? "D" : "↓" }
  var clip: String { ascii ? "#" : "✂" }
  var search: String { ascii ? "?" : "∗" }
  var waiting: String { ascii ? "~" : "◌" }
  var separator: String { ascii ? " - " : " · " }
  var ellipsis: String { ascii ? "~" : "…" }
  /// Between two times.
  var range: String { ascii ? "-" : "–" }
  var horizontal: String { ascii ? "-" : "─" }

  /// The state of an episode at a glance: a glyph, never a colour alone.
  func state(_ row: EpisodeRow, isPlaying: Bool) -> (glyph: String, role: Role) {
    if isPlaying { return (play, .accent) }
    switch row.status {
    case .deleted: return (ascii ? "X" : "✗", .played)
    case .played: return (ascii ? "v" : "✓", .played)
    case .new, .playing, .paused:
      if row.position < 1 { return row.hasMedia ? (ascii ? "*" : "●", .new) : (ascii ? "-" : "–", .dim) }
      return (progress(row), .progress)
    }
  }

  /// How much was heard, in quarters.
  private func progress(_ row: EpisodeRow) -> String {
    guard let duration = row.duration, duration > 0 else { return ascii ? "%" : "◐" }
    let quarter = Int(min(0.99, max(0, row.position / duration)) * 4)
    return ascii ? ["1", "2", "3", "4"][quarter] : ["◔", "◑", "◕", "◕"][quarter]
  }

  /// Marks behind the title.
  func marks(_ row: EpisodeRow) -> [(glyph: String, role: Role)] {
    var marks: [(String, Role)] = []
    if row.isQueued { marks.append((ascii ? "Q" : "≡", .queued)) }
    if row.isDownloaded { marks.append((ascii ? "D" : "↓", .downloaded)) }
    if row.isGoneFromFeed { marks.append((ascii ? "!" : "∅", .gone)) }
    return marks
  }
}

/// Draws one pane: its title line, the line to its left, and what it holds.
struct PaneView {
  let state: State
  let place: Layout.Place

  func draw(into frame: inout Frame) {
    let theme = state.theme
    guard place.pane != .cover else {
      let address = state.listeningCover(CoverView.size(in: place.content))
      return CoverView(state: state, address: address).drawCentered(into: &frame, place.content)
    }
    let isFocused = state.focusedPane == place.pane
    if place.content.x > place.rect.x {
      let line = Glyphs(ascii: state.preferences.ascii).vertical
      frame.fill(
        Rect(x: place.rect.x, y: place.rect.y, width: 1, height: place.rect.height), with: line,
        style: theme[.border].over(theme[.text]))
    }
    drawTitle(into: &frame, isFocused: isFocused)
    switch place.pane {
    case .podcasts: PodcastsView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .episodes: EpisodesView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .playlists: PlaylistsView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .detail:
      DetailView(state: state, detail: state.screen.detail, isFocused: isFocused).draw(into: &frame, place.content)
    case .notes:
      guard let notes = state.listening?.notes, notes.subject != nil else {
        let lines = ["Nothing is playing.", "Enter on an episode plays it."]
        return EmptyText(theme: theme, lines: lines).draw(into: &frame, place.content)
      }
      DetailView(state: state, detail: notes, isFocused: isFocused).draw(into: &frame, place.content)
    case .transcript: TranscriptView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .chapters: ChaptersView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .upNext: UpNextView(state: state, isFocused: isFocused).draw(into: &frame, place.content)
    case .cover: break
    }
  }

  /// What the pane shows and how much of it there is; a line runs through the title of one that stands below another.
  private func drawTitle(into frame: inout Frame, isFocused: Bool) {
    let theme = state.theme
    let row = Rect(x: place.content.x, y: place.rect.y, width: place.content.width, height: 1)
    let style = (isFocused ? theme[.borderFocused].with(.bold) : theme[.dim]).over(theme[.text])
    let isBelow = place.rect.y > state.layout.tabs.maxY
    if isBelow {
      let line = Glyphs(ascii: state.preferences.ascii).horizontal
      frame.fill(row, with: line, style: theme[.border].over(theme[.text]))
    }
    let right = note
    let room = row.width - Clusters.width(right) - 3
    frame.put(isBelow ? " \(title) " : title, x: row.x + (isBelow ? 0 : 1), y: row.y, width: max(0, room), style: style)
    if !right.isEmpty, Clusters.width(right) < row.width {
      let text = isBelow ? " " + right : right
      frame.put(text, x: row.maxX - Clusters.width(text), y: row.y, style: theme[.dim].over(theme[.text]))
    }
  }

  private var title: String {
    switch place.pane {
    case .podcasts: return "Podcasts"
    case .episodes:
      switch state.tab {
      case .podcasts: return state.selectedPodcast?.title ?? "Episodes"
      case .find: return state.screen.words.isEmpty ? "Search" : "“\(state.screen.words)”"
      case .playlists: return state.selectedPlaylist?.title ?? "Playlist"
      default: return state.tab.title
      }
    case .playlists: return "Playlists"
    case .detail: return "Details"
    case .transcript: return "Transcript"
    case .chapters: return "Chapters"
    case .notes: return "Notes"
    case .upNext: return "Up next"
    case .cover: return ""
    }
  }

  /// What stands at the right of the title line: how much there is.
  private var note: String {
    switch place.pane {
    case .podcasts: return state.podcasts.isEmpty ? "" : "\(state.podcasts.count)"
    case .episodes:
      let list = state.screen.episodes
      guard !list.ids.isEmpty else { return "" }
      let filter = state.tab == .podcasts && state.unplayedOnly ? "unplayed " : ""
      return "\(filter)\(list.list.selected + 1)/\(list.ids.count)"
    case .playlists: return state.playlists.isEmpty ? "" : "\(state.playlists.count)"
    case .detail: return share(of: state.screen.detail)
    case .notes: return state.listening.map { share(of: $0.notes) } ?? ""
    case .transcript:
      let pane = state.transcript
      guard !pane.lines.isEmpty else { return "" }
      return pane.follows && pane.heard != nil ? "following" : "\(pane.selected + 1)/\(pane.lines.count)"
    case .chapters:
      let count = state.player.chapters.count
      return count == 0 ? "" : state.player.chapterIndex.map { "\($0 + 1)/\(count)" } ?? "\(count)"
    case .upNext: return state.queue.isEmpty ? "" : "\(state.queue.count)"
    case .cover: return ""
    }
  }

  /// How far a text is scrolled; nothing where all of it is seen.
  private func share(of detail: DetailPane) -> String {
    let height = place.content.height
    guard detail.lines.count > height, height > 0 else { return "" }
    return "\(min(100, (detail.top + height) * 100 / detail.lines.count)) %"
  }
}

/// The first row: the screens with their keys, and where there is room, the program's name.
struct TabsView {
  let state: State

  func draw(into frame: inout Frame, _ rect: Rect) {
    let theme = state.theme
    let header = theme[.header].over(theme[.text])
    frame.fill(rect, style: header)
    let places = Self.places(width: rect.width, shown: state.tab)
    for place in places {
      let isShown = place.tab == state.tab && state.listening == nil
      let style = isShown ? theme[.accent].over(header).with([.bold, .underline]) : header
      frame.put(place.text, x: place.columns.lowerBound, y: rect.y, style: style)
    }
    let used = places.last?.columns.upperBound ?? 0
    let corner = state.listening == nil ? "Earshot" : "Now playing"
    if rect.width - used > corner.count + 3 {
      let style = state.listening == nil ? header.with(.dim) : theme[.accent].over(header).with([.bold, .underline])
      frame.put(corner, x: rect.maxX - corner.count - 1, y: rect.y, style: style)
    }
  }

  /// Where each screen's name stands. Where they do not all fit, those nearest to the one that is shown have theirs, and
  /// the others are their keys only.
  static func places(width: Int, shown: Tab) -> [(tab: Tab, text: String, columns: Range<Int>)] {
    var texts = Dictionary(uniqueKeysWithValues: Tab.allCases.map { ($0, String($0.rawValue)) })
    var used = texts.values.reduce(1) { $0 + $1.count + 2 } - 2
    let nearest = Tab.allCases.sorted { left, right in
      let (one, other) = (abs(left.rawValue - shown.rawValue), abs(right.rawValue - shown.rawValue))
      return one == other ? left.rawValue > right.rawValue : one < other
    }
    for tab in nearest where tab == shown || used + tab.title.count + 1 <= width {
      texts[tab] = "\(tab.rawValue) \(tab.title)"
      used += tab.title.count + 1
    }
    var x = 1
    return Tab.allCases.compactMap { tab in
      let text = texts[tab] ?? ""
      defer { x += text.count + 2 }
      return x + text.count <= width ? (tab, text, x..<x + text.count) : nil
    }
  }
}
