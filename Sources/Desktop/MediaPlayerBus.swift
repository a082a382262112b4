#if canImport(CSDBus)
  import CSDBus
  import Foundation
  import Model
  import Synchronization

  /// The player on the session bus: MPRIS 2.2 for media keys, bars and `playerctl`, and notifications. One thread owns the
  /// connection, since sd-bus has no locks.
  final class MediaPlayerBus: Sendable {
    private struct Inbox {
      var now: NowPlaying
      /// When `now` was so: the position goes on from there.
      var at: ContinuousClock.Instant
      var notices: [(title: String, body: String)] = []
      var isClosed = false
    }

    private let inbox: Mutex<Inbox>
    private let wake: (read: Int32, write: Int32)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - onCommand: passes a wish on; called on the bus' own thread.
    ///   - log: why there is no bus, once.
    init?(
      _ now: NowPlaying, onCommand: @escaping @Sendable (RemoteCommand) -> Void,
      log: @escaping @Sendable (String) -> Void
    ) {
      inbox = Mutex(Inbox(now: now, at: .now))
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      wake = (ends[0], ends[1])
      let thread = Thread { [self, wake] in
        do throws(BusError) {
          try MediaPlayerLoop(self, onCommand: onCommand).run(wake: wake.read)
        } catch { log("no media keys: \(error)") }
        hasEnded.signal()
      }
      thread.name = "mpris"
      thread.start()
    }

    deinit {
      Foundation.close(wake.read)
      Foundation.close(wake.write)
    }

    func update(_ now: NowPlaying) {
      let isNew = inbox.withLock { inbox in
        guard inbox.now != now else { return false }
        inbox.now = now
        inbox.at = .now
        return true
      }
      if isNew { signal() }
    }

    func notify(title: String, body: String) {
      inbox.withLock { $0.notices.append((title, body)) }
      signal()
    }

    /// Leaves the bus. Waits for it, at most a second.
    func close() {
      inbox.withLock { $0.isClosed = true }
      signal()
      _ = hasEnded.wait(timeout: .now() + 1)
    }

    private func signal() {
      var byte: UInt8 = 0
      _ = write(wake.write, &byte, 1)
    }

    // MARK: For the loop

    var now: NowPlaying { inbox.withLock { $0.now } }
    var isClosed: Bool { inbox.withLock { $0.isClosed } }

    /// Seconds, gone on with since the player's last report.
    var position: Double {
      inbox.withLock { inbox in
        guard inbox.now.status == .playing, !inbox.now.isStalled else { return inbox.now.position }
        let passed = inbox.at.duration(to: .now)
        let seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) / 1e18
        let place = inbox.now.position + min(seconds, 5) * inbox.now.speed
        return inbox.now.duration.map { min($0, place) } ?? place
      }
    }

    func takeNotices() -> [(title: String, body: String)] {
      inbox.withLock { inbox in
        defer { inbox.notices = [] }
        return inbox.notices
      }
    }
  }
#endif
