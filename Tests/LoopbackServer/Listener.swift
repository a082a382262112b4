import Foundation
import LoopbackSocket

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The accepting thread, and its state shared with the connections' threads. Separate from the server, so that
/// releasing the server ends the threads.
final class Listener: Sendable {
  struct State {
    var routes: [String: LoopbackServer.Handler] = [:]
    var requests: [LoopbackServer.Request] = []
    var connectionCount = 0
    var concurrency = 0
    var peakConcurrency = 0
    var bytesSent = 0
    var open: Set<Int32> = []
    var isStopped = false
    /// Whether the port refuses connections.
    var isClosed = false
    /// A socket that keeps the port of a stopped server, so that no other server gets it. Negative: none.
    var keeper: Int32 = -1
  }

  let port: UInt16
  let state = Guarded(State())
  private let fallback: LoopbackServer.Handler
  private let descriptor: Int32
  /// A byte in it stops the accepting thread.
  private let stopPipe: WakePipe

  init(fallback: @escaping LoopbackServer.Handler) throws {
    self.fallback = fallback
    stopPipe = try WakePipe()
    (descriptor, port) = try LoopbackSocket.listen()
    // Its connections would otherwise keep the port from `keepPort`.
    Self.allowReuse(of: descriptor)
  }

  deinit {
    let keeper = state.withLock { $0.keeper }
    if keeper >= 0 { close(keeper) }
  }

  func start() {
    let thread = Thread { [self] in acceptConnections() }
    thread.name = "loopback-accept"
    thread.start()
  }

  func stop() {
    let isFirst = state.withLock { state -> Bool in
      guard !state.isStopped else { return false }
      state.isStopped = true
      for connection in state.open { LoopbackSocket.interrupt(connection) }
      return true
    }
    if isFirst { stopPipe.wake() }
    _ = state.wait(within: 300) { $0.isClosed }
  }

  private static func allowReuse(of socket: Int32) {
    var on: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// A socket that has the port and does not listen, so that the port refuses connections (tcp(7)).
  private func keepPort() -> Int32 {
    let keeper = LoopbackSocket.make(AF_INET)
    Self.allowReuse(of: keeper)
    LoopbackSocket.bind(keeper, to: port)
    return keeper
  }

  func handler(for path: String) -> LoopbackServer.Handler { state.withLock { $0.routes[path] } ?? fallback }

  private func acceptConnections() {
    defer {
      close(descriptor)
      let keeper = keepPort()
      state.withLock {
        $0.keeper = keeper
        $0.isClosed = true
      }
    }
    while LoopbackSocket.waitForFirst(descriptor, orStop: stopPipe.readEnd) {
      guard let connection = LoopbackSocket.accept(descriptor) else { continue }
      let number = state.withLock { state -> Int? in
        guard !state.isStopped else { return nil }
        state.open.insert(connection)
        state.connectionCount += 1
        return state.connectionCount
      }
      guard let number else {
        close(connection)
        return
      }
      Thread { [self] in
        Connection(descriptor: connection, number: number, listener: self).serve()
        // Under the lock, so that stop() never closes a descriptor number that the kernel has reused.
        state.withLock {
          $0.open.remove(connection)
          close(connection)
        }
      }.start()
    }
  }
}
