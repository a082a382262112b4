import Foundation

/// Clients of a server on this machine that have connected and not yet said what they want. They are few and none waits
/// long, so that whoever connects and says nothing costs the server a descriptor for some seconds, and nothing else.
///
/// Pure: seconds of a clock that does not run backwards come with each call.
struct WaitingClients {
  struct Limits {
    /// How many may wait.
    var all: Int
    /// Of them, how many of one peer (a process, say). The next one takes the place of that peer's oldest.
    var ofOnePeer: Int
    /// How long one may take to say what it wants, in seconds.
    var patience: Double
    /// What it wants is said in no more bytes.
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
    /// It says too much.
    case tooLong
  }

  let limits: Limits
  /// The oldest first.
  private var clients: [Client] = []

  init(limits: Limits) { self.limits = limits }

  var descriptors: [Int32] { clients.map(\.descriptor) }
  /// When the next one has waited too long.
  var deadline: Double? { clients.first?.deadline }

  /// Lets a client wait. Returns the one that has to make room for it, to be closed.
  mutating func add(_ descriptor: Int32, of peer: Int32, now: Double) -> Int32? {
    defer { clients.append(Client(descriptor: descriptor, peer: peer, deadline: now + limits.patience)) }
    var leaving = peer
    if count(of: peer) < limits.ofOnePeer {
      guard clients.count >= limits.all else { return nil }
      // Whoever has most waiting, so that one peer cannot push out another.
      leaving = clients.map(\.peer).max { count(of: $0) < count(of: $1) } ?? peer
    }
    guard let index = clients.firstIndex(where: { $0.peer == leaving }) else { return nil }
    return clients.remove(at: index).descriptor
  }

  private func count(of peer: Int32) -> Int { clients.count { $0.peer == peer } }

  /// Those that have waited too long, to be closed.
  mutating func removeLate(now: Double) -> [Int32] {
    let late = clients.prefix { $0.deadline <= now }.map(\.descriptor)
    clients.removeFirst(late.count)
    return late
  }

  /// The client said this. `end` marks the end of a request.
  mutating func receive(_ bytes: [UInt8], from descriptor: Int32, until end: [UInt8]) -> Reading {
    guard let index = clients.firstIndex(where: { $0.descriptor == descriptor }) else { return .tooLong }
    clients[index].bytes += bytes
    let all = clients[index].bytes
    if let mark = all.firstRange(of: end) { return .complete(Array(all[..<mark.lowerBound])) }
    return all.count < limits.bytes ? .unfinished : .tooLong
  }

  mutating func remove(_ descriptor: Int32) { clients.removeAll { $0.descriptor == descriptor } }
}
