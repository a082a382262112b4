import Model

/// A row of the list of podcasts: a podcast, or the head of a group of them.
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

/// The podcasts that have a tag.
public struct PodcastGroup: Equatable, Sendable {
  /// Nil: those without any.
  public var tag: String?
  public var podcasts: Int
  public var unplayed: Int
  public var isFolded: Bool

  var title: String { tag ?? "Without a tag" }
  /// As it is remembered; no tag is empty.
  var key: String { tag ?? "" }
}

/// How the list of podcasts is arranged. Survives restarts.
public struct PodcastArrangement: Equatable, Sendable {
  public var order = PodcastOrder.title
  /// Groups by tag; a podcast stands in the group of each of its tags.
  public var isGrouped = false
  /// `PodcastGroup.key`.
  public var folded: Set<String> = []

  public init() {}

  /// What is remembered: the order, "1" for groups, the folded groups, each with a unit separator (U+001F) behind it, so
  /// that nothing folded and the folded group of those without a tag differ.
  public init(order: String?, groups: String?, folded: String?) {
    self.order = order.flatMap(PodcastOrder.init(rawValue:)) ?? .title
    isGrouped = groups == "1"
    self.folded = Set(
      (folded ?? "").split(separator: "\u{1F}", omittingEmptySubsequences: false).dropLast().map(String.init))
  }

  var foldedText: String { folded.sorted().map { $0 + "\u{1F}" }.joined() }

  /// - Parameter rows: in order of title.
  func lines(_ rows: [PodcastRow]) -> [PodcastLine] {
    let sorted = order.sorted(rows)
    let tags = Set(rows.flatMap(\.tags)).sorted()
    guard isGrouped, !tags.isEmpty else { return sorted.map { .podcast($0) } }
    return tags.flatMap { tag in group(tag, sorted.filter { $0.tags.contains(tag) }) }
      + group(nil, sorted.filter(\.tags.isEmpty))
  }

  private func group(_ tag: String?, _ rows: [PodcastRow]) -> [PodcastLine] {
    guard !rows.isEmpty else { return [] }
    let isFolded = folded.contains(tag ?? "")
    let head = PodcastGroup(
      tag: tag, podcasts: rows.count, unplayed: rows.reduce(0) { $0 + $1.unplayed }, isFolded: isFolded)
    return [.group(head)] + (isFolded ? [] : rows.map { .podcast($0) })
  }
}

extension PodcastOrder {
  /// As the menu and messages name it.
  var words: String {
    switch self {
    case .title: "by title"
    case .newest: "newest episode first"
    case .unplayed: "most unplayed first"
    case .hand: "in your own order"
    }
  }
}

extension State {
  /// The row that is selected in the list of podcasts.
  var selectedPodcastLine: PodcastLine? {
    let index = screens.inPodcasts.list.selected
    return podcastLines.indices.contains(index) ? podcastLines[index] : nil
  }

  /// The head of the group that the row is in.
  func podcastGroup(of row: Int) -> PodcastGroup? { podcastLines.prefix(row + 1).last { $0.group != nil }?.group }

  /// Changes the podcasts, or how they are arranged. The selection stays on its podcast, or on the head of the group that
  /// hides it.
  mutating func arrangePodcasts(selecting wanted: PodcastID? = nil, _ change: (inout State) -> Void) {
    let before = selectedPodcastLine
    let group = podcastGroup(of: screens.inPodcasts.list.selected)
    change(&self)
    screens.inPodcasts.list.fit(count: podcastLines.count, height: layout.listHeight(.podcasts))
    let head = group.flatMap { group in podcastLines.firstIndex { $0.group?.key == group.key } }
    let id = wanted ?? before?.podcast?.id
    // A podcast may stand in several groups: the one that was selected comes first.
    let inGroup = podcastLines[(head ?? 0)...].firstIndex { id != nil && $0.podcast?.id == id }
    let place =
      inGroup ?? podcastLines.firstIndex { id != nil && $0.podcast?.id == id } ?? (id == nil ? head : hider(of: id))
    if let place { screens.inPodcasts.list.moveTo(place) }
  }

  /// The head of a folded group that the podcast is in.
  private func hider(of id: PodcastID?) -> Int? {
    guard let row = podcasts.first(where: { $0.id == id }) else { return nil }
    return podcastLines.firstIndex { line in
      guard let group = line.group, group.isFolded else { return false }
      return group.tag.map(row.tags.contains) ?? row.tags.isEmpty
    }
  }
}
