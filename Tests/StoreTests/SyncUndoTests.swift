import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Undoing and redoing what a sync has changed.
@Suite struct SyncUndoTests {
  @Test func unsubscriptionOfAnotherDeviceCanBeUndone() async throws {
    let (here, there) = try SyncDevice.pair()
    for device in [here, there, here] { try await device.sync() }
    let podcast = try #require(try here.library.podcastID(feedURL: SyncDevice.url(0)))
    here.now += 1000
    try here.library.unsubscribe(podcast, now: here.now)
    there.now = here.now
    for device in [here, there] { try await device.sync() }
    #expect(try !there.library.isSubscribed(feedURL: SyncDevice.url(0)))
    there.now += 100
    #expect(try there.library.undo(now: there.now)?.label == "Sync with \(here.folder.path)")
    #expect(try there.library.isSubscribed(feedURL: SyncDevice.url(0)))
    here.now = there.now
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.isSubscribed(feedURL: SyncDevice.url(0)))
  }

  /// One undo step for all feeds. A step per feed would push the listener's own steps out of the log and undo one
  /// podcast of hundreds.
  @Test func changesThatWaitedForFeedsAreOneUndoStep() async throws {
    let here = try SyncDevice("here", podcasts: 0)
    let there = try SyncDevice("there", folder: here.folder, podcasts: 5)
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
    #expect(try here.library.undoPlan(.back)?.label != "Sync of episodes that have come")
  }

  @Test func syncKeepsTheRedoStepsUnlessItChangesThem() async throws {
    let (here, there) = try SyncDevice.pair()
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
}
