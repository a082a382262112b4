import Foundation
import Model

@testable import Sync

/// The methods that the simulation needs besides those of a sync. Times are of the device's clock, in seconds since
/// 1970.
protocol SimulatedStore: SyncStore {
  /// Called before each sync.
  func beginRun() throws
  func isSubscribed(_ url: String) throws -> Bool
  func subscribe(_ url: String, _ isSubscribed: Bool, at time: Double) throws
  /// The state of an episode; nil when it was never changed.
  func mark(of episode: String) throws -> EpisodeMark?
  func mark(_ episode: String, _ mark: EpisodeMark, at time: Double) throws
  func queue() throws -> [String]
  /// Changes the queue. It may differ from the old queue in one item.
  /// - Returns: the items that the other devices are told of.
  func setQueue(_ items: [String], at time: Double) throws -> [String]
  /// Fetches the feeds of the subscriptions.
  func refresh(_ clock: SyncClock) throws
}

/// A library in memory for the simulation, with the same rules as the real one.
final class MemoryStore: SimulatedStore {
  struct Subscription: Equatable {
    var isSubscribed: Bool
    var time: Double
    var server: Bool?
    var attempt: Bool?
    var timed = Versioned<Bool>(value: nil, time: 0, version: 0)
  }

  var subscriptions: [String: Subscription] = [:]
  var episodes: [String: Versioned<EpisodeMark>] = [:]
  var pushes: [String: Int] = [:]
  var outbox: Set<String> = []
  var waiting: [String: EpisodeChange] = [:]
  /// Podcasts whose feeds have been fetched.
  var fetched: Set<String> = []
  var registers: [String: Versioned<RegisterValue>] = [:]
  var cursors: [SyncCategory: String] = [:]
  let device: String

  init(device: String) { self.device = device }

  static func episode(_ podcast: String, _ number: Int) -> String { podcast + "/\(number).mp3" }
  private func reference(_ episode: String) -> EpisodeReference {
    EpisodeReference(
      podcast: String(episode[..<episode.lastIndex(of: "/")!]), guid: "guid:" + episode, mediaURL: episode)
  }

  // MARK: The listener's actions

  func beginRun() {}

  func isSubscribed(_ url: String) -> Bool { subscriptions[url]?.isSubscribed == true }

  func mark(of episode: String) -> EpisodeMark? { episodes[episode]?.value }

  func subscribe(_ url: String, _ isSubscribed: Bool, at time: Double) {
    var subscription = subscriptions[url] ?? Subscription(isSubscribed: false, time: 0)
    subscription.isSubscribed = isSubscribed
    subscription.time = time
    subscription.timed.change(to: isSubscribed, at: time)
    subscriptions[url] = subscription
    if isSubscribed { fetched.insert(url) }
  }

  /// Does nothing for an episode whose feed has not been fetched, like the real library, which does not have it.
  func mark(_ episode: String, _ mark: EpisodeMark, at time: Double) {
    guard fetched.contains(reference(episode).podcast) else { return }
    episodes[episode, default: Versioned(value: nil, time: 0, version: 0)].change(to: mark, at: time)
    outbox.insert(episode)
  }

  func queue() -> [String] { OrderKey.order(orderKeys) }

  private var orderKeys: [String: String] {
    registers.compactMapValues { $0.value?.json.flatMap { JSONValue($0)?.string } }
  }

  func setQueue(_ items: [String], at time: Double) -> [String] {
    let old = self.orderKeys
    let orderKeys = OrderKey.assign(items, old: old)
    let changed = Set(old.keys).union(items).filter { old[$0] != orderKeys[$0] }
    for item in changed {
      registers[item, default: Versioned(value: nil, time: 0, version: 0)]
        .change(to: RegisterValue(orderKeys[item].map { JSONValue.string($0).text }), at: time)
    }
    return Array(changed)
  }

  func refresh(_ clock: SyncClock) {
    for (url, subscription) in subscriptions where subscription.isSubscribed { fetched.insert(url) }
    for (name, change) in waiting where fetched.contains(change.episode.podcast) {
      waiting[name] = nil
      receive(change, clock, mayLoseValues: false)
    }
  }

  // MARK: SyncStore

