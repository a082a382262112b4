import Foundation
import Model
import Testing

@testable import Store

/// Undo restores the position from before a jump.
@Suite struct JumpUndoTests {
  private let box: TemporaryLibrary
  private let id: EpisodeID
  private let other: EpisodeID
  private var library: Library { box.library }

  init() throws {
    box = try TemporaryLibrary()
    let ids = try box.episodes(try box.subscribe(Samples.episodes(1...2)))
    (id, other) = (ids[0], ids[1])
  }

  private func position() throws -> Double? { try library.episode(id)?.row.position }

  @Test func jumpIsUndoneAndRedone() throws {
    try library.savePosition(id, seconds: 1002, total: nil, now: Samples.now)
    try library.jump(in: id, from: 1003.5, to: 624, now: Samples.later(1))
    try library.savePosition(id, seconds: 624, total: nil, now: Samples.later(2))
    let plan = try #require(try library.undoPlan(.back))
    #expect(plan.label.hasPrefix("Jump from 16:43 to 10:24 in “") && plan.count == 1)
    #expect(plan.consequence.hasPrefix("Go to 16:43 of “"))
    let done = try #require(try library.undo(now: Samples.later(3)))
    #expect(try done.place == EpisodePlace(episode: id, seconds: 1003.5) && position() == 1003.5)
    let again = try #require(try library.undo(.forward, now: Samples.later(4)))
    #expect(try again.place == EpisodePlace(episode: id, seconds: 624) && position() == 624)
  }

  /// One episode plays at a time.
  @Test func undoneJumpInAnEpisodeThatNoLongerPlaysIsPaused() throws {
    try library.savePosition(id, seconds: 100, total: nil, now: Samples.now)
    try library.setStatus([id], .playing, now: Samples.now, isUndoable: false)
    try library.jump(in: id, from: 100, to: 624, now: Samples.later(1))
    try library.setStatus([id], .paused, now: Samples.later(2), isUndoable: false)
    try library.setStatus([other], .playing, now: Samples.later(3), isUndoable: false)
    _ = try library.undo(now: Samples.later(4))
    #expect(try library.episodeRows([id, other]).map(\.status) == [.paused, .playing])
  }

  @Test func jumpInAnEpisodeWithoutATitleIsUndone() throws {
    let box = try TemporaryLibrary()
    var episode = Samples.episode(1)
    episode.title = nil
    let id = try #require(try box.episodes(try box.subscribe([episode])).first)
    try box.library.jump(in: id, from: 1003, to: 624, now: Samples.later(1))
    #expect(try box.library.undoPlan(.back)?.consequence.hasPrefix("Go to 16:43 of “Untitled”") == true)
    #expect(try box.library.undo(now: Samples.later(2))?.place?.seconds == 1003)
  }

  @Test func jumpIntoAPlayedEpisodeIsUndoneWithItsMark() throws {
    try library.setStatus([id], .played, now: Samples.now)
    try library.jump(in: id, from: nil, to: 624, now: Samples.later(1))
    try library.setStatus([id], .playing, now: Samples.later(2), isUndoable: false)
    try library.savePosition(id, seconds: 630, total: nil, now: Samples.later(3))
    _ = try library.undo(now: Samples.later(4))
    #expect(try library.episode(id)?.row.status == .played && position() == 0)
  }

  @Test(arguments: [EpisodeStatus.played, .deleted]) func undoOfPlayingAgainRestoresTheStatus(
    status: EpisodeStatus
  ) throws {
    try library.savePosition(id, seconds: 100, total: nil, now: Samples.now)
    try library.setStatus([id], status, now: Samples.now)
    let place = try position()
    try library.jump(in: id, from: nil, to: 0, now: Samples.later(1))
    try library.setStatus([id], .playing, now: Samples.later(2), isUndoable: false)
    try library.savePosition(id, seconds: 30, total: nil, now: Samples.later(3))
    let plan = try #require(try library.undoPlan(.back))
    #expect(plan.label == "Play “Episode 2” again" || plan.label == "Play “Episode 1” again")
    #expect(plan.consequence.hasPrefix(status == .played ? "Mark “Episode" : "Delete “Episode"))
    let done = try #require(try library.undo(now: Samples.later(4)))
    #expect(try library.episode(id)?.row.status == status && position() == place)
    #expect(done.restored.over == [id])
    let again = try #require(try library.undo(.forward, now: Samples.later(5)))
    #expect(try library.episode(id)?.row.status == .playing && again.restored.over == [])
  }

  @Test func jumpKeepsTheRedoSteps() throws {
    try library.setStatus([other], .played, now: Samples.now)
    _ = try library.undo(now: Samples.later(1))
    try library.jump(in: id, from: nil, to: 624, now: Samples.later(2))
    #expect(try library.undoPlan(.forward)?.label.hasPrefix("Mark as played") == true)
    _ = try library.undo(.forward, now: Samples.later(3))
    #expect(try library.episode(other)?.row.status == .played)
    #expect(try library.undoPlan(.back)?.label.hasPrefix("Mark as played") == true)
  }

  @Test func jumpOfAnUnknownEpisodeIsAnError() throws {
    #expect(throws: StoreError.unknown("episode 999")) {
      try library.jump(in: EpisodeID(999), from: nil, to: 1, now: Samples.now)
    }
  }

  @Test func jumpThatCouldNotBeWrittenIsWrittenLater() throws {
    try library.savePosition(id, seconds: 1002, total: nil, now: Samples.now)
    let recorder = ListeningRecorder(library)
    _ = try recorder.record(.note(id, .jump(from: 1003, to: 5)), now: Samples.later(1))
    _ = try recorder.record(.note(id, .position(seconds: 5, total: nil)), now: Samples.later(2))
    #expect(try library.undo(now: Samples.later(3))?.place?.seconds == 1003)
  }
}
