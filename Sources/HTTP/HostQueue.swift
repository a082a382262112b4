import Foundation
import Model

/// Decides which request goes next: a limited number per host, hosts in turn, none to a host that asked for a pause.
/// Pure bookkeeping, without requests or threads.
struct HostQueue<ID: Hashable> {
  private struct Lane {
    var waiting: [ID] = []
    var active = 0
    /// From when the host asked for it.
    var pause: Range<Date>?
    /// Consecutive refusals (429), for the back-off.
    var refusals = 0
  }

  private var lanes: [String: Lane] = [:]
  /// Hosts with waiting requests, in the order they are served.
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

  /// Removes and returns the next request that may start. `finish` must be called when it is done.
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
    removeIfIdle(host)
  }

  /// Removes a request that has not started.
  mutating func remove(_ id: ID, host: String) {
    lanes[host]?.waiting.removeAll { $0 == id }
    if lanes[host]?.waiting.isEmpty ?? true { turn.removeAll { $0 == host } }
    removeIfIdle(host)
  }

  /// Until when the host is paused. Nil if requests are allowed.
  func pauseEnd(of host: String, now: Date) -> Date? {
    lanes[host]?.pause?.end(at: now)
  }

  /// Pauses the host, and returns the requests that were waiting for it.
  mutating func pause(host: String, until: Date, now: Date) -> [ID] {
    let end = max(until, now, pauseEnd(of: host, now: now) ?? now)
    var lane = lanes[host] ?? Lane()
    lane.pause = now..<end
    let waiting = lane.waiting
    lane.waiting = []
    lanes[host] = lane
    turn.removeAll { $0 == host }
    return waiting
  }

  /// Counts a refusal, and returns the number of consecutive refusals.
  mutating func recordRefusal(by host: String) -> Int {
    lanes[host, default: Lane()].refusals += 1
    return lanes[host]?.refusals ?? 1
  }

  mutating func resetRefusals(of host: String) { lanes[host]?.refusals = 0 }

  /// Drops lanes without information, so that they do not accumulate over time.
  private mutating func removeIfIdle(_ host: String) {
    guard let lane = lanes[host], lane.waiting.isEmpty, lane.active == 0, lane.refusals == 0,
      lane.pause == nil
    else { return }
    lanes[host] = nil
  }
}
