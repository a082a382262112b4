import CMpv
import Foundation
import Synchronization
import Testing

@testable import Playback

extension RealCore {
  /// A libmpv that reports the start of the sound only after another seek.
  @Suite struct OverdueSounds {
    private static let isSeekSeen = Mutex(false)

    private static func adapt(_ library: MpvLibrary) -> MpvLibrary {
      isSeekSeen.withLock { $0 = false }
      return AdaptedMpv.adapt(library) { real, handle, timeout in
        let wasSeekSeen = isSeekSeen.withLock { $0 }
        guard let event = real.wait_event(handle, timeout) else { return nil }
        switch event.pointee.event_id {
        case MPV_EVENT_COMMAND_REPLY: isSeekSeen.withLock { $0 = true }
        case MPV_EVENT_PLAYBACK_RESTART where !wasSeekSeen: event.pointee.event_id = MPV_EVENT_TICK
        default: break
        }
        return event
      }
    }

    @Test func startThatMpvLosesIsRepeated() async throws {
      let test = ListeningTest { $0.adaptLibrary = { Self.adapt($0) } }
      try test.loadFile(TestAudio.minute, start: 58)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(Self.isSeekSeen.withLock { $0 })
      // No part of the file was heard twice, and none from another position.
      let positions = test.seen.compactMap(\.positionSeconds)
      #expect(positions == positions.sorted() && positions.allSatisfy { (58...60).contains($0) })
    }
  }
}

/// The start of the sound, which a test holds back until a seek.
private struct HeldBackStart {
  /// mpv has started the sound, and the player does not know it.
  var isReady = false
  var isSeekSeen = false

  /// Whether the player must not see this event.
  mutating func hides(_ id: mpv_event_id) -> Bool {
    if id == MPV_EVENT_COMMAND_REPLY { isSeekSeen = true }
    guard id == MPV_EVENT_PLAYBACK_RESTART, !isSeekSeen else { return false }
    isReady = true
    return true
  }
}

extension RealCore {
  /// A libmpv whose events after the opening arrive when the sound is already overdue, as on a machine that is too busy
  /// to run the player's thread.
  @Suite struct LateStarts {
    private struct Plan {
      var loaded: SuspendingClock.Instant?
      var isLate = false
      var isSeekSeen = false
    }

    private static let plan = Mutex(Plan())
    private nonisolated(unsafe) static let tick = MpvEvents.make(MPV_EVENT_TICK)

    private static func adapt(_ library: MpvLibrary) -> MpvLibrary {
      plan.withLock { $0 = Plan() }
      return AdaptedMpv.adapt(library) { real, handle, timeout in
        let current = plan.withLock { $0 }
        if let loaded = current.loaded, !current.isLate {
          while SuspendingClock.now - loaded < .seconds(OverdueSound.firstWait + 0.2) { usleep(1000) }
          plan.withLock { $0.isLate = true }
          // An event of no importance comes before the start of the sound.
          return tick
        }
        guard let event = real.wait_event(handle, timeout) else { return nil }
        switch event.pointee.event_id {
        case MPV_EVENT_FILE_LOADED: plan.withLock { $0.loaded = SuspendingClock.now }
        case MPV_EVENT_COMMAND_REPLY: plan.withLock { $0.isSeekSeen = true }
        default: break
        }
        return event
      }
    }

    /// The sound was once played twice.
    @Test func startThatIsReportedLateIsNotRepeated() async throws {
      let test = ListeningTest { $0.adaptLibrary = { Self.adapt($0) } }
      try test.loadFile(TestAudio.minute, start: 58)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(Self.plan.withLock { $0.isLate })
      #expect(Self.plan.withLock { !$0.isSeekSeen })
    }
  }

  /// A libmpv that starts the sound when it is paused, because the pause wakes it.
  @Suite struct AwakenedStarts {
    private struct Plan: @unchecked Sendable {  // Holds function addresses.
      var real: earshot_mpv
      var start = HeldBackStart()
      var isAwake = false
    }

    private static let plan = Mutex<Plan?>(nil)
    private nonisolated(unsafe) static let restart = MpvEvents.make(MPV_EVENT_PLAYBACK_RESTART)

    private static func adapt(_ library: MpvLibrary) -> MpvLibrary {
      plan.withLock { $0 = Plan(real: library.functions) }
      var library = library
      library.functions.wait_event = { handle, timeout in AwakenedStarts.wait(handle, timeout) }
      library.functions.set_property = { handle, name, format, value in
        if let name, strcmp(name, "pause") == 0 {
          AwakenedStarts.plan.withLock { if $0?.start.isReady == true { $0?.isAwake = true } }
        }
        return AwakenedStarts.plan.withLock { $0 }?.real.set_property(handle, name, format, value) ?? -1
      }
      return library
    }

