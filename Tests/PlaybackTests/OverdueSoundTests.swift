import CMpv
import Foundation
import Synchronization
import Testing

@testable import Playback

extension RealCore {
  /// A libmpv that reports the start of the sound only after another seek.
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
      // No part of the file was heard twice, and none from another position.
      let positions = test.seen.compactMap(\.positionSeconds)
      #expect(positions == positions.sorted() && positions.allSatisfy { (58...60).contains($0) })
    }
  }
}

extension RealCore {
  /// A libmpv whose events after the opening arrive when the sound is already overdue, as on a machine that is too busy
  /// to run the player's thread.
  @Suite struct LateStarts {
    private struct Plan: @unchecked Sendable {  // Holds function addresses.
      var real: earshot_mpv
      var loaded: SuspendingClock.Instant?
      var isLate = false
      var isSeekSeen = false
    }

    private static let plan = Mutex<Plan?>(nil)
    private nonisolated(unsafe) static let tick = MpvEvents.make(MPV_EVENT_TICK)

    private static func adapt(_ library: MpvLibrary) -> MpvLibrary {
      plan.withLock { $0 = Plan(real: library.functions) }
      var library = library
      library.functions.wait_event = { handle, timeout in LateStarts.wait(handle, timeout) }
      return library
    }

    private static func wait(_ handle: OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>? {
      guard let current = plan.withLock({ $0 }) else { return nil }
      if let loaded = current.loaded, !current.isLate {
        while SuspendingClock.now - loaded < .seconds(OverdueSound.firstWait + 0.2) { usleep(1000) }
        plan.withLock { $0?.isLate = true }
        // An event of no importance comes before the start of the sound.
        return tick
      }
      guard let event = current.real.wait_event(handle, timeout) else { return nil }
      switch event.pointee.event_id {
      case MPV_EVENT_FILE_LOADED: plan.withLock { $0?.loaded = SuspendingClock.now }
      case MPV_EVENT_COMMAND_REPLY: plan.withLock { $0?.isSeekSeen = true }
      default: break
      }
      return event
    }

    /// The sound was once played twice.
    @Test func startThatIsReportedLateIsNotRepeated() async throws {
      let directory = try TemporaryDirectory()
      let test = ListeningTest { $0.adaptLibrary = { Self.adapt($0) } }
      test.load(try directory.write(TestAudio.minute, as: "a.wav"), start: 58)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(Self.plan.withLock { $0?.isLate } == true)
      #expect(Self.plan.withLock { $0?.isSeekSeen } == false)
    }
  }

  /// A libmpv that starts the sound when it is asked for a property, as one that has missed a wake-up or had no turn.
  @Suite struct AwakenedStarts {
    private struct Plan: @unchecked Sendable {  // Holds function addresses.
      var real: earshot_mpv
      var isHeld = false
      var isAsked = false
      var isSeekSeen = false
    }

    private static let plan = Mutex<Plan?>(nil)
    private nonisolated(unsafe) static let restart = MpvEvents.make(MPV_EVENT_PLAYBACK_RESTART)

    private static func adapt(_ library: MpvLibrary) -> MpvLibrary {
      plan.withLock { $0 = Plan(real: library.functions) }
      var library = library
      library.functions.wait_event = { handle, timeout in AwakenedStarts.wait(handle, timeout) }
      library.functions.get_property = { handle, name, format, value in
        if let name, strcmp(name, "seekable") == 0 {
          AwakenedStarts.plan.withLock { if $0?.isHeld == true { $0?.isAsked = true } }
        }
        return AwakenedStarts.plan.withLock { $0 }?.real.get_property(handle, name, format, value) ?? -1
      }
      return library
    }

    private static func wait(_ handle: OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>? {
      guard let current = plan.withLock({ $0 }) else { return nil }
      if current.isHeld, current.isAsked {
        plan.withLock {
          $0?.isHeld = false
          $0?.isAsked = false
        }
        return restart
      }
      guard let event = current.real.wait_event(handle, timeout) else { return nil }
      switch event.pointee.event_id {
      case MPV_EVENT_PLAYBACK_RESTART where !current.isSeekSeen:
        plan.withLock { $0?.isHeld = true }
        event.pointee.event_id = MPV_EVENT_TICK
      case MPV_EVENT_COMMAND_REPLY: plan.withLock { $0?.isSeekSeen = true }
      default: break
      }
      return event
    }

    /// The sound was played twice.
    @Test func startAfterTheQuestionIsNotRepeated() async throws {
      let directory = try TemporaryDirectory()
      let test = ListeningTest { $0.adaptLibrary = { Self.adapt($0) } }
      test.load(try directory.write(TestAudio.minute, as: "a.wav"), start: 58)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(Self.plan.withLock { $0?.isSeekSeen } == false)
    }
  }

  @Suite struct OverdueSoundTimes {
    @Test func overdueSoundIsRepeatedAFewTimes() {
      var sound = OverdueSound()
      #expect(sound.deadline == nil)
      sound.note(isPending: true, now: 10)
      sound.note(isPending: true, now: 12)
      #expect(sound.deadline == 13 && !sound.isAsked)
      sound.asked(now: 13)
      #expect(sound.deadline == 13.5 && sound.isAsked)
      sound.tried(now: 13)
      #expect(sound.deadline == 22 && !sound.isAsked)
      sound.asked(now: 22)
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
