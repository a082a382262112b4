import Foundation
import GRDB
import Model
import Testing

@testable import Store
@testable import Sync
@testable import SyncBackends

/// A publisher changes guids, or a feed moves. No device takes that for a change by the listener.
@Suite struct SyncNameChangeTests {
  private let here: SyncDevice
  private let there: SyncDevice

  init() throws { (here, there) = try SyncDevice.pair() }

  enum Change: CaseIterable { case guids, guidsAndFiles, address }

  /// What the publisher does, as this device notices it.
  private func notice(_ change: Change, _ device: SyncDevice) throws {
    var episodes = SyncDevice.episodes(prefix: "new ")
    switch change {
    case .guids: break
    case .guidsAndFiles:
      for index in episodes.indices { episodes[index].mediaURL = "https://new.example/\(index)/file.mp3" }
    case .address:
      let podcast = try #require(try device.library.podcastID(feedURL: SyncDevice.url(0)))
      let moved = try #require(try device.library.setFeedURL(podcast, "https://moved.example/feed", now: device.now))
      try device.library.apply(
        feed: Samples.feed(SyncDevice.episodes()), to: moved, info: RefreshInfo(refresh: device.now), now: device.now)
      return
    }
    try device.refresh(episodes)
  }

  private func episode(_ number: Int, _ device: SyncDevice) throws -> EpisodeID {
    let podcast = try #require(try device.library.podcasts().first).id
    let rows = try device.library.episodeRows(device.library.episodeIDs(EpisodeQuery(.podcast(podcast))))
    return try #require(rows.first { $0.title == Samples.episode(number).title }).id
  }

  private func sync(_ devices: SyncDevice...) async throws { for device in devices { try await device.sync() } }

  /// Both devices have the same lists, tags and clips.
  private func share() async throws {
    try here.library.enqueue([1, 2, 3].map { try episode($0, here) }, now: here.now)
    try here.library.setTags(["later"], of: episode(1, here))
    let list = try here.library.addPlaylist(title: "List", now: here.now)
    try here.library.addToPlaylist(list, [.episode(episode(2, here)), .episode(episode(3, here))], now: here.now)
    _ = try here.library.addClip(of: episode(4, here), startTime: 1, endTime: 9, title: "Clip", now: here.now)
    try await sync(here, there, here)
  }

  /// Episodes of this device by the numbers of the samples, whatever their guids are now.
  private func numbers(_ ids: [EpisodeID], _ device: SyncDevice) throws -> [Int] {
    try ids.map { id in
      let title = try #require(try device.library.episode(id)).row.title
      return try #require((1...4).first { Samples.episode($0).title == title })
    }
  }

  private func list(_ device: SyncDevice) throws -> [Int] {
    let items = try device.library.playlists().first { $0.title == "List" }?.items ?? []
    return try numbers(items.compactMap { if case .episode(let id) = $0 { id } else { nil } }, device)
  }

