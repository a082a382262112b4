import Model

/// Where to search for a person: in the library or in the directories.
public struct PersonPicker: PickerPurpose {
  public enum Choice: Equatable, Sendable, CaseIterable { case library, directories }

  public var name: String
  public var title: String { "Everything with \(name)" }

  public func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .library: "in the library"
    case .directories: "in the directories (the name is sent to them)"
    }
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    switch choice {
    case .library: return state.findInLibrary("\"\(name)\"")
    case .directories:
      _ = state.show(.discover)
      return state.startSearch(for: DiscoverQuery(.people, name), isTyped: false)
    }
  }

  public var hints: [(CommandName, String)] { [(.open, "search"), (.back, "close")] }
}
