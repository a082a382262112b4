import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Libraries that sync through a folder.
@Suite struct LibrarySyncTests {
  @Test func twoLibrariesAreMergedAndStayInSync() async throws {
    let (here, there) = try SyncDevice.pair()
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
    #expect(try here.library.syncBacklog().waitingFor.map(\.actions) == [1])
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
    // Each device knows when the other was last seen.
    #expect(try here.library.syncDevices().map(\.name) == ["The there"])
    #expect(try here.library.syncDevices().first?.seen.map { $0 > Samples.later(0) && $0 <= here.now } == true)
    // Nothing is sent twice.
    let quiet = try await here.sync()
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
  }

  /// A played episode can be queued again. On a device that fetches its feed later, the queue must not lose it, because
  /// then it would lose it everywhere.
  @Test func queuedPlayedEpisodeWaitsForItsFeed() async throws {
    let (here, there) = try SyncDevice.pair()
    try here.subscribe(1)
    let episode = try here.episode(1, of: 1)
    try here.library.setStatus([episode], .played, now: here.now)
    try here.library.enqueue([episode], now: here.now)
    for device in [here, there] { try await device.sync() }
    try there.subscribe(1)
    for device in [there, here, there] { try await device.sync() }
    #expect(try there.state(1, of: 1) == "played 0.0")
    #expect(try there.library.queue() == [there.episode(1, of: 1)])
    #expect(try here.library.queue() == [episode])
  }

  /// GRDB does not reset a statement after its last row, and has the same one for equal SQL. A sync that followed a
  /// change of the listener left a played episode in the queue.
  @Test func rawStatementRunsAfterTheSameOneOfGRDB() throws {
    let here = try SyncDevice("here")
    let (first, second) = (try here.episode(1), try here.episode(2))
    try here.library.enqueue([first, second], now: here.now)
    let sql = "DELETE FROM queue WHERE episodeID = ?"
    try here.library.write { db in
      try db.run(sql, [first.rawValue])
      try RawStatement(db, sql).run(second.rawValue)
    }
    #expect(try here.library.queue() == [])
  }

  /// Each batch of a dry run is taken back. So playlists of one title got new names for ever.
  @Test func dryRunEnds() async throws {
    let here = try SyncDevice("here")
    for title in ["Walks", "Other"] { try here.library.addPlaylist(title: title, items: [], now: here.now) }
    try here.library.write { try $0.execute(sql: "UPDATE playlist SET title = 'Walks' WHERE title = 'Other'") }
    let (planned, done) = (try await here.sync(isDryRun: true), try await here.sync())
    #expect(planned.pushed == done.pushed && planned.pushed != SyncChanges())
  }

  @Test func listsTagsClipsAndSettingsAreMerged() async throws {
    let (here, there) = try SyncDevice.pair()
    try here.library.enqueue([here.episode(1), here.episode(2)], now: here.now)
    try there.library.enqueue([there.episode(3)], now: there.now)
    try here.library.addPlaylist(title: "Walks", items: [.episode(here.episode(1))], now: here.now)
    try there.library.addPlaylist(title: "Walks", items: [.episode(there.episode(4))], now: there.now)
    let podcast = try #require(try here.library.podcastID(feedURL: SyncDevice.url(0)))
    try here.library.setTags(["news"], of: podcast, now: here.now)
    let origin = try #require(Origin(SyncDevice.url(0)))
    let credentials = Credentials(user: "me", password: "secret", origin: origin)
    try here.library.addCredentials(credentials, of: podcast)
    try here.library.update(settingsOf: podcast) { $0.keepDownloads = 5 }
    try await here.library.pool.write { db in
      try Library.setImageURLOverride(db, "https://img.example/1.jpg", of: podcast)
    }
    let clip = try here.library.addClip(
      of: here.episode(2), startTime: 5, endTime: 9, title: "A place", tags: ["fine"], now: here.now)
    for device in [here, there, here, there] { try await device.sync() }
    #expect(try Set(here.queue()) == ["0-1", "0-2", "0-3"] && here.queue() == there.queue())
    let walks = try there.library.playlists().filter { $0.title == "Walks" }
    let ours = try here.library.playlists().filter { $0.title == "Walks" }
    #expect(walks.count == 1 && walks.first?.items.count == 2)
    #expect(ours.count == 1 && ours.first?.items.count == 2)
    let other = try #require(try there.library.podcastID(feedURL: SyncDevice.url(0)))
    #expect(try there.library.podcastDetail(other)?.row.tags == ["news"])
    #expect(try there.library.podcastDetail(other)?.imageURLOverride == "https://img.example/1.jpg")
    #expect(try there.library.clips().map(\.title) == ["A place"])
    #expect(try there.library.clips().first?.tags == ["fine"])
    #expect(try there.library.playlists().first { $0.isMyClips }?.items.count == 1)
    // Both devices change the queue at once: additions of both are kept, removals too.
    try here.library.dequeue([here.episode(1)], now: here.now)
    try here.library.enqueue([here.episode(4)], now: here.now)
    try there.library.moveInQueue([there.episode(2)], to: 9, now: there.now)
    for device in [here, there, here, there] { try await device.sync() }
    #expect(try Set(here.queue()) == ["0-2", "0-3", "0-4"] && here.queue() == there.queue())
    // Removals are synced.
    try here.library.deleteClip(clip, now: here.now)
    try here.library.setTags([], of: podcast, now: here.now)
    for device in [here, there] { try await device.sync() }
    #expect(try there.library.clips().isEmpty)
    #expect(try there.library.podcastDetail(other)?.row.tags == [])
    // No file contains a password.
    let files = try FileManager.default.subpathsOfDirectory(atPath: here.folder.path)
    for file in files where file.hasSuffix(".jsonl") {
      let text = try String(contentsOfFile: here.folder.path + "/" + file, encoding: .utf8)
      #expect(!text.contains("secret"), "\(file)")
    }
    let quiet = try await there.sync()
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
  }

