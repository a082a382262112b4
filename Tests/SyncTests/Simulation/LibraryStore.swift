import Foundation
import Model
import Synchronization

@testable import Store
@testable import Sync

/// A real library for the simulation.
final class LibraryStore: SimulatedStore {
  private let library: Library
  private let directory: String
  private var run: LibrarySync
  private let time = DeviceTime()

  /// The time of a device's clock, in seconds since 1970.
  private final class DeviceTime: Sendable {
    private let seconds = Mutex(0.0)
    var date: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
    func set(_ time: Double) { seconds.withLock { $0 = time } }
  }

  init(directory: String) throws {
    self.directory = directory
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    library = try Library(path: directory + "/earshot.db")
    run = LibrarySync(library: library, server: "a test")
  }

  /// - Parameter kind: the kind of account: "gpodder", "nextcloud", "folder".
  func logIn(kind: String, device: String) throws {
    library.collectionClock.withLock { [time] clock in clock = { time.date } }
    try library.setSyncAccount(
      SyncAccount(kind: kind, server: "a test", user: "", device: device, deviceName: device))
  }

  private func at(_ time: Double) -> Date {
    self.time.set(time)
    return Date(timeIntervalSince1970: time)
  }

  func beginRun() { run = LibrarySync(library: library, server: "a test") }

  // MARK: The listener

  private static func feed(_ url: String) -> Feed {
    let episodes = (1...3).map { number in
      var episode = FeedEpisode()
      let name = MemoryStore.episode(url, number)
      (episode.title, episode.guid, episode.mediaURL) = ("Episode \(number)", "guid:" + name, name)
      episode.duration = 1800
      episode.pubDate = Date(timeIntervalSince1970: 1_600_000_000 + Double(number))
      return episode
    }
    var feed = Feed(episodes: episodes)
    feed.podcast.title = url
    return feed
  }

  func isSubscribed(_ url: String) throws -> Bool { try library.isSubscribed(feedURL: url) }

  func subscribe(_ url: String, _ isSubscribed: Bool, at time: Double) throws {
    let now = at(time)
    if isSubscribed {
      try library.subscribe(feed: Self.feed(url), feedURL: url, now: now)
    } else if let podcast = try library.podcastID(feedURL: url) {
      try library.unsubscribe(podcast, now: now)
    }
  }

  private func id(_ episode: String) throws -> EpisodeID? {
    try library.episodes(named: "guid:" + episode, withDeleted: true).first
  }

  /// The state that would be sent for the episode. Nil: it was never touched.
  func mark(of episode: String) throws -> EpisodeMark? {
    guard let id = try id(episode) else { return nil }
    return try library.read { db in
      try SyncStatements(db).read(id, isWhole: true)?.state.value
    }
  }

  func mark(_ episode: String, _ mark: EpisodeMark, at time: Double) throws {
    guard let id = try id(episode) else { return }
    if mark.status == .paused {
      try library.setPosition(id, seconds: mark.position, now: at(time))
    } else {
      try library.setStatus([id], mark.status, now: at(time))
    }
  }

  func queue() throws -> [String] {
    try library.queue().compactMap { try library.episode($0)?.feed.guid.map { String($0.dropFirst(5)) } }
  }

  func setQueue(_ items: [String], at time: Double) throws -> [String] {
    let now = at(time)
    let old = try queue()
    for item in old where !items.contains(item) { if let id = try id(item) { try library.dequeue([id], now: now) } }
    for (place, item) in items.enumerated() where !old.contains(item) {
      guard let id = try id(item) else { continue }
      try library.enqueue([id], now: now)
      try library.moveInQueue([id], to: place, now: now)
    }
    for (place, item) in items.enumerated() where old.contains(item) {
      if let id = try id(item) { try library.moveInQueue([id], to: place, now: now) }
    }
    return items
  }

  func refresh(_ clock: SyncClock) throws {
    let now = at(clock.now)
    for podcast in try library.podcasts() where podcast.feedURL.hasPrefix("http") {
      let feed = try library.prepare(Self.feed(podcast.feedURL), of: podcast.id)
      for result in library.store([.feed(podcast.id, feed)], now: now) { _ = try result.get() }
    }
  }

  // MARK: SyncStore

  func cursor(_ category: SyncCategory) throws(SyncError) -> String? { try run.cursor(category) }

  func hasUnconfirmedPush(_ category: SyncCategory) throws(SyncError) -> Bool { try run.hasUnconfirmedPush(category) }

  func apply(_ pull: SyncPull, _ category: SyncCategory, _ rules: SyncRules) throws(SyncError) -> SyncChanges {
    _ = at(rules.clock.now)
    return try run.apply(pull, category, rules)
  }

  func outgoing(
    _ category: SyncCategory, limit: Int, _ rules: SyncRules, without: Set<String>
  ) throws(SyncError) -> SyncOutgoing {
    _ = at(rules.clock.now)
    return try run.outgoing(category, limit: limit, rules, without: without)
  }

  func willSend(_ outgoing: SyncOutgoing) throws(SyncError) { try run.willSend(outgoing) }

  func didSend(_ outgoing: SyncOutgoing, _ receipt: SyncReceipt, _ rules: SyncRules) throws(SyncError) {
    try run.didSend(outgoing, receipt, rules)
  }

  func wasRefused(_ outgoing: SyncOutgoing) throws(SyncError) { try run.wasRefused(outgoing) }

  func queueUnsent(_ rules: SyncRules, lost: SyncCategory?) throws(SyncError) {
    try run.queueUnsent(rules, lost: lost)
  }

  func save(_ cursor: String, _ category: SyncCategory) throws(SyncError) { try run.save(cursor, category) }
}
