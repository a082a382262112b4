import Model
import TerminalKit

extension State {
  var glyphs: Glyphs { Glyphs(ascii: preferences.ascii) }
}

/// The symbols of the screen, and their ASCII forms.
struct Glyphs {
  let ascii: Bool

  var vertical: String { ascii ? "|" : "│" }
  var play: String { ascii ? ">" : "▶" }
  var pause: String { ascii ? "=" : "Ⅱ" }
  var stopped: String { ascii ? "." : "■" }
  var played: String { ascii ? "v" : "✓" }
  var download: String { ascii ? "D" : "↓" }
  var clip: String { ascii ? "#" : "✂" }
  var search: String { ascii ? "?" : "∗" }
  var folded: String { ascii ? "+" : "▸" }
  var unfolded: String { ascii ? "-" : "▾" }
  /// The last refresh of the podcast failed.
  var broken: String { "!" }
  /// The podcast is subscribed to.
  var subscribed: String { ascii ? "+" : "★" }
  /// One of several selected rows.
  var selected: String { ascii ? "]" : "▌" }
  /// In results: a person, and a chart.
  var person: String { "&" }
  var charts: String { "^" }
  /// On air.
  var live: String { ascii ? "L" : "◉" }
  var waiting: String { ascii ? "~" : "◌" }
  var separator: String { ascii ? " - " : " · " }
  var ellipsis: String { ascii ? "~" : "…" }
  /// Between two times.
  var range: String { ascii ? "-" : "–" }
  var horizontal: String { ascii ? "-" : "─" }

  /// Those of bars of progress.
  var bar: ProgressBar.Glyphs { ascii ? .ascii : .blocks }

  /// What the player does with the loaded episode.
  func player(_ player: PlayerState) -> (glyph: String, role: Role) {
    switch player.phase {
    case .loading: (waiting, .warning)
    case .playing: player.isStalled ? (waiting, .warning) : (play, .accent)
    case .paused: (pause, .progress)
    case .stopped: (stopped, .dim)
    }
  }

  /// The state of an episode as a symbol, so that colour is never the only sign.
  func state(_ row: EpisodeRow) -> (glyph: String, role: Role) {
    switch row.status {
    case .deleted: return (ascii ? "X" : "✗", .played)
    case .played: return (played, .played)
    case .new, .playing, .paused:
      if row.position < 1 { return row.hasMedia ? (ascii ? "*" : "●", .new) : (ascii ? "-" : "–", .dim) }
      return (progress(row), .progress)
    }
  }

  /// The played part, in quarters.
  private func progress(_ row: EpisodeRow) -> String {
    guard let duration = row.duration, duration > 0 else { return ascii ? "%" : "◐" }
    let quarter = Int(min(0.99, max(0, row.position / duration)) * 4)
    return ascii ? ["1", "2", "3", "4"][quarter] : ["◔", "◑", "◕", "◕"][quarter]
  }

  /// The mark in a column; nil for none.
  func mark(_ row: EpisodeRow, in column: RowMark.Column) -> (glyph: String, role: Role)? {
    RowMark.symbols.first { $0.column == column && $0.isShown(row) }.map { (ascii ? $0.ascii : $0.glyph, $0.role) }
  }
}
