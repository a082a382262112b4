import CMpv
import Foundation
import Synchronization
import Testing

@testable import Playback

extension RealCore {
  /// A libmpv that refuses a seek. The player gets another command before it knows that.
  @Suite struct RefusedSeeks {
    private enum Stage {
      case before
      /// The other command has come.
      case asked
      /// The player knows that the seek was refused.
      case refused
      /// The other command was carried out.
      case answered
    }

    private struct Plan: @unchecked Sendable {  // Holds function addresses.
      var real: earshot_mpv
      /// Sends the other command. Nil: mpv does what it is told.
      var ask: (@Sendable () -> Void)?
      var stage = Stage.before
      /// The player has waited for an event although there was a command.
      var hasWaited = false
    }

    private static let plan = Mutex<Plan?>(nil)

    private static func adapt(_ library: MpvLibrary) -> MpvLibrary {
      plan.withLock { $0 = Plan(real: library.functions) }
      var library = library
      library.functions.wait_event = { handle, timeout in RefusedSeeks.wait(handle, timeout) }
      // The only asynchronous command is the seek.
      library.functions.command_node_async = { handle, tag, command in
        guard let current = RefusedSeeks.plan.withLock({ $0 }) else { return -1 }
        guard let ask = current.ask else { return current.real.command_node_async(handle, tag, command) }
        RefusedSeeks.plan.withLock {
          $0?.ask = nil
          $0?.stage = .asked
        }
        ask()
        // mpv replies to this command, and does nothing.
        return MpvValue.map([MpvEntry("name", .string("ignore"))]).withNode {
          current.real.command_node_async(handle, tag, $0)
        }
      }
      library.functions.set_property = { handle, name, format, value in
        guard let current = RefusedSeeks.plan.withLock({ $0 }) else { return -1 }
        if let name, strcmp(name, "volume") == 0, current.stage == .refused {
          RefusedSeeks.plan.withLock { $0?.stage = .answered }
        }
        return current.real.set_property(handle, name, format, value)
      }
      return library
    }

    private static func wait(_ handle: OpaquePointer?, _ timeout: Double) -> UnsafeMutablePointer<mpv_event>? {
      guard let current = plan.withLock({ $0 }) else { return nil }
      let isTooLong = current.stage == .refused && timeout != 0
      if isTooLong { plan.withLock { $0?.hasWaited = true } }
      guard let event = current.real.wait_event(handle, isTooLong ? 0 : timeout) else { return nil }
      if current.stage == .asked, event.pointee.event_id == MPV_EVENT_COMMAND_REPLY {
        event.pointee.error = MPV_ERROR_COMMAND.rawValue
        plan.withLock { $0?.stage = .refused }
      }
      return event
    }

    /// The command was carried out only after mpv's next event. There is none during a pause.
    @Test func commandDuringARefusedSeekIsCarriedOutAtOnce() async throws {
      let test = ListeningTest { $0.adaptLibrary = { Self.adapt($0) } }
      try test.loadFile(TestAudio.minute) { $0.isPaused = true }
      _ = await test.next(\.positionSeconds)
      let player = test.player
      Self.plan.withLock { $0?.ask = { player.setVolume(60) } }
      player.seek(to: 30)
      #expect(await test.next { $0 == .volume(60) ? true : nil } == true)
      #expect(Self.plan.withLock { $0?.stage } == .answered)
      #expect(Self.plan.withLock { $0?.hasWaited } == false)
      #expect(!test.seen.contains { $0.positionSeconds == 30 }, "the seek was refused")
    }
  }
}
