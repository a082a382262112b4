/// Moving about, opening and searching in lists.
extension CommandTable {
  mutating func addMoveCommands() {
    group = .move
    add(.down, "Down", keys: ["j", "<Down>"], counts: .argument) { $0.moveSelection(.rows($1.flatMap(Int.init) ?? 1)) }
    add(.up, "Up", keys: ["k", "<Up>"], counts: .argument) { $0.moveSelection(.rows(-($1.flatMap(Int.init) ?? 1))) }
    add(.left, "Pane to the left", keys: ["h"], counts: .repeats, needsList: false) {
      $0.moveFocus(by: -1, wraps: false)
    }
    add(.right, "Pane to the right", keys: ["l"], counts: .repeats, needsList: false) {
      $0.moveFocus(by: 1, wraps: false)
    }
    add(.nextPane, "Next pane", keys: ["<Tab>"], counts: .repeats, needsList: false) {
      $0.moveFocus(by: 1, wraps: true)
    }
    add(.previousPane, "Previous pane", keys: ["<S-Tab>"], counts: .repeats, needsList: false) {
      $0.moveFocus(by: -1, wraps: true)
    }
    add(.first, "First", keys: ["g", "<Home>"], counts: .argument) { $0.moveSelection(toLine: $1, else: .first) }
    add(.last, "Last", keys: ["G", "<End>"], counts: .argument) { $0.moveSelection(toLine: $1, else: .last) }
    add(.halfPageDown, "Half a page down", keys: ["<C-d>"], counts: .repeats) { $0.moveSelection(.halfPages(1)) }
    add(.halfPageUp, "Half a page up", keys: ["<C-u>"], counts: .repeats) { $0.moveSelection(.halfPages(-1)) }
    add(.pageDown, "A page down", keys: ["<PageDown>", "<C-f>"], counts: .repeats) { $0.moveSelection(.pages(1)) }
    add(.pageUp, "A page up", keys: ["<PageUp>", "<C-b>"], counts: .repeats) { $0.moveSelection(.pages(-1)) }
    add(.open, "Open; on an episode: play", keys: ["<Enter>"]) { $0.open() }
    add(.back, "Back, close", keys: ["<Esc>"], needsList: false) { $0.stepBack() }
    add(.selectRange, "Select rows from here to the cursor", keys: ["V"], unless: \.noRows) { $0.selectRange() }
    add(.selectRow, "Select or unselect the row", keys: ["*"], counts: .repeats, unless: \.noRows) { $0.toggleRow() }
    add(.selectAll, "Select all rows, or none", keys: ["%"], unless: \.noRows) { $0.selectAll() }
    add(.search, "Search in the list", argument: .text("WORDS"), keys: ["/"], needsList: false) { $0.search(for: $1) }
    add(.searchNext, "Next match", keys: ["n"], counts: .repeats, unless: \.noSearch) { $0.searchAgain(forward: true) }
    add(.searchPrevious, "Previous match", keys: ["N"], counts: .repeats, unless: \.noSearch) {
      $0.searchAgain(forward: false)
    }
  }
}

extension CommandName {
  static let down = named("down")
  static let up = named("up")
  static let left = named("left")
  static let right = named("right")
  static let nextPane = named("next-pane")
  static let previousPane = named("previous-pane")
  static let first = named("first")
  static let last = named("last")
  static let halfPageDown = named("half-page-down")
  static let halfPageUp = named("half-page-up")
  static let pageDown = named("page-down")
  static let pageUp = named("page-up")
  static let open = named("open")
  static let back = named("back")
  static let selectRange = named("select-range")
  static let selectRow = named("select")
  static let selectAll = named("select-all")
  static let search = named("search")
  static let searchNext = named("search-next")
  static let searchPrevious = named("search-previous")
}