    private static func wait(_ handle: OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>? {
      guard let current = plan.withLock({ $0 }) else { return nil }
      if current.start.isReady, current.isAwake {
        plan.withLock { $0?.start.isReady = false }
        return restart
      }
      guard let event = current.real.wait_event(handle, timeout) else { return nil }
      let id = event.pointee.event_id
      if plan.withLock({ $0?.start.hides(id) }) == true { event.pointee.event_id = MPV_EVENT_TICK }
      return event
    }

    /// The sound was played twice.
    @Test func startAfterThePauseIsNotRepeated() async throws {
      let test = ListeningTest { $0.adaptLibrary = { Self.adapt($0) } }
      try test.loadFile(TestAudio.minute, start: 58)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(Self.plan.withLock { $0?.isAwake } == true)
      #expect(Self.plan.withLock { $0?.start.isSeekSeen } == false)
    }
  }

  /// A libmpv that starts the sound between the last look at its events and the seek.
  @Suite struct SuddenStarts {
    private struct Plan: @unchecked Sendable {  // Holds function addresses.
      var real: earshot_mpv
      var start = HeldBackStart()
      var isPausedByPlayer = false
    }

    private static let plan = Mutex<Plan?>(nil)

    private static func adapt(_ library: MpvLibrary) -> MpvLibrary {
      plan.withLock { $0 = Plan(real: library.functions) }
      var library = library
      library.functions.wait_event = { handle, timeout in SuddenStarts.wait(handle, timeout) }
      // The only asynchronous command is the seek.
      library.functions.command_node_async = { handle, tag, command in
        guard let plan = SuddenStarts.plan.withLock({ $0 }) else { return -1 }
        if plan.start.isReady, !plan.isPausedByPlayer { SuddenStarts.start(handle, plan) }
        return plan.real.command_node_async(handle, tag, command)
      }
      library.functions.set_property = { handle, name, format, value in
        guard let plan = SuddenStarts.plan.withLock({ $0 }) else { return -1 }
        if let name, strcmp(name, "pause") == 0, let value {
          let isPaused = value.assumingMemoryBound(to: mpv_node.self).pointee.u.flag != 0
          SuddenStarts.plan.withLock { $0?.isPausedByPlayer = isPaused }
          // The file was opened paused. Nothing is heard before the sound "starts".
          if !isPaused, !plan.start.isSeekSeen { return 0 }
        }
        return plan.real.set_property(handle, name, format, value)
      }
      return library
    }

    private static func wait(_ handle: OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>? {
      guard let current = plan.withLock({ $0 }) else { return nil }
      guard let event = current.real.wait_event(handle, timeout) else { return nil }
      let id = event.pointee.event_id
      if plan.withLock({ $0?.start.hides(id) }) == true { event.pointee.event_id = MPV_EVENT_TICK }
      return event
    }

    /// Starts the sound, and waits until the last of it was written to the file.
    private static func start(_ handle: OpaquePointer?, _ plan: Plan) {
      var isPaused: Int32 = 0
      _ = plan.real.set_property(handle, "pause", MPV_FORMAT_FLAG, &isPaused)
      var isAtEnd: Int32 = 0
      while isAtEnd == 0 {
        guard plan.real.get_property(handle, "eof-reached", MPV_FORMAT_FLAG, &isAtEnd) >= 0 else { return }
        usleep(1000)
      }
    }

    /// The sound was heard twice.
    @Test func startJustBeforeTheSeekIsHeardOnce() async throws {
      let directory = try TemporaryDirectory()
      let test = ListeningTest(recordingIn: directory) { $0.adaptLibrary = { Self.adapt($0) } }
      try test.loadFile(TestAudio.minute, start: 58) { $0.isPaused = true }
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(Self.plan.withLock { $0?.start.isSeekSeen } == true)
      #expect(try abs(test.recording().seconds - 2) < 0.3)
    }
  }

  @Suite struct OverdueSoundTimes {
    /// A small buffer holds less than `firstWait`. mpv stops to read when it is full.
    @Test func fullBufferIsEnough() {
      func cache(end: Double, _ flag: String? = nil) -> MpvValue {
        let flags = flag.map { [MpvEntry($0, .flag(true))] } ?? []
        return .map([MpvEntry("cache-end", .double(end))] + flags)
      }
      func isCached(_ cache: MpvValue) -> Bool { OverdueSound.isCached(cache, from: 10, until: 13) }
      #expect(isCached(cache(end: 13.5)) && !isCached(cache(end: 12)) && !isCached(.none))
      #expect(isCached(cache(end: 12, "idle")) && !isCached(cache(end: 9, "idle")))
      #expect(isCached(cache(end: 12, "eof")))
    }

    @Test func overdueSoundIsRepeatedAFewTimes() {
      var sound = OverdueSound()
      #expect(sound.deadline == nil)
      sound.update(isPending: true, now: 10)
      sound.update(isPending: true, now: 12)
      #expect(sound.deadline == 13 && !sound.isHeld)
      sound.held(now: 13)
      #expect(sound.deadline == 13.5 && sound.isHeld)
      sound.tried(now: 13)
      #expect(sound.deadline == 22 && !sound.isHeld)
      sound.held(now: 22)
      sound.startAgain(now: 22)
      #expect(sound.deadline == 31)
      sound.tried(now: 31)
      sound.tried(now: 60)
      #expect(sound.deadline == nil)
      sound.update(isPending: false, now: 61)
      sound.update(isPending: true, now: 70)
      #expect(sound.deadline == 73)
    }
  }
}
