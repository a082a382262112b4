import Model

/// A line in the list of podcasts: a podcast, or the header of a group.
public enum PodcastLine: Equatable, Sendable {
  case podcast(PodcastRow)
  case group(PodcastGroup)

  var podcast: PodcastRow? { if case .podcast(let row) = self { row } else { nil } }
  var group: PodcastGroup? { if case .group(let group) = self { group } else { nil } }
  var title: String {
    switch self {
    case .podcast(let row): row.title
    case .group(let group): group.title
    }
  }
}

/// The podcasts with a tag.
public struct PodcastGroup: Equatable, Sendable {
  /// Nil: the podcasts without any tag.
  public var tag: String?
  public var podcasts: Int
  public var unplayed: Int
  public var new: Int
  public var isFolded: Bool

  var title: String { tag ?? "Without a tag" }
  /// The stored form; empty for no tag.
  var key: String { tag ?? "" }
}

/// The order and the groups of the list of podcasts. It is stored.
public struct PodcastArrangement: Equatable, Sendable {
  public var order = PodcastOrder.title
  /// Groups by tag. A podcast is in the group of each of its tags.
  public var isGrouped = false
  /// The folded groups, by `PodcastGroup.key`.
  public var folded: Set<String> = []

  public init() {}

  /// Reads the stored settings: the order, "1" for groups, and the folded groups. Each folded group ends with a unit
  /// separator (U+001F), so that "none" differs from "the group without a tag".
  public init(order: String?, groups: String?, folded: String?) {
    self.order = order.flatMap(PodcastOrder.init(rawValue:)) ?? .title
    isGrouped = groups == "1"
    self.folded = Set(
      (folded ?? "").split(separator: "\u{1F}", omittingEmptySubsequences: false).dropLast().map(String.init))
  }

  var foldedText: String { folded.sorted().map { $0 + "\u{1F}" }.joined() }

  /// The lines for these podcasts.
  /// - Parameter rows: in order of title.
  func lines(_ rows: [PodcastRow]) -> [PodcastLine] {
    let sorted = order.sorted(rows)
    let tags = State.inTagOrder(Set(rows.flatMap(\.tags)))
    guard isGrouped, !tags.isEmpty else { return sorted.map { .podcast($0) } }
    return tags.flatMap { tag in group(tag, sorted.filter { $0.tags.contains(tag) }) }
      + group(nil, sorted.filter(\.tags.isEmpty))
  }

  private func group(_ tag: String?, _ rows: [PodcastRow]) -> [PodcastLine] {
    guard !rows.isEmpty else { return [] }
    let isFolded = folded.contains(tag ?? "")
    let head = PodcastGroup(
      tag: tag, podcasts: rows.count, unplayed: rows.reduce(0) { $0 + $1.unplayed },
      new: rows.reduce(0) { $0 + $1.new }, isFolded: isFolded)
    return [.group(head)] + (isFolded ? [] : rows.map { .podcast($0) })
  }
}

extension PodcastOrder {
  /// The name of the order in the menu and in messages.
  var words: String {
    switch self {
    case .title: "by title"
    case .newest: "newest episode first"
    case .new: "with new episodes first"
    case .unplayed: "most unplayed first"
    case .manual: "in your own order"
    }
  }
}

extension State {
  /// The selected line in the list of podcasts.
  var selectedPodcastLine: PodcastLine? { library.podcastLines[safe: screens.podcasts.list.selected] }

  /// The header of the group that contains the line.
  func podcastGroup(of row: Int) -> PodcastGroup? {
    library.podcastLines.prefix(row + 1).last { $0.group != nil }?.group
  }

  /// Changes the podcasts or their order. The selection stays on its podcast, or on the header of the group that hides
  /// it.
  mutating func arrangePodcasts(selecting wanted: PodcastID? = nil, _ change: (inout LibraryState) -> Void) {
    let before = selectedPodcastLine
    let group = podcastGroup(of: screens.podcasts.list.selected)
    change(&library)
    screens.podcasts.list.fit(count: library.podcastLines.count, height: layout.listHeight(.podcasts))
    let head = group.flatMap { group in library.podcastLines.firstIndex { $0.group?.key == group.key } }
    let id = wanted ?? before?.podcast?.id
    // A podcast can be in several groups. The group of the selection is searched first.
    let inGroup = library.podcastLines[(head ?? 0)...].firstIndex { id != nil && $0.podcast?.id == id }
    let row =
      inGroup ?? library.podcastLines.firstIndex { id != nil && $0.podcast?.id == id }
      ?? (id == nil ? head : foldedHeader(of: id))
    if let row { screens.podcasts.list.moveTo(row) }
  }

  /// The header of a folded group that contains the podcast.
  private func foldedHeader(of id: PodcastID?) -> Int? {
    guard let row = library.podcasts.first(where: { $0.id == id }) else { return nil }
    return library.podcastLines.firstIndex { line in
      guard let group = line.group, group.isFolded else { return false }
      return group.tag.map(row.tags.contains) ?? row.tags.isEmpty
    }
  }
}