  func cursor(_ category: SyncCategory) throws(SyncError) -> String? { cursors[category] }

  func hasUnconfirmedPush(_ category: SyncCategory) throws(SyncError) -> Bool {
    category == .subscriptions && subscriptions.values.contains { $0.attempt != nil }
  }

  func apply(_ pull: SyncPull, _ category: SyncCategory, _ rules: SyncRules) throws(SyncError) -> SyncChanges {
    var changes = SyncChanges()
    for change in pull.subscriptions { apply(change, rules, &changes) }
    for change in pull.episodes {
      guard fetched.contains(change.episode.podcast) else {
        let name = change.episode.mediaURL!
        if waiting[name].map({ change.supersedes($0) }) ?? true { waiting[name] = change }
        continue
      }
      if receive(change, rules.clock, mayLoseValues: rules.traits.mayLoseValues) { changes.episodes += 1 }
    }
    if rules.isFull, rules.traits.mayLoseValues { forgetMissing(pull, category) }
    for change in pull.registers {
      var register = registers[change.key] ?? Versioned(value: nil, time: 0, version: 0)
      if register.receive(RegisterValue(change.value), at: change.time, rules.clock) == .applied {
        changes.registers += 1
      }
      registers[change.key] = register
    }
    if let cursor = pull.cursor { cursors[category] = cursor }
    return changes
  }

  /// What a complete pull does not mention was lost by the server.
  private func forgetMissing(_ pull: SyncPull, _ category: SyncCategory) {
    if category == .subscriptions {
      let listed = Set(pull.subscriptions.map(\.url))
      for (url, known) in subscriptions where known.server == true && !listed.contains(url) {
        subscriptions[url]?.server = nil
      }
    }
    if category == .episodes {
      let listed = Set(pull.episodes.compactMap(\.episode.mediaURL))
      for (name, state) in episodes where !state.isPending && !listed.contains(name) {
        episodes[name]?.resend()
        outbox.insert(name)
      }
    }
  }

  private func apply(_ change: SubscriptionChange, _ rules: SyncRules, _ changes: inout SyncChanges) {
    var subscription = subscriptions[change.url] ?? Subscription(isSubscribed: false, time: 0)
    defer { subscriptions[change.url] = subscription }
    if let time = change.time {
      if rules.isFirstSync, !change.isSubscribed, subscription.isSubscribed, subscription.timed.agreed == nil {
        // The subscription is sent as the later change, so it records the time of the removal that it overrides.
        var seen = subscription.timed
        seen = Versioned(
          value: seen.value, time: seen.time, version: seen.version, seen: max(seen.seen ?? time, time), agreed: nil)
        subscription.timed = seen
        return
      }
      _ = subscription.timed.receive(change.isSubscribed, at: time, rules.clock)
      subscription.isSubscribed = subscription.timed.value ?? false
      return
    }
    var state = SubscriptionState(
      isSubscribed: subscription.isSubscribed, server: subscription.server, attempt: subscription.attempt)
    switch state.receive(change.isSubscribed, isFirstSync: rules.isFirstSync, isFull: rules.isFull) {
    case nil: break
    case true?: changes.subscribed += 1
    case false?: changes.unsubscribed += 1
    }
    (subscription.isSubscribed, subscription.server, subscription.attempt) = (
      state.isSubscribed, state.server, state.attempt
    )
  }

  @discardableResult
  private func receive(_ change: EpisodeChange, _ clock: SyncClock, mayLoseValues: Bool) -> Bool {
    let name = change.episode.mediaURL!
    var state = episodes[name] ?? Versioned(value: nil, time: 0, version: 0)
    let outcome = state.receive(change.mark, at: change.time, clock)
    switch outcome {
    case .applied, .same: outbox.remove(name)
    case .outdated: break
    case .lostByServer:
      if mayLoseValues {
        state.resend()
        outbox.insert(name)
      }
    }
    episodes[name] = state
    return outcome == .applied
  }