  @Test func settingsOfAPodcastAreSyncedWithoutItsPassword() async throws {
    let (here, there) = try SyncDevice.pair()
    let podcast = try #require(try here.library.podcastID(feedURL: SyncDevice.url(0)))
    let other = try #require(try there.library.podcastID(feedURL: SyncDevice.url(0)))
    let origin = try #require(Origin(SyncDevice.url(0)))
    let credentials = Credentials(user: "me", password: "secret", origin: origin)
    try there.library.addCredentials(credentials, of: other)
    for device in [here, there] { try await device.sync() }
    try here.library.update(settingsOf: podcast) { $0.keepDownloads = 7 }
    for device in [here, there] { try await device.sync() }
    #expect(try there.library.settings(of: other).keepDownloads == 7)
    #expect(try there.library.credentials(of: other) == credentials)
    #expect(try here.library.credentials(of: podcast) == nil)
  }

  /// Without a step of its own, an undo would take back what came before: the subscriptions of the first sync.
  @Test func settingsOfOthersCanBeUndone() async throws {
    let (here, there) = try SyncDevice.pair()
    let podcast = try #require(try here.library.podcastID(feedURL: SyncDevice.url(0)))
    let other = try #require(try there.library.podcastID(feedURL: SyncDevice.url(0)))
    for device in [here, there] { try await device.sync() }
    try here.library.update(settingsOf: podcast) { $0.keepDownloads = 7 }
    for device in [here, there] { try await device.sync() }
    try here.library.change(.order(.oldest), of: podcast, now: here.now)
    for device in [here, there] { try await device.sync() }
    let plan = try #require(try there.library.undoPlan(.back))
    #expect(plan.consequence == "Put back the settings of 1 podcast.")
    #expect(try there.library.undo(now: there.now)?.settings == [other])
    #expect(try there.library.settings(of: other).order == nil)
    #expect(try there.library.settings(of: other).keepDownloads == 7)
    _ = try there.library.undo(.forward, now: there.now)
    #expect(try there.library.settings(of: other).order == .oldest)
    for _ in 1...2 { _ = try there.library.undo(now: there.now) }
    #expect(try there.library.settings(of: other) == PodcastSettings())
    // The undo is this device's newest change.
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.settings(of: podcast).keepDownloads == nil)
    // The same settings once more are no change.
    let label = try there.library.undoPlan(.back)?.id
    for device in [here, there] { try await device.sync() }
    #expect(try there.library.undoPlan(.back)?.id == label)
  }

  /// The order has a register of its own: a device that does not know it sends settings without it.
  @Test func orderOfAPodcastIsSynced() async throws {
    let (here, there) = try SyncDevice.pair()
    let podcast = try #require(try here.library.podcastID(feedURL: SyncDevice.url(0)))
    let other = try #require(try there.library.podcastID(feedURL: SyncDevice.url(0)))
    try here.library.change(.order(.oldest), of: podcast, now: here.now)
    for device in [here, there] { try await device.sync() }
    #expect(try there.library.settings(of: other).order == .oldest)
    try there.library.update(settingsOf: other) { $0.keepDownloads = 7 }
    for device in [there, here] { try await device.sync() }
    let settings = try here.library.settings(of: podcast)
    #expect(settings.order == .oldest && settings.keepDownloads == 7)
    let files = try FileManager.default.subpathsOfDirectory(atPath: here.folder.path)
    let lines = try files.filter { $0.contains("collections") }
      .flatMap { try String(contentsOfFile: here.folder.path + "/" + $0, encoding: .utf8).split(separator: "\n") }
    #expect(lines.filter { $0.contains("\"settings/") }.allSatisfy { !$0.contains("oldest") })
    #expect(lines.contains { $0.contains("\"order/") && $0.contains("oldest") })
    try there.library.change(.order(nil), of: other, now: there.now)
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.settings(of: podcast).order == nil)
    #expect(try here.library.settings(of: podcast).keepDownloads == 7)
    // An order of a later version waits, and the settings stay readable.
    let key = "order/" + AddressKey.feed(SyncDevice.url(0))
    let (url, time) = (SyncDevice.url(0), here.now.timeIntervalSince1970)
    let line = #"{"key":"\#(key)","value":{"podcast":"\#(url)","order":"shuffled"},"time":\#(time)}"#
    let directory = here.folder.path + "/earshot-sync/later"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data((#"{"earshot":"sync","format":1,"device":"later"}"# + "\n\(line)\n").utf8)
      .write(to: URL(filePath: directory + "/collections.000001.jsonl"))
    try await here.sync()
    let kept = try here.library.settings(of: podcast)
    #expect(kept.order == nil && kept.keepDownloads == 7)
  }

  @Test func listsWithOneNameFromTwoDevicesAreMerged() async throws {
    let (here, there) = try SyncDevice.pair()
    for device in [here, there, here] { try await device.sync() }
    // Both devices know each other now, but not each other's new list.
    let ours = try here.library.addPlaylist(title: "Café", items: [.episode(here.episode(1))], now: here.now)
    try there.library.addPlaylist(title: "Cafe\u{301}", items: [.episode(there.episode(2))], now: there.now)
    try there.library.addPlaylist(title: "Other", items: [.episode(there.episode(3))], now: there.now)
    for device in [here, there, here, there] { try await device.sync() }
    func lists(_ device: SyncDevice) throws -> [String: Int] {
      let own = try device.library.playlists().filter { !$0.isMyClips && !$0.isMyEpisodes }
      return Dictionary(
        own.map { ($0.title.precomposedStringWithCanonicalMapping, $0.items.count) },
        uniquingKeysWith: { $0 + 1000 + $1 })
    }
    #expect(try lists(here) == ["Café": 2, "Other": 1])
    #expect(try lists(there) == lists(here))
    // A renamed list stays the same list, and its old name is free for a new one.
    try here.library.changePlaylist(ours, now: here.now) { $0.title = "Coffee" }
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

  /// A change wins over an older removal, with everything that was in the list.
  @Test func whatComesBackIsWhole() async throws {
    let (here, there) = try SyncDevice.pair()
    for device in [here, there] { try await device.sync() }
    let clips = try [5.0, 50].map { start in
      try here.library.addClip(of: here.episode(1), startTime: start, endTime: 90, title: "Clip", now: here.now)
    }
    let items: [Playlist.Item] = [.clip(clips[0]), .episode(try here.episode(2)), .clip(clips[1])]
    let list = try here.library.addPlaylist(title: "Walks", items: items, now: here.now)
    for device in [here, there] { try await device.sync() }
    // Here both clips are removed, and one of them and the playlist are changed there before it knows that.
    try here.library.deleteClips(clips, now: here.now)
    try here.library.deletePlaylist(list, now: here.now)
    there.now += 600
    try await there.sync()
    let other = try #require(try there.library.clips().first { $0.startTime == 5 })
    try there.library.changeClip(other.id, now: there.now) { $0.title = "Changed" }
    let renamed = try #require(try there.library.playlists().last).id
    try there.library.changePlaylist(renamed, now: there.now) { $0.title = "Hikes" }
    for device in [here, there, here, there] { try await device.sync() }
    for device in [here, there] {
      let clip = try #require(try device.library.clips().first)
      #expect(try device.library.clips().count == 1 && clip.title == "Changed", "\(device.name)")
      let lists = try device.library.playlists()
      #expect(lists.last?.title == "Hikes", "\(device.name)")
      #expect(lists.last?.items == [.clip(clip.id), .episode(try device.episode(2))], "\(device.name)")
      #expect(lists.first { $0.isMyClips }?.items == [.clip(clip.id)], "\(device.name)")
      #expect(try await device.sync().pushed == SyncChanges())
    }
    // A list of the same name that is made later is another one.
    let last = try #require(try here.library.playlists().last)
    try here.library.deletePlaylist(last.id, now: here.now)
    try here.library.addPlaylist(title: "Walks", items: [.episode(here.episode(4))], now: here.now)
    for device in [here, there, here] { try await device.sync() }
    for device in [here, there] {
      let lists = try device.library.playlists().filter { !$0.isMyClips && !$0.isMyEpisodes }
      #expect(lists.map(\.title) == ["Walks"], "\(device.name)")
      #expect(lists.first?.items == [.episode(try device.episode(4))], "\(device.name)")
    }
  }

  /// The names of clips and playlists are derived from what the listener can change later.
  @Test func signingInAgainDoublesNothing() async throws {
    let (here, there) = try SyncDevice.pair()
    for device in [here, there] { try await device.sync() }
    let clip = try here.library.addClip(of: here.episode(1), startTime: 60, endTime: 120, title: "One", now: here.now)
    let list = try here.library.addPlaylist(title: "Best", items: [.clip(clip)], now: here.now)
    for device in [here, there] { try await device.sync() }
    try here.library.changeClip(clip, now: here.now) { $0.startTime = 65 }
    try here.library.changePlaylist(list, now: here.now) { $0.title = "Better" }
    for device in [here, there] { try await device.sync() }
    func check(_ title: String) throws {
      for device in [here, there] {
        let lists = try device.library.playlists().filter { !$0.isMyClips && !$0.isMyEpisodes }
        #expect(lists.map(\.title) == ["Better"] && lists.first?.items.count == 1, "\(device.name)")
        let clips = try device.library.clips()
        #expect(clips.map(\.startTime) == [65] && clips.first?.title == title, "\(device.name)")
      }
    }
    try here.signInAgain()
    for device in [here, there, here] { try await device.sync() }
    try check("One")
    // What the listener changes meanwhile is later than what this device wrote before.
    try here.signInAgain { try here.library.changeClip(clip, now: here.now) { $0.title = "Two" } }
    for device in [here, there, here] { try await device.sync() }
    try check("Two")
    // What another device has changed since is not taken back.
    there.now += 600
    let other = try #require(try there.library.clips().first)
    try there.library.changeClip(other.id, now: there.now) { $0.title = "Three" }
    try await there.sync()
    here.now = there.now
    try here.signInAgain()
    for device in [here, there, here] { try await device.sync() }
    try check("Three")
  }

  /// Lines that other devices write must not bring the old address back, and no listening must be lost.
  @Test func movedFeedKeepsItsEpisodes() async throws {
    let (here, there) = try SyncDevice.pair()
    try here.library.setPosition(here.episode(1), seconds: 93, now: Samples.later(10))
    try there.library.setStatus([there.episode(2)], .played, now: Samples.later(20))
    for device in [here, there, here] { try await device.sync() }
    let new = "https://elsewhere.example/0"
    let podcast = try #require(try here.library.podcastID(feedURL: SyncDevice.url(0)))
    try here.library.setFeedURL(podcast, new, now: here.now)
    for device in [here, there, here, there] { try await device.sync() }
    // On the other device it is another podcast until its feed is fetched.
    #expect(try there.library.podcasts().count == 2)
    try there.subscribe(1)
    for device in [there, here, there] { try await device.sync() }
    let addresses = try here.library.podcasts().map(\.feedURL)
    #expect(Set(addresses) == [new, SyncDevice.url(1)])
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
    let old = try #require(try there.library.podcastID(feedURL: SyncDevice.url(0)))
    try there.library.setFeedURL(old, new, now: there.now)
    for device in [there, here, there, here] { try await device.sync() }
    for device in [here, there] {
      #expect(try Set(device.library.podcasts().map(\.feedURL)) == [new, SyncDevice.url(1)])
      #expect(try device.state(1) == "paused 93.0" && device.state(2) == "played 0.0")
    }
    let quiet = try await here.sync()
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
  }
}
