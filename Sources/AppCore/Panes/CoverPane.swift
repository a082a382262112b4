import TerminalKit

/// The cover in the full-screen view. It never has the focus.
struct CoverPane: ListeningPane {
  func title(_ state: State) -> String { "" }
  func note(_ state: State, height: Int) -> String { "" }
  func page(_ state: State, _ size: Size) -> LinearPage { NotesPane().page(state, size) }
  func move(_ step: MoveStep, _ state: inout State, _ size: Size) {}
  func open(_ state: inout State) -> [Effect] { NotesPane().open(&state) }
  func goToMatch(_ words: String, _ way: SearchOptions, _ state: inout State) -> Bool { false }
  func scroll(by rows: Int, _ state: inout State, _ size: Size) {}
  func select(row: Int, _ state: inout State, _ size: Size) -> Bool { false }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    let address = state.listeningCover(CoverView.size(in: rect))
    CoverView(state: state, address: address).drawCentered(into: &frame, rect)
  }
}
