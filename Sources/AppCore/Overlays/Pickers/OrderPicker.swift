import Model

/// The order of the list of podcasts, and whether it is grouped.
public struct OrderPicker: PickerPurpose {
  public enum Choice: Equatable, Sendable {
    case order(PodcastOrder)
    case groups
  }

  public var title: String { "Order of the podcasts" }

  public func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .order(let order):
      let words = order.words.prefix(1).uppercased() + order.words.dropFirst()
      return words + (order == state.library.arrangement.order ? "  (now)" : "")
    case .groups: return state.library.arrangement.isGrouped ? "No groups" : "In groups by their tags"
    }
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    switch choice {
    case .order(let order): state.sortPodcasts(order)
    case .groups: state.groupPodcasts()
    }
  }
}
