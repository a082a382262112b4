import Model

/// The charts of a genre. Those of another country need its code, so they are typed.
struct ChartsPicker: PickerPurpose {
  enum Choice: Equatable, Sendable {
    case genre(String)
    case country
  }

  var title: String { "Top podcasts" }

  func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .genre(let genre): genre
    case .country: "Another country (such as “arts de”)"
    }
  }

  func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    switch choice {
    case .genre(let genre): state.startSearch(for: DiscoverQuery(.charts(genre: genre)), isTyped: false)
    case .country: state.askForArgument(of: .charts)
    }
  }
}
