import Model

extension EpisodePlace {
  /// Whether a jump from the one to the other leads nowhere else.
  func isNear(_ other: EpisodePlace) -> Bool { episode == other.episode && abs(seconds - other.seconds) < Self.near }

  /// Seconds.
  static let near = 2.0
}

/// The places that the listener jumped away from, oldest first, in one episode and across episodes. Back goes to the
/// newest of them, forward again to where back was pressed, as ^O and ^I do in vim.
public struct JumpList: Equatable, Sendable {
  public private(set) var places: [EpisodePlace] = []
  /// Where the listener stands in the list: at `places.count` before the first step back. Within the list, the place at
  /// this index is the one that was gone to.
  private(set) var index = 0

  /// The oldest go first.
  static let limit = 100

  public init() {}

  /// The places of the last run, as `text` wrote them. Back begins at the newest.
  public init(_ text: String) {
    places = text.split(separator: " ").compactMap { EpisodePlace($0) }.suffix(Self.limit)
    index = places.count
  }

  /// `7@93.5 9@3002.25`.
  public var text: String { places.map(\.text).joined(separator: " ") }

  public var canGoBack: Bool { index > 0 }
  public var canGoForward: Bool { index + 1 < places.count }

  /// The listener jumps away from this place. Those that could be gone forward to are kept: no place is forgotten because
  /// of where one goes next.
  mutating func leave(_ place: EpisodePlace) {
    places.removeAll { $0.isNear(place) }
    places.append(place)
    if places.count > Self.limit { places.removeFirst(places.count - Self.limit) }
    index = places.count
  }

  /// One step towards the older places, from where the listener is now; nil when there is none.
  mutating func back(from here: EpisodePlace?) -> EpisodePlace? {
    var list = self
    if list.index == list.places.count, let here {
      list.leave(here)
      list.index -= 1
    } else {
      list.noteProgress(here)
    }
    guard list.index > 0 else { return nil }
    list.index -= 1
    self = list
    return places[index]
  }

  mutating func forward(from here: EpisodePlace?) -> EpisodePlace? {
    guard canGoForward else { return nil }
    noteProgress(here)
    index += 1
    return places[index]
  }

  /// Whoever listens on from a place that was gone to is to come back to where that led.
  private mutating func noteProgress(_ here: EpisodePlace?) {
    guard places.indices.contains(index), let here, here.episode == places[index].episode else { return }
    places[index] = here
  }
}
