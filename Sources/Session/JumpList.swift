import Model

/// The places that the listener jumped away from, oldest first, within episodes and across them. Works as `^O` and `^I`
/// in vim: `back` goes to the newest place, and `forward` returns to where `back` was called.
public struct JumpList: Equatable, Sendable {
  public private(set) var places: [EpisodePlace] = []
  /// The index of the place that the listener went to last. It is `places.count` before the first step back.
  private(set) var index = 0

  /// The oldest places beyond this number are dropped.
  static let limit = 100

  public init() {}

  /// Reads the places of the last run from the form that `text` writes. The first step back goes to the newest.
  public init(_ text: String) {
    places = text.split(separator: " ").compactMap { EpisodePlace($0) }.suffix(Self.limit)
    index = places.count
  }

  /// The places for the settings table, such as `7@93.5 9@3002.25`.
  public var text: String { places.map(\.text).joined(separator: " ") }

  public var canGoBack: Bool { index > 0 }
  public var canGoForward: Bool { index + 1 < places.count }

  /// Adds the place that the listener jumps away from. Places that `forward` could reach stay in the list.
  mutating func add(_ place: EpisodePlace) {
    places.removeAll { $0.isNear(place) }
    places.append(place)
    if places.count > Self.limit { places.removeFirst(places.count - Self.limit) }
    index = places.count
  }

  /// The next older place; nil when there is none.
  /// - Parameter here: where the listener is now; nil when nothing is loaded.
  mutating func back(from here: EpisodePlace?) -> EpisodePlace? {
    var list = self
    if list.index == list.places.count, let here {
      list.add(here)
      list.index -= 1
    } else {
      list.recordProgress(here)
    }
    guard list.index > 0 else { return nil }
    list.index -= 1
    self = list
    return places[index]
  }

  mutating func forward(from here: EpisodePlace?) -> EpisodePlace? {
    guard canGoForward else { return nil }
    recordProgress(here)
    index += 1
    return places[index]
  }

  /// Replaces the place at `index` by the current position, so that a later step returns to where the listener stopped.
  private mutating func recordProgress(_ here: EpisodePlace?) {
    guard places.indices.contains(index), let here, here.episode == places[index].episode else { return }
    places[index] = here
  }
}
