import Foundation
import Model
import Testing

@testable import Store

/// The recorded events, which are the history and the outbox for sync.
@Suite struct EventTests {
  /// A device with one podcast.
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

    /// Marks the events as sent that no server has yet, as a sync does, and returns them.
    func flush() throws -> [StoredEvent] {
      let events = try library.events(limit: library.unsentEventCount())
      try library.write { db in try db.execute(sql: "UPDATE event SET sent = 1") }
      return events.reversed()
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

  @Test func playedIsAnEventOfItsOwn() throws {
    let device = try Device()
    try device.library.setStatus([device.ids[0]], .played, now: Samples.later(1))
    try device.library.setStatus([device.ids[0]], .played, now: Samples.later(2))
    #expect(try device.library.events(limit: 9).map(\.event.kind) == [.played], "the second changed nothing")
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
}
