import Foundation
import LoopbackSocket
import Synchronization

/// A port of this machine and the threads of its connections.
///
/// Every program on the machine can connect. So a connection gets a thread only when its request head is complete,
/// few connections may wait, none of them for long, and connections of other users are closed at once if the system
/// reports the user.
final class RelayPort: Sendable {
  let number: UInt16
  private let state: State

  /// More than mpv ever needs: two streams, each with a connection that ends and one that begins.
  private static let servedLimit = 24
  private static let waitingLimit = 16
  /// Seconds. mpv sends the request head at once.
  private static let timeout = 5.0
  private static let maxHeadBytes = 64 * 1024
  /// Peers for `LocalServer`: this user, or unknown because the system does not report it.
  private static let ownUser: Int32 = 0
  private static let unknown: Int32 = 1

  /// Separate from `RelayPort`, so that releasing the port ends the threads.
  private final class State: Sendable {
    let listener: Int32
    /// A byte in it ends the accepting thread.
    let stop: WakePipe
    let open = Mutex<(sockets: Set<Int32>, isClosed: Bool)>(([], false))

    init(listener: Int32, stop: WakePipe) {
      self.listener = listener
      self.stop = stop
    }
    deinit { Foundation.close(listener) }
  }

  /// - Parameter serve: called on a new thread for each connection, with the lines of its request before the blank
  ///   line. The connection is closed afterwards.
  init(serve: @escaping @Sendable (Int32, String) -> Void) throws {
    let stop = try WakePipe()
    let (listener, number) = try LoopbackSocket.listen()
    self.number = number
    let state = State(listener: listener, stop: stop)
    self.state = state
    Self.start("relay") { Self.accept(state, serve) }
  }

  deinit { close() }

  func close() {
    let isFirst = state.open.withLock { open in
      for socket in open.sockets { LoopbackSocket.interrupt(socket) }
      defer { open.isClosed = true }
      return !open.isClosed
    }
    if isFirst { state.stop.wake() }
  }

  private static func accept(_ state: State, _ serve: @escaping @Sendable (Int32, String) -> Void) {
    var server = LocalServer(
      listener: state.listener, stop: state.stop.readEnd,
      end: Array("\r\n\r\n".utf8), timeout: timeout, bytes: maxHeadBytes, clients: waitingLimit, perPeer: waitingLimit)
    server.run { sockets in
      let own = geteuid()
      guard let users = LoopbackPeers.users(of: sockets) else { return sockets.map { _ in Self.unknown } }
      return users.map { user in user.map { $0 == own ? Self.ownUser : nil } ?? Self.unknown }
    } serve: { socket, head in
      let isServed = state.open.withLock { open in
        guard !open.isClosed, open.sockets.count < servedLimit else { return false }
        open.sockets.insert(socket)
        return true
      }
      guard isServed else {
        Foundation.close(socket)
        return
      }
      start("relay connection") {
        serve(socket, String(decoding: head, as: UTF8.self))
        // Closed inside the lock, so that `close` never interrupts a descriptor that the kernel has reused.
        state.open.withLock {
          $0.sockets.remove(socket)
          Foundation.close(socket)
        }
      }
    }
  }

  private static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    // Playback depends on it.
    thread.qualityOfService = .userInteractive
    thread.start()
  }
}
