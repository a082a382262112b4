import CMpv
import Foundation
import Synchronization
import Testing

@testable import Playback

extension RealCore {
  /// A libmpv that does not say that the sound starts, until there was another seek.
  @Suite struct OverdueSounds {
    private struct Plan: @unchecked Sendable {  // Holds function addresses.
      var real: earshot_mpv
      var isSeekSeen = false
    }

    // C functions cannot capture values. The tests of `RealCore` run one at a time.
    private static let plan = Mutex<Plan?>(nil)

    private static func adapt(_ library: MpvLibrary) -> MpvLibrary {
      plan.withLock { $0 = Plan(real: library.functions) }
      var library = library
      library.functions.wait_event = { handle, timeout in
        guard let plan = OverdueSounds.plan.withLock({ $0 }), let event = plan.real.wait_event(handle, timeout) else {
          return nil
        }
        switch event.pointee.event_id {
        case MPV_EVENT_COMMAND_REPLY: OverdueSounds.plan.withLock { $0?.isSeekSeen = true }
        case MPV_EVENT_PLAYBACK_RESTART where !plan.isSeekSeen: event.pointee.event_id = MPV_EVENT_TICK
        default: break
        }
        return event
      }
      return library
    }

    @Test func startThatMpvLosesIsRepeated() async throws {
      let directory = try TemporaryDirectory()
      let test = ListeningTest { $0.adaptLibrary = { Self.adapt($0) } }
      test.load(try directory.write(TestAudio.minute, as: "a.wav"), start: 58)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(Self.plan.withLock { $0?.isSeekSeen } == true)
      // Nothing of the file was heard twice, or from another place.
      let positions = test.seen.compactMap(\.positionSeconds)
      #expect(positions == positions.sorted() && positions.allSatisfy { (58...60).contains($0) })
    }
  }

  @Suite struct OverdueSoundTimes {
    @Test func overdueSoundIsRepeatedAFewTimes() {
      var sound = OverdueSound()
      #expect(sound.deadline == nil)
      sound.note(isPending: true, now: 10)
      sound.note(isPending: true, now: 12)
      #expect(sound.deadline == 13)
      sound.tried(now: 13)
      #expect(sound.deadline == 22)
      sound.startAgain(now: 22)
      #expect(sound.deadline == 31)
      sound.tried(now: 31)
      sound.tried(now: 60)
      #expect(sound.deadline == nil)
      sound.note(isPending: false, now: 61)
      sound.note(isPending: true, now: 70)
      #expect(sound.deadline == 73)
    }
  }
}
