import Model
import TerminalKit

/// The panes of a screen.
public enum Pane: Equatable, Sendable {
  case podcasts, playlists, results, episodes, detail
  // The panes of the full-screen view.
  case transcript, chapters, notes, upNext

  /// The behaviour of the pane.
  var kind: any PaneKind {
    switch self {
    case .podcasts: PodcastsPane()
    case .playlists: PlaylistsPane()
    case .results: ResultsPane()
    case .episodes: EpisodesPane()
    case .detail: DetailsPane()
    case .transcript: TranscriptPane()
    case .chapters: ChaptersPane()
    case .notes: NotesPane()
    case .upNext: UpNextPane()
    }
  }
}

/// The behaviour of one kind of pane: its keys, the mouse, drawing, title and linear mode. Lists and readers get most
/// of it from `ListPane` and `ReaderPane`.
protocol PaneKind {
  func title(_ state: State) -> String
  /// The text on the right of the title line, such as the number of rows.
  func note(_ state: State, height: Int) -> String
  /// The hints for the status line, most important first.
  func hints(_ state: State) -> [(CommandName, String)]
  func context(_ state: State) -> Context
  /// Whether it is a list on the left of a screen, with a width of its own.
  var isSide: Bool { get }
  /// The width of a pane on the left, in columns: for the longest title and a count.
  func sideWidth(_ state: State) -> Int
  /// The episode that commands act on in this pane.
  func episode(_ state: State) -> EpisodeID?

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect)
  func page(_ state: State, _ size: Size) -> LinearPage

  func move(_ step: MoveStep, _ state: inout State, _ size: Size)
  func open(_ state: inout State) -> [Effect]
  /// Goes to a match of the words.
  /// - Returns: false if there is none.
  func goToMatch(_ words: String, _ way: SearchOptions, _ state: inout State) -> Bool

  /// Scrolls by this many rows of the mouse wheel.
  func scroll(by rows: Int, _ state: inout State, _ size: Size)
  /// Selects a row of the pane by a press.
  /// - Returns: false if there is nothing in that row.
  func select(row: Int, _ state: inout State, _ size: Size) -> Bool
  /// What a press does besides selecting its row.
  func press(_ point: Point, in content: Rect, _ state: inout State) -> [Effect]
  /// The link at a point, for clicks.
  func target(at point: Point, in content: Rect, _ state: State) -> LinkTarget?
}

extension PaneKind {
  var isSide: Bool { false }
  func sideWidth(_ state: State) -> Int { 0 }
  func press(_ point: Point, in content: Rect, _ state: inout State) -> [Effect] { [] }
  func target(at point: Point, in content: Rect, _ state: State) -> LinkTarget? { nil }
}

/// A step of the selection, or of scrolling.
enum MoveStep {
  case rows(Int), halfPages(Int), pages(Int), first, last

  /// The step of a command; nil for other commands.
  init?(_ command: CommandName?) {
    switch command {
    case .down: self = .rows(1)
    case .up: self = .rows(-1)
    case .halfPageDown: self = .halfPages(1)
    case .halfPageUp: self = .halfPages(-1)
    case .pageDown: self = .pages(1)
    case .pageUp: self = .pages(-1)
    case .first: self = .first
    case .last: self = .last
    default: return nil
    }
  }

  /// How many rows it goes on in a pane of this height. One row stays visible after a page.
  func rows(height: Int) -> Int {
    switch self {
    case .rows(let rows): rows
    case .halfPages(let pages): pages * max(1, height / 2)
    case .pages(let pages): pages * max(1, height - 1)
    case .first: -Self.allRows
    case .last: Self.allRows
    }
  }

  /// More than any list or text has.
  private static let allRows = 1_000_000_000
}

/// Where a search in a list begins.
struct SearchOptions: Equatable, Sendable {
  var forward: Bool
  /// The selected row is searched, too.
  var includesSelection: Bool
}

/// A pane that is a list.
protocol ListPane: PaneKind {
  func list(_ state: State) -> ListState
  func setList(_ list: ListState, _ state: inout State)
  /// The indices of the rows that match.
  func matches(_ words: String, _ state: State) -> [Int]
}

extension ListPane {
  private func change(_ state: inout State, _ change: (inout ListState) -> Void) {
    var list = list(state)
    change(&list)
    setList(list, &state)
  }

  func move(_ step: MoveStep, _ state: inout State, _ size: Size) {
    change(&state) { $0.move(by: step.rows(height: size.height)) }
  }

  func scroll(by rows: Int, _ state: inout State, _ size: Size) { change(&state) { $0.move(by: rows) } }

  func select(row: Int, _ state: inout State, _ size: Size) -> Bool {
    let list = list(state)
    guard list.top + row < list.count else { return false }
    change(&state) { $0.moveTo(list.top + row) }
    return true
  }

  func goToMatch(_ words: String, _ way: SearchOptions, _ state: inout State) -> Bool {
    selectMatch(words, way, &state)
  }

  /// Selects the next row that matches.
  func selectMatch(_ words: String, _ way: SearchOptions, _ state: inout State) -> Bool {
    let hits = matches(TextFolding.fold(words), state)
    let here = list(state).selected
    let target =
      way.forward
      ? hits.first { way.includesSelection ? $0 >= here : $0 > here } ?? hits.first
      : hits.last { $0 < here } ?? hits.last
    guard let target else { return false }
    change(&state) { $0.moveTo(target) }
    return true
  }
}

/// A pane that shows a text.
protocol ReaderPane: PaneKind {
  func reader(_ state: State) -> ReaderState?
  func setReader(_ reader: ReaderState, _ state: inout State)
}

extension ReaderPane {
  private func scroll(_ state: inout State, by rows: Int, height: Int) {
    guard var reader = reader(state) else { return }
    reader.scroll(by: rows, height: height)
    setReader(reader, &state)
  }

  /// How far the text is scrolled; empty if all of it is visible.
  func note(_ state: State, height: Int) -> String {
    guard let reader = reader(state), reader.lines.count > height, height > 0 else { return "" }
    return "\(min(100, (reader.top + height) * 100 / reader.lines.count)) %"
  }

  func move(_ step: MoveStep, _ state: inout State, _ size: Size) {
    var rows = step.rows(height: size.height)
    // In linear mode a step is a page: scrolling by a line would make a screen reader read the whole page again.
    if case .rows = step, state.preferences.isLinear { rows *= size.height }
    scroll(&state, by: rows, height: size.height)
  }

  func scroll(by rows: Int, _ state: inout State, _ size: Size) { scroll(&state, by: rows, height: size.height) }

  func select(row: Int, _ state: inout State, _ size: Size) -> Bool { false }

  func target(at point: Point, in content: Rect, _ state: State) -> LinkTarget? {
    reader(state).flatMap { DetailView.target(at: point, in: content, of: $0) }
  }

  func goToMatch(_ words: String, _ way: SearchOptions, _ state: inout State) -> Bool {
    guard var reader = reader(state), reader.find(words, forward: way.forward) else { return false }
    setReader(reader, &state)
    return true
  }
}
