import Foundation
import GRDB
import Model
import Sync
import SyncBackends
import Testing

@testable import Store

/// Libraries that sync through a folder, and one that syncs with a scripted server.
@Suite struct LibrarySyncTests {
  /// One of the listener's devices, with its own library.
  private final class Device {
    let box: TemporaryLibrary
    let name: String
    let folder: String
    var now = Samples.later(100_000)
    private var isUnited = false
    var library: Library { box.library }

    init(_ name: String, folder: String, podcasts: Int = 1) throws {
      box = try TemporaryLibrary()
      self.name = name
      self.folder = folder
      for number in 0..<podcasts { try subscribe(number) }
      try library.setSyncAccount(
        SyncAccount(kind: "folder", server: folder, user: "", device: name, deviceName: "The \(name)"))
      try FolderBackend(path: folder, device: name, name: "The \(name)").login()
    }

    static func url(_ number: Int) -> String { "https://feeds.example/\(number)" }

    func subscribe(_ number: Int) throws {
      let episodes = (1...4).reversed().map { index in
        var episode = Samples.episode(index)
        episode.guid = "\(number)-\(index)"
        episode.mediaURL = "https://cdn.example/\(number)/\(index).mp3"
        return episode
      }
      try box.subscribe(episodes, url: Self.url(number))
    }

    @discardableResult
    func sync() async throws -> SyncRun.Report {
      now += 60
      let noon = now
      library.collectionClock.withLock { $0 = { noon } }
      let time = now.timeIntervalSince1970
      let backend = FolderBackend(path: folder, device: name, name: "The \(name)")
      let report = await SyncRun(backend: backend, isFirstSync: !isUnited) { time }
        .perform(on: LibrarySync(library: library, server: folder))
      #expect(report.errors == [] && report.problems == [])
      isUnited = true
      return report
    }

    func episode(_ number: Int, of podcast: Int = 0) throws -> EpisodeID {
      try #require(try library.episodes(named: "\(podcast)-\(number)", withDeleted: true).first)
    }

    func state(_ number: Int, of podcast: Int = 0) throws -> String {
      let row = try #require(try library.episode(episode(number, of: podcast))).row
      return "\(row.status) \(row.position)"
    }

    func queue() throws -> [String] {
      try library.queue().map { try #require(try library.episode($0)).feed.guid! }
    }
  }

  private final class Folder {
    let path = NSTemporaryDirectory() + "earshot-folder-\(UUID().uuidString)"
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test func twoLibrariesUniteAndThenFollowEachOther() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    try there.subscribe(1)
    try here.library.setPosition(here.episode(1), seconds: 93.25, now: Samples.later(10))
    try there.library.setStatus([there.episode(2)], .played, now: Samples.later(20))
    for device in [here, there, here] { try await device.sync() }
    #expect(try there.state(1) == "paused 93.25")
    #expect(try here.state(2) == "played 0.0")
    #expect(try here.library.podcasts().count == 2)
    // The feed of the other podcast was not fetched yet: changes of its episodes wait for it.
    try there.library.setStatus([there.episode(3, of: 1)], .deleted, now: there.now)
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.syncBacklog().waiting == 1)
    // After that sync the library knows which feeds to fetch, however the program ended.
    #expect(try here.library.podcastsNeverFetched().count == 1)
    try here.subscribe(1)
    #expect(try here.library.podcastsNeverFetched() == [])
    #expect(try here.library.syncBacklog().waiting == 0)
    #expect(try here.state(3, of: 1) == "deleted 0.0")
    // The later change wins, whichever device syncs first.
    for (isFirst, order) in [(true, [here, there, here]), (false, [there, here, there])] {
      (here.now, there.now) = (max(here.now, there.now), max(here.now, there.now))
      try here.library.setStatus([here.episode(1)], .new, now: here.now.addingTimeInterval(isFirst ? 0 : 30))
      try there.library.setPosition(there.episode(1), seconds: 500, now: there.now.addingTimeInterval(isFirst ? 30 : 0))
      for device in order { try await device.sync() }
      let states = (try here.state(1), try there.state(1))
      #expect(states.0 == (isFirst ? "paused 500.0" : "new 0.0") && states.0 == states.1)
    }
    // An episode shows on which device it was last changed.
    #expect(try here.library.episode(here.episode(2))?.otherDevice == "The there")
    #expect(try there.library.episode(there.episode(2))?.otherDevice == nil)
    // Nothing is sent twice.
    let quiet = try await here.sync()
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
  }

