import Foundation
import Model
import Sync
import Testing

@testable import Store

/// How much work a sync does for what arrives, counted in rows, transactions and undo steps.
@Suite struct SyncWorkTests {
  enum Kind: CaseIterable {
    case tags, episodeTags, playlists, items, itemsOfMany, clips, queue, settings, marks, subscriptions
  }

  private static let time = Samples.later(50_000).timeIntervalSince1970
  private static let url = SyncDevice.url(0)
  private static let feed = "feeds.example/0"

  private static func object(_ members: [String: JSONValue]) -> JSONValue { .object(members) }

  private static func episode(_ number: Int) -> [String: JSONValue] {
    ["podcast": .string(url), "guid": .string("0-\(number)")]
  }

  private static func register(_ key: String, _ value: [String: JSONValue]?, at time: Double = time) -> JSONValue {
    object(["key": .string(key), "value": value.map { .object($0) } ?? .null, "time": .number(time)])
  }

  private static func place(_ number: Int) -> JSONValue { .string("A" + Gregorian.padded(number, 5) + "V") }

  private static func lines(_ kind: Kind, _ count: Int) -> (category: String, lines: [JSONValue]) {
    let numbers = 1...count
    let named = { (number: Int) in register("playlist/title:P\(number)", ["title": .string("P\(number)")]) }
    switch kind {
    case .tags:
      return (
        "collections",
        numbers.map { register("tag/\(feed) T\($0)", ["podcast": .string(url), "tag": .string("T\($0)")]) }
      )
    case .episodeTags:
      return (
        "collections",
        numbers.map {
          register("tag-episode/\(feed) 0-1 T\($0)", episode(1).merging(["tag": .string("T\($0)")]) { $1 })
        }
      )
    case .playlists: return ("collections", numbers.map(named))
    case .items:
      return (
        "collections",
        [named(1)]
          + numbers.map {
            register("item/title:P1/\(feed) 0-\($0)", episode($0).merging(["place": place($0)]) { $1 })
          }
      )
    case .itemsOfMany:
      return (
        "collections",
        numbers.map(named)
          + numbers.map {
            register("item/title:P\($0)/\(feed) 0-\($0)", episode($0).merging(["place": place(1)]) { $1 })
          }
      )
    case .clips:
      return (
        "collections",
        numbers.map {
          register(
            "clip/other:\($0):0",
            episode($0).merging(["start": .number(1), "end": .number(2), "user": .string("other")]) { $1 })
        }
      )
    case .queue:
      return (
        "collections",
        numbers.map { register("queue/\(feed) 0-\($0)", episode($0).merging(["place": place($0)]) { $1 }) }
      )
    case .settings:
      return (
        "collections",
        numbers.map {
          register(
            "settings/feeds.example/\($0)",
            [
              "podcast": .string("https://feeds.example/\($0)"), "settings": object(["keepDownloads": .number(5)]),
            ])
        }
      )
    case .marks:
      return (
        "episodes",
        numbers.map { object(episode($0).merging(["status": .string("played"), "time": .number(time)]) { $1 }) }
      )
    case .subscriptions:
      return (
        "subscriptions",
        numbers.map {
          object([
            "podcast": .string("https://feeds.example/\($0)"), "subscribed": .bool(true), "time": .number(time),
          ])
        }
      )
    }
  }

  private struct Work {
    /// Rows inserted, changed or deleted.
    var rows: Int
    /// The size of the undo step in bytes.
    var undo: Int
    var transactions: Int
  }

  /// A device with `count` episodes of one podcast.
  private static func device(_ count: Int) throws -> SyncDevice {
    let device = try SyncDevice("here", podcasts: 0)
    try device.box.subscribe(
      (1...count).map { index in
        var episode = Samples.episode(index)
        episode.guid = "0-\(index)"
        episode.mediaURL = "https://cdn.example/0/\(index).mp3"
        return episode
      }, url: url)
    return device
  }