  private func expectQuiet(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for device in [here, there, here, there] {
      let report = try await device.sync()
      guard device === there else { continue }
      #expect(report.pushed == SyncChanges(), sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: Change.allCases, [true, false]) func removedThingsStayRemoved(
    change: Change, isSyncedFirst: Bool
  ) async throws {
    try await share()
    let (first, second) = (try episode(1, here), try episode(2, here))
    let others = try there.library.queue()
    try here.library.clearQueue(now: here.now)
    try here.library.setTags([], of: first)
    let playlist = try #require(try here.library.playlists().first { $0.title == "List" })
    try here.library.removeFromPlaylist(playlist.id, [.episode(second)], now: here.now)
    try here.library.deleteClips(try here.library.clips().map(\.id), now: here.now)
    try await sync(here)
    try notice(change, here)
    if isSyncedFirst { try await sync(here, there) }
    try notice(change, there)
    try await sync(there, here, there, here)
    for device in [here, there] {
      #expect(try device.library.queue() == [] && device.library.clips() == [])
      #expect(try list(device) == [3])
    }
    #expect(try here.library.episode(first)?.tags == [] && there.library.episode(others[0])?.tags == [])
    try await expectQuiet()
  }

  /// Nobody has anything under its old name: not the other device, not a later one, and not this one, when it reads its
  /// own files again.
  @Test(arguments: Change.allCases) func whatIsRemovedAfterwardsStaysRemoved(change: Change) async throws {
    try await share()
    let (first, other) = (try episode(1, here), try episode(1, there))
    try notice(change, here)
    try await sync(here, there)
    here.now += 600
    let noon = here.now
    here.library.collectionClock.withLock { $0 = { noon } }
    try here.library.clearQueue(now: noon)
    try here.library.setTags([], of: first)
    try await sync(here, there)
    try notice(change, there)
    try await sync(there, here, there)
    for (device, episode) in [(here, first), (there, other)] {
      #expect(try device.library.queue() == [], "\(device.name)")
      #expect(try device.library.episode(episode)?.tags == [], "\(device.name)")
    }
    try await expectQuiet()
    for device in [here, there] {
      try device.library.write { db in try db.execute(sql: "DELETE FROM syncCursor") }
      try await device.sync()
      #expect(try device.library.queue() == [], "\(device.name)")
    }
    guard change != .address else { return }
    let third = try SyncDevice("third", folder: here.folder)
    try notice(change, third)
    try await sync(third, here, third)
    for device in [here, third] {
      #expect(try device.library.queue() == [], "\(device.name)")
      #expect(try list(device) == [2, 3], "\(device.name)")
    }
  }

  /// The items of a removed playlist are still in the folder.
  @Test func playlistOfARemovedNameHasItsOwnItems() async throws {
    try await share()
    let list = try #require(try here.library.playlists().first { $0.title == "List" })
    try here.library.deletePlaylist(list.id, now: here.now)
    try await sync(here, there)
    let third = try SyncDevice("third", folder: here.folder)
    try third.library.addPlaylist(title: "List", items: [.episode(episode(4, third))], now: third.now)
    try await sync(third, here, there, third)
    for device in [here, there, third] { #expect(try self.list(device) == [4], "\(device.name)") }
  }

  /// The other device has not noticed it, and what the listener has done there is later.
  @Test(arguments: Change.allCases) func laterChangesStay(change: Change) async throws {
    try await share()
    let clip = try #require(try there.library.clips().first).id
    there.now += 600
    let noon = there.now
    there.library.collectionClock.withLock { $0 = { noon } }
    let others = try there.library.queue()
    try there.library.changeClip(clip, now: there.now) { $0.note = "A note" }
    try there.library.moveInQueue([others[2]], to: 0, now: there.now)
    try notice(change, here)
    try here.library.setTags(["other"], of: try #require(try here.library.queue().last))
    try await sync(here, there, here)
    try notice(change, there)
    try await sync(there, here, there, here)
    for device in [here, there] {
      #expect(try device.library.clips().map(\.note) == ["A note"])
      #expect(try numbers(device.library.queue(), device) == [3, 1, 2])
      #expect(try list(device) == [2, 3])
    }
    try await expectQuiet()
  }

  /// Neither device says again and again what the other one calls something else.
  @Test func feedWithoutGuidsHasChangingAddresses() async throws {
    func notice(_ device: SyncDevice, _ token: String) throws {
      var episodes = SyncDevice.episodes()
      for index in episodes.indices {
        episodes[index].guid = nil
        episodes[index].mediaURL? += "?t=\(token)"
      }
      try device.refresh(episodes)
    }
    try notice(here, "1")
    try notice(there, "2")
    try await share()
    try await expectQuiet()
    try notice(here, "3")
    try await sync(here, there, here, there)
    try await expectQuiet()
    try there.library.dequeue([try #require(try there.library.queue().first)], now: there.now)
    try await sync(there, here, there, here)
    for device in [here, there] { #expect(try numbers(device.library.queue(), device) == [2, 3]) }
    try await expectQuiet()
  }
}
