#if canImport(CSDBus)
  import CSDBus
  import Foundation
  import LoopbackSocket
  import Model
  import Synchronization

  /// The player on the session bus: MPRIS 2.2 for media keys, status bars and `playerctl`, and desktop notifications.
  /// One thread owns the connection, because sd-bus has no locks.
  final class MediaPlayerBus: Sendable {
    private struct Inbox {
      var now: NowPlaying
      /// The time of `now`. The position is extrapolated from it.
      var at: ContinuousClock.Instant
      var notices: [(title: String, body: String)] = []
      var isClosed = false
    }

    private let inbox: Mutex<Inbox>
    private let pipe: WakePipe
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - onCommand: passes a command on. Called on the thread of the bus.
    ///   - log: reports once why there is no bus.
    init?(
      _ now: NowPlaying, onCommand: @escaping @Sendable (RemoteCommand) -> Void,
      log: @escaping @Sendable (String) -> Void
    ) {
      inbox = Mutex(Inbox(now: now, at: .now))
      guard let pipe = try? WakePipe() else { return nil }
      self.pipe = pipe
      let thread = Thread { [self] in
        var isLogged = false
        while !isClosed {
          do throws(BusError) {
            try MediaPlayerLoop(self, onCommand: onCommand).run(wake: pipe)
          } catch {
            if !isLogged { log("no media keys: \(error)") }
            isLogged = true
            waitToConnectAgain()
          }
        }
        hasEnded.signal()
      }
      thread.name = "mpris"
      thread.start()
    }

    func update(_ now: NowPlaying) {
      let isNew = inbox.withLock { inbox in
        guard inbox.now != now else { return false }
        inbox.now = now
        inbox.at = .now
        return true
      }
      if isNew { pipe.wake() }
    }

    func notify(title: String, body: String) {
      inbox.withLock { $0.notices.append((title, body)) }
      pipe.wake()
    }

    /// Leaves the bus. Waits for at most a second.
    func close() {
      inbox.withLock { $0.isClosed = true }
      pipe.wake()
      _ = hasEnded.wait(timeout: .now() + 1)
    }

    /// The bus ends when the listener logs out, and comes back with the next login. A player in tmux lives on.
    private func waitToConnectAgain() {
      let end = ContinuousClock.now + .seconds(Self.reconnectSeconds)
      // Each new state of the player wakes it.
      while !isClosed, ContinuousClock.now < end {
        var entry = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Int32((end - .now) / .milliseconds(1)) + 1)
        _ = pipe.drain()
      }
      // Old by now.
      _ = takeNotices()
    }

    private static let reconnectSeconds = 30.0

    // MARK: Called by the loop

    var now: NowPlaying { inbox.withLock { $0.now } }
    var isClosed: Bool { inbox.withLock { $0.isClosed } }

    /// The current position in seconds, extrapolated from the player's last report.
    var position: Double {
      inbox.withLock { inbox in
        guard inbox.now.status == .playing, !inbox.now.isStalled else { return inbox.now.position }
        let seconds = (ContinuousClock.now - inbox.at) / .seconds(1)
        let position = inbox.now.position + min(seconds, 5) * inbox.now.speed
        return inbox.now.duration.map { min($0, position) } ?? position
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
