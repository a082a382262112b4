import Sync

/// The kinds of registers. Each is compared with its tables on its own, so that a change of tags reads no playlists.
enum CollectionKind: CaseIterable {
  case queue, clips, playlists, items, tags, podcasts, rules

  /// The beginnings of the keys.
  var prefixes: [String] {
    switch self {
    case .queue: ["queue/"]
    case .clips: ["clip/"]
    case .playlists: ["playlist/"]
    case .items: ["item/"]
    case .tags: ["tag/", "tag-episode/"]
    case .podcasts: ["settings/", "order/", "artwork/", "source/"]
    case .rules: [SyncRule.prefix]
    }
  }

  /// Nil: a newer version of Earshot has stored it.
  init?(key: String) {
    guard let kind = Self.allCases.first(where: { $0.prefixes.contains(where: key.hasPrefix) }) else { return nil }
    self = kind
  }

  /// The first key after all keys that begin with the prefix, which ends in a slash.
  static func end(of prefix: String) -> String { prefix.dropLast() + "0" }

  /// The prefix of the list of an item: "queue/", "rule/", "item/NAME/". Nil for registers that are no items.
  static func list(of key: String) -> String? {
    for list in ["queue/", SyncRule.prefix] where key.hasPrefix(list) { return list }
    guard key.hasPrefix("item/"), let slash = key.dropFirst(5).firstIndex(of: "/") else { return nil }
    return String(key[...slash])
  }

  /// Clips and playlists are applied first, because others refer to them.
  static func isBefore(_ left: String, _ right: String) -> Bool { (rank(left), left) < (rank(right), right) }

  private static func rank(_ key: String) -> Int {
    key.hasPrefix("clip/") ? 0 : key.hasPrefix("playlist/") ? 1 : 2
  }
}

/// The progress of merging the registers of one pull, which takes several transactions.
struct CollectionMerge {
  enum Step {
    case receive(RegisterChange)
    case findPending
    case apply(key: String)
    /// Applies the items of a list, all together, and records what has changed in its other items: a removed clip is
    /// removed from its playlists, too.
    case order(list: String)
    /// Records what this device has, or has changed, of this kind.
    case capture(CollectionKind)
  }

  private let changes: [RegisterChange]
  private var next = 0
  /// This library has never been synced completely.
  let isFirst: Bool
  /// In a first sync: what this library has, by keys.
  var present: [String: String]?
  /// In a first sync: the id of this device. It may have synced before with the same folder.
  var device: String?
  /// What was made here, and is captured first.
  var transcripts = SyncTranscript.Changes()
  /// Keys of registers that are not applied, the first one last. Nil: not read yet.
  var pending: [String]?
  /// Prefixes of lists whose items have changed.
  var lists: Set<String> = []
  /// What is left to capture.
  var kinds: Set<CollectionKind>
  /// The keys of registers that have changed, or have waited until now.
  var changed: Set<String> = []

  init(_ changes: [RegisterChange], isFirst: Bool) {
    // The newest change of a register first: then the others are outdated.
    self.changes = changes.sorted {
      $0.key == $1.key ? $0.time > $1.time : CollectionKind.isBefore($0.key, $1.key)
    }
    self.isFirst = isFirst
    kinds = Set(changes.compactMap { CollectionKind.list(of: $0.key) == nil ? CollectionKind(key: $0.key) : nil })
  }

  /// What comes next. Nil at the end.
  var step: Step? {
    if next < changes.count { return .receive(changes[next]) }
    guard let pending else { return .findPending }
    if let key = pending.last { return .apply(key: key) }
    if let list = lists.first { return .order(list: list) }
    return kinds.first.map { .capture($0) }
  }

  mutating func finish(_ step: Step) {
    switch step {
    case .receive: next += 1
    case .findPending: pending?.sort { CollectionKind.isBefore($1, $0) }
    case .apply: pending?.removeLast()
    case .order(let list): lists.remove(list)
    case .capture(let kind): kinds.remove(kind)
    }
  }
}
