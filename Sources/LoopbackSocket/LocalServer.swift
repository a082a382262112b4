import Foundation

/// The loop of a server that others on this machine connect to: accepts, hears what is wanted, and hands it on. One
/// thread; clients that say nothing are in nobody's way (`WaitingClients`).
public struct LocalServer {
  private let listener: Int32
  private let stop: Int32
  private let end: [UInt8]
  private var waiting: WaitingClients
  private let clock = ContinuousClock.now

  /// - Parameters:
  ///   - listener: a socket that listens. Stays the caller's.
  ///   - stop: becomes readable, or is closed at its other end, when the loop is to end. Stays the caller's.
  ///   - end: marks the end of a request.
  ///   - patience: seconds for a client to send all of it.
  ///   - bytes: the longest request.
  ///   - clients: how many may wait at a time; `perPeer`: of one peer.
  public init(
    listener: Int32, stop: Int32, end: [UInt8], patience: Double, bytes: Int, clients: Int, perPeer: Int
  ) {
    self.listener = listener
    self.stop = stop
    self.end = end
    waiting = WaitingClients(
      limits: WaitingClients.Limits(all: clients, ofOnePeer: perPeer, patience: patience, bytes: bytes))
  }

  private var now: Double { (ContinuousClock.now - clock) / .seconds(1) }

  /// Runs until it is stopped.
  ///
  /// - Parameters:
  ///   - peers: who is at the other end of each of these connections; nil refuses one.
  ///   - serve: takes over a connection, with what it asks for. Must not wait.
  public mutating func run(peers: ([Int32]) -> [Int32?], serve: (Int32, [UInt8]) -> Void) {
    defer { for descriptor in waiting.descriptors { close(descriptor) } }
    // So that all who are there can be accepted, and the last call does not wait for another one.
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
    while true {
      var entries = ([stop, listener] + waiting.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let milliseconds = waiting.deadline.map { Int32(max(0, ($0 - now) * 1000).rounded(.up)) } ?? -1
      guard poll(&entries, nfds_t(entries.count), milliseconds) >= 0 || errno == EINTR || errno == EAGAIN else {
        return
      }
      if entries[0].revents != 0 { return }
      for entry in entries.dropFirst(2) where entry.revents != 0 { hear(entry.fd, serve) }
      for descriptor in waiting.removeLate(now: now) { close(descriptor) }
      if entries[1].revents != 0 { welcome(peers, serve) }
    }
  }

  /// How many are accepted before anything else is done.
  private static let batch = 64

  private mutating func welcome(_ peers: ([Int32]) -> [Int32?], _ serve: (Int32, [UInt8]) -> Void) {
    var accepted: [Int32] = []
    while accepted.count < Self.batch, let descriptor = LoopbackSocket.accept(listener) {
      // Where it inherits that of the listener (macOS).
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
      accepted.append(descriptor)
    }
    if accepted.isEmpty {
      // No descriptors are left (accept(2)), so that the wait would end at once: the oldest who waits makes room.
      guard errno == EMFILE || errno == ENFILE else { return }
      if let oldest = waiting.descriptors.first {
        waiting.remove(oldest)
        close(oldest)
      } else {
        Thread.sleep(forTimeInterval: 0.01)
      }
      return
    }
    for (descriptor, peer) in zip(accepted, peers(accepted)) {
      guard let peer else {
        close(descriptor)
        continue
      }
      if let leaving = waiting.add(descriptor, of: peer, now: now) { close(leaving) }
      // Most have said it by now.
      hear(descriptor, serve)
    }
  }

  private mutating func hear(_ descriptor: Int32, _ serve: (Int32, [UInt8]) -> Void) {
    switch LoopbackSocket.receiveNow(descriptor) {
    case .nothingYet: break
    case .gone:
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