  func outgoing(
    _ category: SyncCategory, limit: Int, _ rules: SyncRules, without: Set<String>
  ) throws(SyncError) -> SyncOutgoing {
    var outgoing = SyncOutgoing()
    switch category {
    case .subscriptions:
      for (url, subscription) in subscriptions.sorted(by: { $0.key < $1.key }) where !without.contains(url) {
        var change = SubscriptionChange(url: url, isSubscribed: subscription.isSubscribed)
        if rules.traits.storesSubscriptionTimes {
          guard subscription.timed.isPending else { continue }
          change.time = subscription.timed.sharedTime(rules.clock)
        } else {
          let state = SubscriptionState(
            isSubscribed: subscription.isSubscribed, server: subscription.server, attempt: subscription.attempt)
          guard state.isPending else { continue }
        }
        outgoing.batch.subscriptions.append(change)
        outgoing.keys.append(url)
        outgoing.versions.append(rules.traits.storesSubscriptionTimes ? subscription.timed.version : subscription.time)
      }
    case .episodes:
      for name in outbox.sorted() where !without.contains(name) && outgoing.keys.count < limit {
        let reference = reference(name)
        guard subscriptions[reference.podcast]?.isSubscribed == true, let state = episodes[name], let mark = state.value
        else { continue }
        var change = EpisodeChange(
          episode: reference, mark: mark, time: state.sharedTime(rules.clock), started: 0, total: 1800)
        change.repeats = pushes[name] ?? 0
        outgoing.batch.episodes.append(change)
        outgoing.keys.append(name)
        outgoing.versions.append(state.version)
      }
    case .collections:
      for (key, register) in registers.sorted(by: { $0.key < $1.key })
      where register.isPending && !without.contains(key) {
        outgoing.batch.registers.append(
          RegisterChange(key: key, value: register.value?.json, time: register.sharedTime(rules.clock)))
        outgoing.keys.append(key)
        outgoing.versions.append(register.version)
      }
    }
    return outgoing
  }

  func willSend(_ outgoing: SyncOutgoing) throws(SyncError) {
    for change in outgoing.batch.subscriptions { subscriptions[change.url]?.attempt = change.isSubscribed }
    if !outgoing.batch.episodes.isEmpty { for key in outgoing.keys { pushes[key, default: 0] += 1 } }
  }

  func didSend(_ outgoing: SyncOutgoing, _ receipt: SyncReceipt, _ rules: SyncRules) throws(SyncError) {
    for (index, change) in outgoing.batch.subscriptions.enumerated() {
      subscriptions[change.url]?.server = change.isSubscribed
      subscriptions[change.url]?.attempt = nil
      if let time = change.time {
        subscriptions[change.url]?.timed.sent(at: time, version: outgoing.versions[index])
      }
    }
    for (index, change) in outgoing.batch.episodes.enumerated() {
      let name = outgoing.keys[index]
      episodes[name]?.sent(at: change.time, version: outgoing.versions[index])
      if episodes[name]?.isPending == false { outbox.remove(name) }
    }
    for (index, change) in outgoing.batch.registers.enumerated() {
      registers[change.key]?.sent(at: change.time, version: outgoing.versions[index])
    }
  }

  func wasRefused(_ outgoing: SyncOutgoing) throws(SyncError) {
    for key in outgoing.keys { subscriptions[key]?.attempt = nil }
  }

  func queueUnsent(_ rules: SyncRules, lost: SyncCategory?) throws(SyncError) {
    for (name, state) in episodes {
      if lost == .episodes { episodes[name]?.resend() }
      if state.isPending || lost == .episodes { outbox.insert(name) }
    }
    if lost == .subscriptions { for url in subscriptions.keys { subscriptions[url]?.timed.resend() } }
    if lost == .collections { for key in registers.keys { registers[key]?.resend() } }
  }

  func save(_ cursor: String, _ category: SyncCategory) throws(SyncError) { cursors[category] = cursor }
}

extension Versioned {
  /// Marks the value to be sent again, with a later time. The library does it with SQL.
  fileprivate mutating func resend() { self = Versioned(value: value, time: time, version: version, seen: seen) }

  /// Records that the server accepted the value.
  /// - Parameters:
  ///   - shared: the time it was sent with.
  ///   - version: the version that was sent. Later changes are still pending.
  fileprivate mutating func sent(at shared: Double, version: Double) {
    self = Versioned(
      value: value, time: time, version: self.version, seen: max(seen ?? shared, shared),
      agreed: self.version == version ? version : agreed)
  }
}
