import Foundation
import Model
import Seeded
import Testing

@testable import Store

/// The outbox: the recorded events bring any other device to the same state.
@Suite struct EventTests {
  /// Two devices with the same feed. Episodes have the same ids on both.
  private final class Device {
    let box: TemporaryLibrary
    let podcast: PodcastID
    let ids: [EpisodeID]
    var library: Library { box.library }

    init() throws {
      box = try TemporaryLibrary()
      podcast = try box.subscribe(Samples.episodes(1...4))
      ids = try box.episodes(podcast)
    }

    struct Episode: Equatable {
      var status: EpisodeStatus
      var position: Double
    }

    func state() throws -> [Episode] {
      try library.episodeRows(ids).map { Episode(status: $0.status, position: $0.position) }
    }

    /// Sends the events that no server has yet.
    func flush() throws -> [StoredEvent] {
      let events = try library.unsentEvents(limit: 10_000)
      try library.markSent(events.map(\.id))
      return events
    }

    /// A few seconds of listening, as the player reports them. `now` is when they end.
    func listen(to id: EpisodeID, from start: Double, for seconds: Double, now: Double) throws {
      let began = Samples.later(now - seconds)
      try library.record(ListeningEvent(episode: id, kind: .start, timestamp: began))
      try library.setStatus([id], .playing, now: began, isUndoable: false)
      let (end, over) = (start + seconds, Samples.later(now))
      try library.savePosition(id, seconds: end, total: 1800, now: over)
      // The play event and the pause have the same timestamp.
      try library.record(
        ListeningEvent(episode: id, kind: .play(from: start, to: end, total: 1800), timestamp: over, speed: 1.5))
      try library.record(ListeningEvent(episode: id, kind: .pause, timestamp: over))
      try library.setStatus([id], .paused, now: over, isUndoable: false)
    }

    /// One random action of a listener. Takes at most 10 seconds.
    func act(_ random: inout SplitMix64, now: Double) throws {
      let id = ids[Int.random(in: 0..<ids.count, using: &random)]
      let date = Samples.later(now)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try library.setStatus([id], .played, now: date)
      case 1: try library.setStatus([id], .new, now: date)
      case 2: try library.setStatus([id], .deleted, now: date)
      case 3: try library.markAllPlayed(podcast, now: date)
      case 4: _ = try library.undo(now: date)
      case 5: try library.setStatus([id], .played, now: date, isUndoable: false)
      default: try listen(to: id, from: Double(Int.random(in: 0..<900, using: &random)), for: 7, now: now)
      }
    }
  }

  @Test func spansThatFollowEachOtherAreOneEvent() throws {
    let device = try Device()
    let (id, other) = (device.ids[0], device.ids[1])
    func hear(_ id: EpisodeID, _ from: Double, _ to: Double, speed: Double = 1, at time: Double) throws {
      let kind = ListeningEvent.Kind.play(from: from, to: to, total: 300)
      try device.library.record(ListeningEvent(episode: id, kind: kind, timestamp: Samples.later(time), speed: speed))
    }
    func spans() throws -> [ListeningEvent.Kind] {
      try device.library.events(limit: 20).map(\.event.kind).reversed()
    }
    try hear(id, 10, 70, at: 60)
    try hear(id, 70, 130, at: 120)
    #expect(try spans() == [.play(from: 10, to: 130, total: 300)])
    #expect(try device.library.events(limit: 1).first?.event.timestamp == Samples.later(120))
    // A new event begins with another speed, another episode, a gap, or after the last event was sent.
    try hear(id, 130, 190, speed: 2, at: 150)
    try hear(other, 190, 200, speed: 2, at: 160)
    try hear(other, 210, 220, speed: 2, at: 170)
    #expect(try spans().count == 4)
    _ = try device.flush()
    try hear(other, 220, 230, speed: 2, at: 180)
    #expect(try spans().count == 5)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func eventsBringAnotherDeviceToTheSameState(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (here, there) = (try Device(), try Device())
    for step in 1...25 {
      try here.act(&random, now: Double(step) * 10)
      try there.library.receive(here.flush())
      #expect(try there.state() == here.state(), "after step \(step)")
    }
  }

  /// Both devices are used without a sync, and then synced.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func eventsOfTwoDevicesLeadToOneState(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (one, other) = (try Device(), try Device())
    var step = 0.0
    for _ in 0..<6 {
      for _ in 0..<8 {
        step += 10
        try (Bool.random(using: &random) ? one : other).act(&random, now: step)
      }
      let (mine, yours) = (try one.flush(), try other.flush())
      try one.library.receive(yours)
      try other.library.receive(mine)
      // A server may send all events again.
      try one.library.receive(yours)
      #expect(try one.state() == other.state())
    }
    #expect(try one.library.integrityCheck() == [])
  }

  @Test func playedIsAnEventOfItsOwn() throws {
    let device = try Device()
    try device.library.setStatus([device.ids[0]], .played, now: Samples.later(1))
    try device.library.setStatus([device.ids[0]], .played, now: Samples.later(2))
    #expect(try device.library.unsentEvents(limit: 9).map(\.event.kind) == [.played], "the second changed nothing")
    #expect(try device.library.markAllPlayed(device.podcast, now: Samples.later(3)) == 3)
    let events = try device.flush()
    #expect(events.map(\.event.kind) == [.played, .played, .played, .played])
    #expect(Set(events.map(\.event.episode)) == Set(device.ids))
    #expect(events.allSatisfy { $0.deviceID == device.library.deviceID })
  }

  @Test func undoIsRecordedAsEvent() throws {
    let device = try Device()
    try device.listen(to: device.ids[0], from: 90, for: 7, now: 10)
    let heard = try device.library.history(limit: 9).map(\.heardAt)
    try device.library.setStatus([device.ids[0]], .deleted, now: Samples.later(20))
    _ = try device.flush()
    _ = try device.library.undo(now: Samples.later(30))
    #expect(
      try device.flush().map(\.event.kind) == [.new, .play(from: 97, to: 97, total: 1800), .pause])
    // The listening is not counted twice.
    #expect(try device.library.history(limit: 9).map(\.heardAt) == heard)
    #expect(try device.library.listeningTotal(Samples.now..<Samples.later(99)).heard == 7)
  }

  @Test func episodesPlayedElsewhereLeaveTheQueue() throws {
    let (here, there) = (try Device(), try Device())
    try there.library.enqueue(there.ids, now: Samples.now)
    try here.library.setStatus([here.ids[1]], .played, now: Samples.later(5))
    #expect(try there.library.receive(here.flush()) == [here.ids[1]])
    #expect(try there.library.queue() == [there.ids[0], there.ids[2], there.ids[3]])
  }
}