  private static func work(_ kind: Kind, _ count: Int) async throws -> Work {
    let here = try device(count)
    try await here.sync()
    let (category, lines) = lines(kind, count)
    try SyncDevice.write(lines, category, to: here.folder.path)
    let before = try here.library.write { $0.totalChangesCount }
    try await here.sync()
    let rows = try here.library.write { $0.totalChangesCount } - before
    let undo = try here.library.read { db in
      try Int.fetchOne(db, sql: "SELECT sum(length(step)) FROM undo WHERE label LIKE 'Sync%'") ?? 0
    }
    return Work(rows: rows, undo: undo, transactions: here.transactions)
  }

  /// Twice as many changes are about twice the work.
  @Test(arguments: Kind.allCases) func workGrowsWithWhatArrives(kind: Kind) async throws {
    let (one, two) = (try await Self.work(kind, 600), try await Self.work(kind, 1200))
    #expect(one.rows > 0)
    #expect(Double(two.rows) < 2.3 * Double(one.rows), "\(one) \(two)")
    #expect(Double(two.undo) < 2.3 * Double(max(one.undo, 100)), "\(one) \(two)")
    // A player can store its position in between.
    #expect(two.transactions >= 3, "\(two)")
  }

  /// All changes of a run are one step, however many transactions it takes.
  @Test func manyTransactionsAreOneUndoStep() async throws {
    let here = try Self.device(1200)
    try here.library.setTags(["Own"], of: here.library.podcasts()[0].id, now: here.now)
    try await here.sync()
    let kinds: [Kind] = [.tags, .items, .clips, .queue]
    try SyncDevice.write(kinds.flatMap { Self.lines($0, 1200).lines }, "collections", to: here.folder.path)
    try await here.sync()
    func counts() throws -> [Int] {
      let tables = ["podcastTag", "playlistItem", "clip", "queue", "playlist"]
      return try here.library.read { db in
        try tables.map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0 }
      }
    }
    let after = try counts()
    #expect(after == [1201, 1200, 1200, 1200, 3])
    _ = try here.library.undo(now: here.now)
    #expect(try counts() == [1, 0, 0, 0, 2])
    _ = try here.library.undo(.forward, now: here.now)
    #expect(try counts() == after)
  }

  /// The listener changes something between two transactions of a merge, and the run is killed. What has arrived but is
  /// not applied yet must not become a change of this device.
  @Test func changeBetweenTwoTransactionsKeepsWhatHasArrived() async throws {
    let (here, there) = try SyncDevice.pair()
    let items = try (1...2).map { try Playlist.Item.episode(here.episode($0)) }
    try here.library.addPlaylist(title: "Walks", items: items, now: here.now)
    for device in [here, there, here] { try await device.sync() }
    let list = try #require(try there.library.playlists().last)
    try there.library.removeFromPlaylist(list.id, [.episode(there.episode(1))], now: there.now)
    try await there.sync()
    let later = here.now.timeIntervalSince1970 + 100
    let removal = RegisterChange(key: "item/title:Walks/\(Self.feed) 0-1", value: nil, time: later)
    let tags = (0..<600).map { number in
      RegisterChange(
        key: "tag/\(Self.feed) T\(number)",
        value: Self.object(["podcast": .string(Self.url), "tag": .string("T\(number)")]).text, time: later)
    }
    var merge = CollectionMerge(tags + [removal], isFirst: false)
    let traits = SyncTraits(
      timeResolution: 0.001, storesSubscriptionTimes: true, categories: [], batch: 0, mayLoseValues: false)
    let rules = SyncRules(clock: SyncClock(step: 0.001, now: later + 100), traits: traits)
    var undo = SyncUndo(label: "Sync")
    try here.library.write { db in
      try SyncCollections(library: here.library, db: db).advance(&merge, rules, &undo)
    }
    #expect(merge.step != nil)
    try here.library.enqueue([here.episode(3)], now: here.now)
    here.now = Date(timeIntervalSince1970: later + 200)
    there.now = here.now
    for device in [here, there, here] { try await device.sync() }
    for device in [here, there] {
      let items = try #require(try device.library.playlists().last).items
      #expect(items == [.episode(try device.episode(2))], "\(device.name)")
      #expect(try device.queue() == ["0-3"], "\(device.name)")
    }
  }
}