  @Test func unsubscriptionOfAnotherDeviceCanBeUndone() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    for device in [here, there, here] { try await device.sync() }
    let podcast = try #require(try here.library.podcastID(feedURL: Device.url(0)))
    here.now += 1000
    try here.library.unsubscribe(podcast, now: here.now)
    there.now = here.now
    for device in [here, there] { try await device.sync() }
    #expect(try !there.library.isSubscribed(feedURL: Device.url(0)))
    there.now += 100
    #expect(try there.library.undo(now: there.now)?.label == "Sync with \(folder.path)")
    #expect(try there.library.isSubscribed(feedURL: Device.url(0)))
    here.now = there.now
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.isSubscribed(feedURL: Device.url(0)))
  }

  @Test func listsTagsClipsAndSettingsMeet() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    try here.library.enqueue([here.episode(1), here.episode(2)], now: here.now)
    try there.library.enqueue([there.episode(3)], now: there.now)
    try here.library.addPlaylist(title: "Walks", items: [.episode(here.episode(1))], now: here.now)
    try there.library.addPlaylist(title: "Walks", items: [.episode(there.episode(4))], now: there.now)
    let podcast = try #require(try here.library.podcastID(feedURL: Device.url(0)))
    try here.library.setTags(["news"], of: podcast, now: here.now)
    let origin = try #require(Origin(Device.url(0)))
    let credentials = Credentials(user: "me", password: "secret", origin: origin)
    try here.library.setCredentials(credentials, of: podcast)
    try here.library.update(settingsOf: podcast) { $0.keepDownloads = 5 }
    try here.library.setImageURLOverride("https://img.example/1.jpg", of: podcast)
    let clip = try here.library.addClip(
      of: here.episode(2), startTime: 5, endTime: 9, title: "A place", tags: ["fine"], now: here.now)
    for device in [here, there, here, there] { try await device.sync() }
    #expect(try Set(here.queue()) == ["0-1", "0-2", "0-3"] && here.queue() == there.queue())
    let walks = try there.library.playlists().filter { $0.title == "Walks" }
    let ours = try here.library.playlists().filter { $0.title == "Walks" }
    #expect(walks.count == 1 && walks.first?.items.count == 2)
    #expect(ours.count == 1 && ours.first?.items.count == 2)
    let other = try #require(try there.library.podcastID(feedURL: Device.url(0)))
    #expect(try there.library.podcastDetail(other)?.tags == ["news"])
    #expect(try there.library.podcastDetail(other)?.imageURLOverride == "https://img.example/1.jpg")
    #expect(try there.library.clips().map(\.title) == ["A place"])
    #expect(try there.library.clips().first?.tags == ["fine"])
    #expect(try there.library.playlists().first { $0.isMyClips }?.items.count == 1)
    // Both devices change the queue at once: additions of both are kept, removals too.
    try here.library.dequeue([here.episode(1)], now: here.now)
    try here.library.enqueue([here.episode(4)], now: here.now)
    try there.library.moveInQueue(there.episode(2), to: 9, now: there.now)
    for device in [here, there, here, there] { try await device.sync() }
    #expect(try Set(here.queue()) == ["0-2", "0-3", "0-4"] && here.queue() == there.queue())
    // Removals are synced.
    try here.library.deleteClip(clip, now: here.now)
    try here.library.setTags([], of: podcast, now: here.now)
    for device in [here, there] { try await device.sync() }
    #expect(try there.library.clips().isEmpty)
    #expect(try there.library.podcastDetail(other)?.tags == [])
    // No file contains a password.
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for file in files where file.hasSuffix(".jsonl") {
      let text = try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
      #expect(!text.contains("secret"), "\(file)")
    }
    let quiet = try await there.sync()
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
  }

  @Test func settingsOfAPodcastKeepTheirPasswordAtHome() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    let podcast = try #require(try here.library.podcastID(feedURL: Device.url(0)))
    let other = try #require(try there.library.podcastID(feedURL: Device.url(0)))
    let origin = try #require(Origin(Device.url(0)))
    let credentials = Credentials(user: "me", password: "secret", origin: origin)
    try there.library.setCredentials(credentials, of: other)
    for device in [here, there] { try await device.sync() }
    try here.library.update(settingsOf: podcast) { $0.keepDownloads = 7 }
    for device in [here, there] { try await device.sync() }
    #expect(try there.library.settings(of: other).keepDownloads == 7)
    #expect(try there.library.credentials(of: other) == credentials)
    #expect(try here.library.credentials(of: podcast) == nil)
  }

  @Test func emptiedFolderIsFilledAgain() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    try here.library.setStatus([here.episode(1)], .played, now: here.now)
    try await here.sync()
    let own = folder.path + "/earshot-sync/here"
    for file in try FileManager.default.contentsOfDirectory(atPath: own) where file.hasSuffix(".jsonl") {
      try FileManager.default.removeItem(atPath: own + "/" + file)
    }
    for device in [here, there] { try await device.sync() }
    let state = try there.state(1)
    #expect(state == "played 0.0")
    // A change that was repeated is sent only once.
    let quiet = try await here.sync()
    #expect(quiet.pushed == SyncChanges())
  }

  @Test func listsOfOneNameThatAreMadeApartBecomeOne() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    for device in [here, there, here] { try await device.sync() }
    // Both devices know each other now, but not each other's new list.
    let ours = try here.library.addPlaylist(title: "Café", items: [.episode(here.episode(1))], now: here.now)
    try there.library.addPlaylist(title: "Cafe\u{301}", items: [.episode(there.episode(2))], now: there.now)
    try there.library.addPlaylist(title: "Other", items: [.episode(there.episode(3))], now: there.now)
    for device in [here, there, here, there] { try await device.sync() }
    func lists(_ device: Device) throws -> [String: Int] {
      let own = try device.library.playlists().filter { !$0.isMyClips && !$0.isMyEpisodes }
      return Dictionary(
        own.map { ($0.title.precomposedStringWithCanonicalMapping, $0.items.count) },
        uniquingKeysWith: { $0 + 1000 + $1 })
    }
    #expect(try lists(here) == ["Café": 2, "Other": 1])
    #expect(try lists(there) == lists(here))
    // A renamed list stays the same list, and its old name is free for a new one.
    var renamed = try #require(try here.library.playlist(ours))
    renamed.title = "Coffee"
    try here.library.updatePlaylist(renamed, now: here.now)
    for device in [here, there] { try await device.sync() }
    #expect(try lists(there) == ["Coffee": 2, "Other": 1])
    try there.library.addPlaylist(title: "Café", items: [.episode(there.episode(4))], now: there.now)
    for device in [there, here] { try await device.sync() }
    #expect(try lists(here) == ["Coffee": 2, "Other": 1, "Café": 1])
    #expect(try lists(there) == lists(here))
    // A list that is deleted and made again has only its new items.
    try here.library.deletePlaylist(ours, now: here.now)
    try here.library.addPlaylist(title: "Coffee", items: [.episode(here.episode(3))], now: here.now)
    for device in [here, there, here] { try await device.sync() }
    #expect(try lists(there) == ["Coffee": 1, "Other": 1, "Café": 1])
    #expect(try lists(there) == lists(here))
  }

  @Test func folderWithMissingPartsIsFilledAgain() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    try here.library.enqueue([here.episode(1)], now: here.now)
    try here.library.setStatus([here.episode(2)], .played, now: here.now)
    try await here.sync()
    let own = folder.path + "/earshot-sync/here"
    // First the whole directory of a device is deleted, then the tail of a file.
    try FileManager.default.removeItem(atPath: own)
    for device in [here, there] { try await device.sync() }
    #expect(try there.queue() == ["0-1"])
    #expect(try there.state(2) == "played 0.0")
    try here.library.setStatus([here.episode(3)], .played, now: here.now)
    try await here.sync()
    let file = own + "/episodes.000001.jsonl"
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: handle.seekToEnd() - 20)
    try handle.close()
    for device in [here, there] { try await device.sync() }
    #expect(try there.state(3) == "played 0.0")
  }

  /// The old address must not come back with lines that other devices write, and the listening must not be lost.
  @Test func movedFeedKeepsItsEpisodes() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    try here.library.setPosition(here.episode(1), seconds: 93, now: Samples.later(10))
    try there.library.setStatus([there.episode(2)], .played, now: Samples.later(20))
    for device in [here, there, here] { try await device.sync() }
    let new = "https://elsewhere.example/0"
    let podcast = try #require(try here.library.podcastID(feedURL: Device.url(0)))
    try here.library.setFeedURL(podcast, new, now: here.now)
    for device in [here, there, here, there] { try await device.sync() }
    // On the other device it is another podcast until its feed is fetched.
    #expect(try there.library.podcasts().count == 2)
    try there.subscribe(1)
    for device in [there, here, there] { try await device.sync() }
    let addresses = try here.library.podcasts().map(\.feedURL)
    #expect(Set(addresses) == [new, Device.url(1)])
    try there.box.subscribe(
      (1...4).reversed().map { index in
        var episode = Samples.episode(index)
        episode.guid = "0-\(index)"
        episode.mediaURL = "https://cdn.example/0/\(index).mp3"
        return episode
      }, url: new)
    let moved = try #require(try there.library.podcastID(feedURL: new))
    let rows = try there.library.episodeRows(there.library.episodeIDs(EpisodeQuery(.podcast(moved))))
    #expect(rows.contains { $0.position == 93 } && rows.contains { $0.status == .played })
    // When that device learns of the move too, the podcasts are merged.
    let old = try #require(try there.library.podcastID(feedURL: Device.url(0)))
    try there.library.setFeedURL(old, new, now: there.now)
    for device in [there, here, there, here] { try await device.sync() }
    for device in [here, there] {
      #expect(try Set(device.library.podcasts().map(\.feedURL)) == [new, Device.url(1)])
      #expect(try device.state(1) == "paused 93.0" && device.state(2) == "played 0.0")
    }
    let quiet = try await here.sync()
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
  }

  /// One undo step for all feeds. A step per feed would push the listener's own steps out of the log and undo one
  /// podcast of hundreds.
  @Test func changesThatWaitedForFeedsAreOneUndoStep() async throws {
    let folder = try Folder()
    let (here, there) = (
      try Device("here", folder: folder.path, podcasts: 0), try Device("there", folder: folder.path, podcasts: 5)
    )
    for podcast in 0..<5 {
      try there.library.setStatus([there.episode(2, of: podcast)], .played, now: Samples.later(10))
    }
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.syncBacklog().waiting == 5)
    for podcast in 0..<5 { try here.subscribe(podcast) }
    for podcast in 0..<5 { #expect(try here.state(2, of: podcast) == "played 0.0") }
    let undone = try #require(try here.library.undo(now: here.now))
    #expect(undone.label == "Sync of episodes that have come" && undone.episodes.count == 5)
    for podcast in 0..<5 { #expect(try here.state(2, of: podcast) == "new 0.0") }
    #expect(try here.library.nextUndo() != "Sync of episodes that have come")
  }

  @Test func syncKeepsTheRedoStepsUnlessItChangesThem() async throws {
    let folder = try Folder()
    let (here, there) = (try Device("here", folder: folder.path), try Device("there", folder: folder.path))
    for device in [here, there, here] { try await device.sync() }
    try here.library.setStatus([here.episode(1)], .played, now: here.now)
    _ = try here.library.undo(now: here.now.addingTimeInterval(1))
    here.now += 2
    // First a sync without changes, then one with changes.
    try await here.sync()
    #expect(try here.library.undoPlan(.forward) != nil)
    there.now = here.now
    try there.library.setPosition(there.episode(2), seconds: 70, now: there.now)
    for device in [there, here] { try await device.sync() }
    #expect(try here.state(2) == "paused 70.0")
    #expect(try here.library.undo(.forward, now: here.now) != nil)
    #expect(try here.state(1) == "played 0.0" && here.state(2) == "paused 70.0")
    // The episode of the redo step.
    _ = try here.library.undo(now: here.now.addingTimeInterval(1))
    here.now += 2
    there.now = here.now
    for device in [here, there] { try await device.sync() }
    try there.library.setPosition(there.episode(1), seconds: 90, now: there.now)
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.undoPlan(.forward) == nil)
    #expect(try here.state(1) == "paused 90.0")
    // A queue edit that a redo would restore.
    try here.library.enqueue([here.episode(3)], now: here.now)
    _ = try here.library.undo(now: here.now.addingTimeInterval(1))
    here.now += 2
    there.now = here.now
    try there.library.enqueue([there.episode(4)], now: there.now)
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.undoPlan(.forward) == nil)
    #expect(try here.queue() == ["0-4"])
    // It can be undone like a local change.
    #expect(try here.library.undo(now: here.now) != nil)
    #expect(try here.queue() == [])
    for device in [here, there] { try await device.sync() }
    #expect(try there.queue() == [])
  }

  /// A server without timestamps, whose answers the test defines.
  private struct Scripted: SyncBackend {
    let traits = SyncTraits(
      timeResolution: 1, storesSubscriptionTimes: false, categories: [.subscriptions], batch: 100, mayLoseValues: true)
    var changes: [SubscriptionChange]
    func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
      var pull = SyncPull()
      pull.subscriptions = changes
      pull.cursor = "1"
      return pull
    }
    func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt { SyncReceipt() }
  }

  @Test func removalsOfMostPodcastsWaitForAWord() async throws {
    let box = try TemporaryLibrary()
    let urls = (1...8).map { "https://feeds.example/\($0)" }
    for url in urls { try box.subscribe(Samples.episodes(1...1), url: url) }
    try box.library.setSyncAccount(
      SyncAccount(kind: "gpodder", server: "https://s.example", user: "u", device: "d", deviceName: "D"))
    func run(_ changes: [SubscriptionChange], isFirstSync: Bool = false, accepts: Bool = false) async -> SyncRun.Report
    {
      await SyncRun(backend: Scripted(changes: changes), isFirstSync: isFirstSync, acceptsRemovals: accepts) {
        Samples.later(100).timeIntervalSince1970
      }.perform(on: LibrarySync(library: box.library, server: "s.example"))
    }
    let all = urls.map { SubscriptionChange(url: $0, isSubscribed: false) }
    // A first sync merges: it removes nothing.
    #expect(await run(all, isFirstSync: true).pulled.unsubscribed == 0)
    #expect(try box.library.podcasts().count == 8)
    // Three removals at once are below the limit.
    #expect(await run(Array(all.prefix(3))).pulled.unsubscribed == 3)
    #expect(await run(Array(all.suffix(5))).pulled.unsubscribed == 0)
    #expect(try box.library.syncBacklog().held.count == 5)
    #expect(await run([]).pushed.subscribed == 0)
    #expect(await run([], accepts: true).pulled.unsubscribed == 5)
    #expect(try box.library.podcasts().isEmpty && box.library.syncBacklog().held.isEmpty)
    _ = try box.library.undo(now: Samples.later(200))
    #expect(try box.library.podcasts().count == 5)
    // The podcasts are sent to the server again. If they are removed once more, and that is refused, they come back
    // on the server.
    #expect(await run([]).pushed.subscribed == 5)
    #expect(await run(Array(all.suffix(5))).pulled.unsubscribed == 0)
    try box.library.refuseSyncRemovals()
    #expect(try box.library.syncBacklog().held.isEmpty)
    let refused = await run([])
    #expect(refused.pushed.subscribed == 5 && refused.pulled == SyncChanges())
    #expect(try box.library.podcasts().count == 5)
  }
}
