import Model
import TerminalKit

/// The parts of a screen that can have the focus.
public enum Pane: Equatable, Sendable {
  case podcasts, playlists, results, episodes, detail
  // Of the view of what plays; the cover never has the focus.
  case transcript, chapters, notes, upNext, cover

  /// What it shows and does.
  var kind: any PaneKind {
    switch self {
    case .podcasts: PodcastsPane()
    case .playlists: PlaylistsPane()
    case .results: ResultsPane()
    case .episodes: EpisodesPane()
    case .detail: DetailsPane()
    case .transcript: TranscriptPart()
    case .chapters: ChaptersPane()
    case .notes: NotesPane()
    case .upNext: UpNextPane()
    case .cover: CoverPane()
    }
  }
}

/// One kind of pane: what its keys and the mouse do, how it is drawn, what it is called, what `--linear` shows of it. Lists
/// and readers have most of it from `ListPane` and `ReaderPane`.
protocol PaneKind {
  func title(_ state: State) -> String
  /// What stands at the right of the title line: how much there is.
  func note(_ state: State, height: Int) -> String
  /// The keys that matter here, the most needed first.
  func hints(_ state: State) -> [(CommandName, String)]
  func context(_ state: State) -> Context
  /// The episode that a command means here.
  func episode(_ state: State) -> EpisodeID?

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect)
  func page(_ state: State, _ size: Size) -> LinearPage

  func move(_ step: MoveStep, _ state: inout State, _ size: Size)
  func open(_ state: inout State) -> [Effect]
  /// Goes to what matches the words; false when nothing does.
  func goToMatch(_ words: String, _ way: SearchWay, _ state: inout State) -> Bool

  /// The wheel turned by so many rows.
  func scroll(by rows: Int, _ state: inout State, _ size: Size)
  /// A press in this row of the pane; false when nothing is there.
  func select(row: Int, _ state: inout State, _ size: Size) -> Bool
  /// Where a click leads.
  func target(at point: Point, in content: Rect, _ state: State) -> LinkTarget?
}

extension PaneKind {
  func target(at point: Point, in content: Rect, _ state: State) -> LinkTarget? { nil }
}

/// How far the selection moves.
enum MoveStep {
  case rows(Int), halfPages(Int), pages(Int), first, last
}

/// Which match a search goes to.
struct SearchWay {
  var forward: Bool
  /// What is selected counts too.
  var fromHere: Bool
}

/// A pane that is a list.
protocol ListPane: PaneKind {
  func list(_ state: State) -> ListState
  func setList(_ list: ListState, _ state: inout State)
  /// The rows that match.
  func matches(_ words: String, _ state: State) -> [Int]
}

extension ListPane {
  private func change(_ state: inout State, _ change: (inout ListState) -> Void) {
    var list = list(state)
    change(&list)
    setList(list, &state)
  }

  func move(_ step: MoveStep, _ state: inout State, _ size: Size) {
    change(&state) { list in
      switch step {
      case .rows(let rows): list.move(by: rows)
      case .halfPages(let pages): list.halfPage(by: pages, height: size.height)
      case .pages(let pages): list.page(by: pages, height: size.height)
      case .first: list.first()
      case .last: list.last()
      }
    }
  }

  func scroll(by rows: Int, _ state: inout State, _ size: Size) { change(&state) { $0.move(by: rows) } }

  func select(row: Int, _ state: inout State, _ size: Size) -> Bool {
    let list = list(state)
    guard list.top + row < list.count else { return false }
    change(&state) { $0.moveTo(list.top + row) }
    return true
  }

  func goToMatch(_ words: String, _ way: SearchWay, _ state: inout State) -> Bool {
    let hits = matches(SearchText.fold(words), state)
    let here = list(state).selected
    let target =
      way.forward
      ? hits.first { way.fromHere ? $0 >= here : $0 > here } ?? hits.first
      : hits.last { $0 < here } ?? hits.last
    guard let target else { return false }
    change(&state) { $0.moveTo(target) }
    return true
  }
}

/// A pane that is a text to read.
protocol ReaderPane: PaneKind {
  func reader(_ state: State) -> DetailPane?
  func setReader(_ reader: DetailPane, _ state: inout State)
}

extension ReaderPane {
  private func scroll(_ state: inout State, by rows: Int, height: Int) {
    guard var reader = reader(state) else { return }
    reader.scroll(by: rows, height: height)
    setReader(reader, &state)
  }

  /// How far it is scrolled; nothing where all of it is seen.
  func note(_ state: State, height: Int) -> String {
    guard let reader = reader(state), reader.lines.count > height, height > 0 else { return "" }
    return "\(min(100, (reader.top + height) * 100 / reader.lines.count)) %"
  }

  func move(_ step: MoveStep, _ state: inout State, _ size: Size) {
    let height = size.height
    switch step {
    // Text that moves by a line is written anew as a whole, and read out as a whole.
    case .rows(let rows): scroll(&state, by: rows * (state.preferences.isLinear ? height : 1), height: height)
    case .halfPages(let pages): scroll(&state, by: pages * max(1, height / 2), height: height)
    case .pages(let pages): scroll(&state, by: pages * max(1, height - 1), height: height)
    case .first: scroll(&state, by: -1_000_000, height: height)
    case .last: scroll(&state, by: 1_000_000, height: height)
    }
  }

  func scroll(by rows: Int, _ state: inout State, _ size: Size) { scroll(&state, by: rows, height: size.height) }

  func select(row: Int, _ state: inout State, _ size: Size) -> Bool { false }

  func target(at point: Point, in content: Rect, _ state: State) -> LinkTarget? {
    reader(state).flatMap { DetailView.target(at: point, in: content, of: $0) }
  }

  func goToMatch(_ words: String, _ way: SearchWay, _ state: inout State) -> Bool {
    guard var reader = reader(state), reader.find(words, forward: way.forward) else { return false }
    setReader(reader, &state)
    return true
  }
}
