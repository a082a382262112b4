import Foundation

/// Which request may go next: at most so many at a host, hosts in turn, none to a host that asked for rest.
/// Pure bookkeeping, without requests or threads.
struct HostQueue<ID: Hashable> {
  private struct Lane {
    var waiting: [ID] = []
    var active = 0
    var restUntil = Date.distantPast
    /// Refusals (429) running, for the back-off.
    var refusals = 0
  }

  private var lanes: [String: Lane] = [:]
  /// Hosts with waiting requests, the next to be served first.
  private var turn: [String] = []
  private var active = 0
  private let perHost: Int
  private let atOnce: Int

  init(perHost: Int, atOnce: Int) {
    self.perHost = max(1, perHost)
    self.atOnce = max(1, atOnce)
  }

  mutating func add(_ id: ID, host: String) {
    if lanes[host, default: Lane()].waiting.isEmpty { turn.append(host) }
    lanes[host, default: Lane()].waiting.append(id)
  }

  /// Takes out the next request that may start; `finish` must follow when it is done.
  mutating func next() -> ID? {
    guard active < atOnce,
      let index = turn.firstIndex(where: { lanes[$0].map { $0.active < perHost } ?? false })
    else { return nil }
    let host = turn.remove(at: index)
    guard var lane = lanes[host], !lane.waiting.isEmpty else { return nil }
    let id = lane.waiting.removeFirst()
    lane.active += 1
    active += 1
    if !lane.waiting.isEmpty { turn.append(host) }
    lanes[host] = lane
    return id
  }

  mutating func finish(host: String) {
    active -= 1
    lanes[host]?.active -= 1
    tidy(host)
  }

  /// Forgets a request that has not started.
  mutating func remove(_ id: ID, host: String) {
    lanes[host]?.waiting.removeAll { $0 == id }
    if lanes[host]?.waiting.isEmpty ?? true { turn.removeAll { $0 == host } }
    tidy(host)
  }

  /// Until when the host rests; nil when it may be asked.
  func rest(of host: String, now: Date) -> Date? {
    lanes[host].flatMap { $0.restUntil > now ? $0.restUntil : nil }
  }

  /// Lets the host rest, and gives back what was waiting for it.
  mutating func rest(host: String, until: Date) -> [ID] {
    var lane = lanes[host] ?? Lane()
    lane.restUntil = max(lane.restUntil, until)
    let waiting = lane.waiting
    lane.waiting = []
    lanes[host] = lane
    turn.removeAll { $0 == host }
    return waiting
  }

  /// Counts a refusal, and says how many there were running.
  mutating func refused(by host: String) -> Int {
    lanes[host, default: Lane()].refusals += 1
    return lanes[host]?.refusals ?? 1
  }

  mutating func answered(by host: String) { lanes[host]?.refusals = 0 }

  /// Lanes are dropped when nothing is known of them, so that a year of hosts does not add up.
  private mutating func tidy(_ host: String) {
    guard let lane = lanes[host], lane.waiting.isEmpty, lane.active == 0, lane.refusals == 0,
      lane.restUntil == .distantPast
    else { return }
    lanes[host] = nil
  }
}
