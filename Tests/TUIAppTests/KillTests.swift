import Foundation
import Model
import Seeded
import Store
import TerminalKit
import Testing

@testable import TUIApp

/// The position is kept however the program ends.
@Suite(.withTmux, InTerminal()) struct KillTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    // A busy machine may need a minute from the end to the next start. Then the sound would begin two seconds earlier.
    try home.configure("refresh_on_start = false\nrewind_after_pause = false\n")
  }

  /// Five kills for each seed. Some seeds run in parallel.
  @Test(arguments: [20_261_121 as UInt64, 42, 7, 1_972]) func killAtAnyMomentKeepsThePosition(seed: UInt64) async throws
  {
    var random = SplitMix64(seed: seed)
    let broadcast = try Broadcast("Killed")
    try await broadcast.subscribeOnly(in: home)
    // The first start plays the first episode of the list. Later starts play the episode in the player bar.
    var session = try await TmuxSession(home)
    try await session.waitFor("Third hour")
    // Where the sound begins, and when its key is pressed.
    var begin = (second: 0, at: ContinuousClock.now)
    try await session.press("Enter", "Enter")
    for round in 1...5 {
      try await session.waitForBar("sound") { $0.phase == .playing }
      // A random moment within the next one and a half seconds.
      let moment = ContinuousClock.now + .milliseconds(Int.random(in: 0..<1500, using: &random))
      let seeks = Bool.random(using: &random)
      if seeks { try await session.press("Right") }
      try await Task.sleep(until: moment)
      let heard = try await session.waitForBar("the place at the end") { _ in true }
      #expect(kill(try await session.processID(), SIGKILL) == 0)
      // The screen may be seconds old on a busy machine, but no more can have been heard than the time that has passed.
      let most = begin.second + Int((ContinuousClock.now - begin.at).components.seconds) + 1 + (seeks ? 30 : 0)
      #expect(try await session.exitStatus() == -SIGKILL)

      if round % 5 == 0 {
        let doctor = try await BuiltProgram.run(["doctor"], in: home)
        #expect(doctor.status == 0, "\(doctor.text)\(doctor.stderr)")
      }
      session = try await TmuxSession(home)
      let offered = try await session.waitForBar("the place") { $0.phase == .stopped }
      #expect(offered.elapsed >= heard.elapsed - 2, "round \(round): \(heard.row) became \(offered.row)")
      #expect(offered.elapsed <= most, "round \(round): \(heard.row) became \(offered.row)")
      begin = (offered.elapsed, .now)
      try await session.press("Space")
      let resumed = try await session.waitForBar("sound again") { $0.phase == .playing }
      // Playback continues while a busy machine delays this check.
      let waited = Int((ContinuousClock.now - begin.at).components.seconds) + 1
      #expect((offered.elapsed...offered.elapsed + 1 + waited).contains(resumed.elapsed), "round \(round)")
    }
    try await session.quit()
    let problems = try home.library { try $0.integrityCheck() }
    #expect(problems.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func terminationSignalKeepsThePosition(signal: Int32) async throws {
    // The episodes of the welcome podcast are so short that a busy machine may reach their end before the signal.
    let broadcast = try Broadcast("Ended")
    try await broadcast.subscribeOnly(in: home)
    let session = try await TmuxSession(home)
    try await session.waitFor("Third hour")
    let begin = ContinuousClock.now
    try await session.press("Enter", "Enter")
    try await session.waitForBar("a second heard") { $0.phase == .playing && $0.elapsed >= 1 }
    try await session.press("Right")
    let sought = try await session.waitForBar("on") { $0.elapsed >= 30 }
    let heard = try await session.waitForBar("something heard there") { $0.elapsed > sought.elapsed }
    #expect(kill(try await session.processID(), signal) == 0)
    #expect(try await session.exitStatus() == 0)
    // The screen may be seconds old on a busy machine, but no more can have been heard than the time that has passed.
    let most = 30 + Double((ContinuousClock.now - begin).components.seconds) + 1

    try home.library { library in
      let id = try #require(try library.lastPlayed())
      let row = try #require(try library.episodeRows([id]).first)
      #expect(row.position >= Double(heard.elapsed) - 2 && row.position <= most && row.status == .paused)
      let kinds = try library.events(limit: 10, of: id).map(\.event.kind)
      #expect(kinds.first == .pause && kinds.last == .start)
      #expect(
        kinds.contains {
          if case .play(let from, let to, _) = $0 { return from >= 30 && to >= from } else { return false }
        }, "no span after the seek in \(kinds)")
      #expect(library.wasCleanStop)
    }
  }
}
