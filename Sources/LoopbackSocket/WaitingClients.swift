import Foundation

/// Clients of a local server that have connected but not sent a whole request. Their number and their time are
/// limited, so a client that sends nothing costs only a file descriptor for a few seconds.
///
/// Pure: the time, in seconds of a monotonic clock, is passed in.
struct WaitingClients {
  struct Limits {
    /// How many may wait.
    var all: Int
    /// How many of them may come from one peer (a process, for example). Another one replaces the oldest of that
    /// peer.
    var ofOnePeer: Int
    /// Seconds within which a client must send its request.
    var timeout: Double
    /// The largest request in bytes.
    var bytes: Int
  }

  private struct Client {
    let descriptor: Int32
    let peer: Int32
    let deadline: Double
    var bytes: [UInt8] = []
  }

  enum Reading: Equatable {
    /// The request, without the end mark and what follows it.
    case complete([UInt8])
    case unfinished
    /// The request is longer than allowed.
    case tooLong
  }

  let limits: Limits
  /// Oldest first.
  private var clients: [Client] = []

  init(limits: Limits) { self.limits = limits }

  var descriptors: [Int32] { clients.map(\.descriptor) }
  /// When the next client runs out of time.
  var deadline: Double? { clients.first?.deadline }

  /// Adds a client. Returns the client to close if one had to make room.
  mutating func add(_ descriptor: Int32, of peer: Int32, now: Double) -> Int32? {
    defer { clients.append(Client(descriptor: descriptor, peer: peer, deadline: now + limits.timeout)) }
    var leaving = peer
    if count(of: peer) < limits.ofOnePeer {
      guard clients.count >= limits.all else { return nil }
      // The peer with the most waiting clients gives way, so one peer cannot push out another.
      leaving = clients.map(\.peer).max { count(of: $0) < count(of: $1) } ?? peer
    }
    guard let index = clients.firstIndex(where: { $0.peer == leaving }) else { return nil }
    return clients.remove(at: index).descriptor
  }

  private func count(of peer: Int32) -> Int { clients.count { $0.peer == peer } }

  /// Removes and returns the clients that ran out of time. The caller closes them.
  mutating func removeLate(now: Double) -> [Int32] {
    let late = clients.prefix { $0.deadline <= now }.map(\.descriptor)
    clients.removeFirst(late.count)
    return late
  }

  /// Adds bytes that the client sent. `end` marks the end of a request.
  mutating func receive(_ bytes: [UInt8], from descriptor: Int32, until end: [UInt8]) -> Reading {
    guard let index = clients.firstIndex(where: { $0.descriptor == descriptor }) else { return .tooLong }
    clients[index].bytes += bytes
    let all = clients[index].bytes
    if let mark = all.firstRange(of: end) { return .complete(Array(all[..<mark.lowerBound])) }
    return all.count < limits.bytes ? .unfinished : .tooLong
  }

  mutating func remove(_ descriptor: Int32) { clients.removeAll { $0.descriptor == descriptor } }
}
