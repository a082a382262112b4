import Foundation

/// The loop of a server for clients on this machine: accepts connections, reads requests and passes them on. It runs
/// on one thread. Idle clients do not block others (`WaitingClients`).
public struct LocalServer {
  private let listener: Int32
  private let stop: Int32
  private let end: [UInt8]
  private var waiting: WaitingClients
  private let clock = ContinuousClock.now

  /// - Parameters:
  ///   - listener: a listening socket. The caller keeps it.
  ///   - stop: becomes readable, or is closed at its other end, when the loop must end. The caller keeps it.
  ///   - end: the bytes that end a request.
  ///   - timeout: seconds within which a client must send its whole request.
  ///   - bytes: the longest request allowed.
  ///   - clients: how many clients may wait at a time, in total; `perPeer`: for one peer.
  public init(
    listener: Int32, stop: Int32, end: [UInt8], timeout: Double, bytes: Int, clients: Int, perPeer: Int
  ) {
    self.listener = listener
    self.stop = stop
    self.end = end
    waiting = WaitingClients(
      limits: WaitingClients.Limits(all: clients, ofOnePeer: perPeer, timeout: timeout, bytes: bytes))
  }

  private var now: Double { (ContinuousClock.now - clock) / .seconds(1) }

  /// Runs until `stop`.
  ///
  /// - Parameters:
  ///   - peers: identifies the peer of each of these connections; nil refuses the connection.
  ///   - serve: takes over a connection and its request. It must not block.
  public mutating func run(peers: ([Int32]) -> [Int32?], serve: (Int32, [UInt8]) -> Void) {
    defer { for descriptor in waiting.descriptors { close(descriptor) } }
    // Non-blocking, so that all pending connections can be accepted and the last call returns.
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
    while true {
      var entries = ([stop, listener] + waiting.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let milliseconds = waiting.deadline.map { Int32(max(0, ($0 - now) * 1000).rounded(.up)) } ?? -1
      guard poll(&entries, nfds_t(entries.count), milliseconds) >= 0 || errno == EINTR || errno == EAGAIN else {
        // There is no memory for so many clients (poll(2)). If the loop ended, the server would still look reachable.
        makeRoom()
        continue
      }
      if entries[0].revents != 0 { return }
      for entry in entries.dropFirst(2) where entry.revents != 0 { readRequest(entry.fd, serve) }
      for descriptor in waiting.removeLate(now: now) { close(descriptor) }
      if entries[1].revents != 0 { acceptClients(peers, serve) }
    }
  }

  /// How many connections are accepted before clients are read again.
  private static let batch = 64

  private mutating func acceptClients(_ peers: ([Int32]) -> [Int32?], _ serve: (Int32, [UInt8]) -> Void) {
    var accepted: [Int32] = []
    while accepted.count < Self.batch, let descriptor = LoopbackSocket.accept(listener) {
      // On macOS, a connection inherits O_NONBLOCK from the listener.
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
      accepted.append(descriptor)
    }
    if accepted.isEmpty {
      // No file descriptors are left (accept(2)) and `poll` would return at once.
      if errno == EMFILE || errno == ENFILE { makeRoom() }
      return
    }
    for (descriptor, peer) in zip(accepted, peers(accepted)) {
      guard let peer else {
        close(descriptor)
        continue
      }
      if let leaving = waiting.add(descriptor, of: peer, now: now) { close(leaving) }
      // Most clients have already sent their request.
      readRequest(descriptor, serve)
    }
  }

  /// Closes the client that has waited longest. If none waits, pauses, so that the loop does not run hot.
  private mutating func makeRoom() {
    guard let oldest = waiting.descriptors.first else { return Thread.sleep(forTimeInterval: 0.01) }
    waiting.remove(oldest)
    close(oldest)
  }

  private mutating func readRequest(_ descriptor: Int32, _ serve: (Int32, [UInt8]) -> Void) {
    switch LoopbackSocket.receiveNow(descriptor) {
    case .nothingYet: break
    case .closed:
      waiting.remove(descriptor)
      close(descriptor)
    case .bytes(let bytes):
      switch waiting.receive(bytes, from: descriptor, until: end) {
      case .unfinished: break
      case .tooLong:
        waiting.remove(descriptor)
        close(descriptor)
      case .complete(let request):
        waiting.remove(descriptor)
        serve(descriptor, request)
      }
    }
  }
}
