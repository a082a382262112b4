import Model

/// The meaning of the marks in lists, for the help.
struct MarkLegend {
  struct Mark: Equatable, Sendable {
    var glyph: String
    var role: Role
    var meaning: String
    /// It is seen in most lists.
    var isCommon = false
  }

  var marks: [Mark]

  /// Made by the code that draws the marks, so that they are always the same.
  init(_ glyphs: Glyphs) {
    func episode(_ change: (inout EpisodeRow) -> Void = { _ in }) -> EpisodeRow {
      var row = EpisodeRow(id: EpisodeID(0), podcast: PodcastID(0), title: "", duration: 100)
      change(&row)
      return row
    }
    func state(
      _ meaning: String, isCommon: Bool = false,
      _ change: (inout EpisodeRow) -> Void = { _ in }
    ) -> Mark {
      let sign = glyphs.state(episode(change))
      return Mark(glyph: sign.glyph, role: sign.role, meaning: meaning, isCommon: isCommon)
    }
    let states = [
      state("not played yet", isCommon: true), state("begun", isCommon: true) { $0.position = 10 },
      state("length unknown") { ($0.position, $0.duration) = (10, nil) },
      state("half heard", isCommon: true) { $0.position = 30 },
      state("most heard") { $0.position = 80 }, state("played", isCommon: true) { $0.status = .played },
      state("deleted") { $0.status = .deleted },
      Mark(glyph: glyphs.play, role: .accent, meaning: "plays now"),
      Mark(glyph: glyphs.pause, role: .progress, meaning: "paused"), state("nothing to play") { $0.hasMedia = false },
    ]
    let rowMarks = RowMark.symbols.map { mark in
      Mark(
        glyph: glyphs.ascii ? mark.ascii : mark.glyph, role: mark.role, meaning: mark.meaning, isCommon: mark.isCommon)
    }
    let others = [
      Mark(glyph: glyphs.stopped, role: .dim, meaning: "stopped"),
      Mark(glyph: glyphs.waiting, role: .warning, meaning: "waits for data"),
      Mark(glyph: glyphs.selected, role: .accent, meaning: "selected"),
      Mark(glyph: glyphs.subscribed, role: .success, meaning: "subscribed"),
      Mark(glyph: glyphs.person, role: .accent, meaning: "a person"),
      Mark(glyph: glyphs.charts, role: .accent, meaning: "charts"),
      Mark(glyph: glyphs.live, role: .accent, meaning: "on air"),
      Mark(glyph: glyphs.broken, role: .error, meaning: "refresh failed"),
      Mark(glyph: glyphs.clip, role: .accent, meaning: "a clip"),
      Mark(glyph: glyphs.search, role: .accent, meaning: "smart playlist"),
    ]
    marks = states + rowMarks + others
  }

  /// The marks of most lists, and the others.
  var common: MarkLegend { filtered(\.isCommon) }
  var rare: MarkLegend { filtered { !$0.isCommon } }

  private func filtered(_ isWanted: (Mark) -> Bool) -> MarkLegend {
    var legend = self
    legend.marks = marks.filter(isWanted)
    return legend
  }

  /// The marks in rows, in columns of equal width.
  static let columnWidth = 18
  static func perRow(_ width: Int) -> Int { max(1, (width - 1) / columnWidth) }

  func rows(width: Int) -> [[Mark]] {
    let count = Self.perRow(width)
    return stride(from: 0, to: marks.count, by: count).map { Array(marks[$0..<min(marks.count, $0 + count)]) }
  }
}
