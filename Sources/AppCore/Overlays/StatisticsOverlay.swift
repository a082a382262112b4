import Model
import TerminalKit

/// How much was heard and how much time was saved. All times are in seconds.
public struct ListeningStatistics: Equatable, Sendable {
  public struct Line: Equatable, Sendable {
    /// A day, a month or a podcast.
    public var name: String
    public var heard: Double
    public var episodes: Int
    /// The saved time by its cause, in the order of the screen.
    public var saved: [YearInListening.Entry]
    public init(name: String, heard: Double, episodes: Int, saved: [YearInListening.Entry]) {
      self.name = name
      self.heard = heard
      self.episodes = episodes
      self.saved = saved
    }
  }

  public struct Section: Equatable, Sendable {
    public var title: String
    public var lines: [Line]
    /// Sentences below the lines.
    public var notes: [String]
    public init(title: String, lines: [Line], notes: [String] = []) {
      self.title = title
      self.lines = lines
      self.notes = notes
    }
  }

  public var sections: [Section]
  public init(sections: [Section]) { self.sections = sections }
}

struct StatisticsQuestion: LibraryQuestion {
  func read(_ library: any LibraryReader) throws -> ListeningStatistics? { try library.statistics() }

  func receive(_ statistics: ListeningStatistics, _ state: inout State) -> [Effect] {
    state.open(StatisticsOverlay(statistics))
  }
}

/// The page of statistics.
public struct StatisticsOverlay: ScrollingOverlay {
  let statistics: ListeningStatistics
  public var top = 0
  init(_ statistics: ListeningStatistics) { self.statistics = statistics }

  private enum Row {
    case heading(String)
    /// `share`: of the longest time of the section, 0 to 1. Nil: it has no other line.
    case line(ListeningStatistics.Line, share: Double?)
    case saved(String)
    case blank
  }

  private func rows(width: Int) -> [Row] {
    let sections = statistics.sections.filter { !$0.lines.isEmpty }
    return sections.enumerated().flatMap { index, section -> [Row] in
      let head: [Row] = index == 0 ? [] : [.blank]
      let most = section.lines.map(\.heard).max() ?? 0
      let lines = section.lines.map { line -> Row in
        .line(line, share: section.lines.count > 1 && most > 0 ? line.heard / most : nil)
      }
      let notes = ([Self.saved(section.lines)] + section.notes).filter { !$0.isEmpty }
      return head + [.heading(section.title)] + lines
        + notes.flatMap { TextFlow.wrap($0, width: max(1, width - 2)) }.map { .saved($0) }
    }
  }

  /// Such as `Saved 26m: 25m by speed, 40s by silence`: of all lines together.
  private static func saved(_ lines: [ListeningStatistics.Line]) -> String {
    let saved = lines.flatMap(\.saved).grouped(by: \.title).map { title, entries in
      YearInListening.Entry(title: title, amount: entries.reduce(0) { $0 + $1.amount })
    }
    let total = saved.reduce(0) { $0 + $1.amount }
    guard saved.causes.count > 1 else { return saved.causes.first.map { "Saved \($0)" } ?? "" }
    return "Saved \(TimeText.short(total)): \(saved.causes.joined(separator: ", "))"
  }

  public func lastTop(_ state: State) -> Int {
    let content = OverlayLayout.page(in: state.size).content
    return rows(width: content.width).count - content.height
  }

  public func draw(_ state: State, into frame: inout Frame) {
    let theme = state.theme
    let layout = OverlayLayout.page(in: frame.size)
    let content = layout.content
    let rows = rows(width: content.width)
    let top = firstRow(state)
    let note = rows.count > content.height ? "\(min(100, (top + content.height) * 100 / rows.count)) %" : ""
    OverlayBox(state: state, title: "Statistics", note: note, hints: hints(state)).draw(layout, into: &frame)
    let style = theme[.overlay]
    if rows.isEmpty {
      frame.put("Nothing was heard yet", x: content.x, y: content.y, style: theme[.dim].over(style))
    }
    for (index, row) in rows.dropFirst(top).prefix(content.height).enumerated() {
      let y = content.y + index
      switch row {
      case .blank: break
      case .heading(let text):
        frame.put(text, x: content.x, y: y, width: content.width, style: theme[.heading].over(style))
      case .saved(let text):
        frame.put(text, x: content.x + 1, y: y, width: content.width - 1, style: theme[.dim].over(style))
      case .line(let line, let share):
        let figures = Self.figures(line, isNarrow: content.width < 50)
        var room = content.width - 2 - figures.count
        let bar = share == nil ? 0 : min(40, room - Self.nameWidth - 1)
        if let share, bar >= Self.minimumBar {
          room -= bar + 1
          let text = ProgressBar(width: bar, fraction: share, glyphs: state.glyphs.bar).text
          frame.put(text, x: content.x + 1 + room, y: y, width: bar, style: theme[.barFilled].over(style))
        }
        frame.put(Sanitize.line(line.name), x: content.x + 1, y: y, width: room - (share == nil ? 0 : 1), style: style)
        frame.put(figures, x: content.maxX - figures.count, y: y, style: style)
      }
    }
  }

  /// The least widths of a name beside a bar, and of a bar.
  private static let (nameWidth, minimumBar) = (14, 4)

  /// Such as `1h 20m   3 episodes`, in columns; in a narrow box `1h 20m  3 ep.`.
  private static func figures(_ line: ListeningStatistics.Line, isNarrow: Bool) -> String {
    let heard = TimeText.short(line.heard).leftPadded(8)
    let count = String(line.episodes)
    let gap = String(repeating: " ", count: max(1, (isNarrow ? 5 : 6) - count.count))
    let noun = isNarrow ? "ep." : line.episodes == 1 ? "episode " : "episodes"
    return "\(heard)\(gap)\(count) \(noun)"
  }

  public var linearTitle: String { "Statistics" }

  public func linearText(_ state: State, width: Int) -> [String] {
    let text = rows(width: width).compactMap { row -> String? in
      switch row {
      case .blank: nil
      case .heading(let text): text + ":"
      case .saved(let text): text
      case .line(let line, _):
        "\(Sanitize.line(line.name)), \(TimeText.short(line.heard)), \(Counted.text(line.episodes, "episode"))"
      }
    }
    return text.isEmpty ? ["Nothing was heard yet."] : text
  }
}
