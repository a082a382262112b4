import Foundation
import Model
import Sync
import Synchronization

@testable import SyncBackends

/// A model of the real servers with their measured quirks. One user.
final class ServerModel {
  enum Kind: CaseIterable {
    case opodsync, mygpo, router, nextcloud

    /// The back end that syncs with it.
    var backend: any AccountBackend.Type {
      switch self {
      case .opodsync, .mygpo, .router: GPodderBackend.self
      case .nextcloud: NextcloudBackend.self
      }
    }
  }

  let kind: Kind
  private var subscriptions: [String: (isSubscribed: Bool, changed: Int)] = [:]
  /// mygpo's changes: time, address, and 1 or −1.
  private var history: [(time: Double, url: String, change: Int)] = []
  private var actions: [JSONValue] = []
  private var devices: Set<String> = []
  /// The number of actions in one answer of mygpo; the real server sends 1000.
  private let page: Int

  init(_ kind: Kind, page: Int = 50) {
    self.kind = kind
    self.page = page
  }

  var subscribed: Set<String> { Set(subscriptions.filter { $0.value.isSubscribed }.keys) }

  /// The episodes of which the server has an action.
  var episodes: Set<String> { Set(actions.compactMap { $0["episode"]?.string }) }

  /// The server was installed again, with the same user and an empty database.
  func empty() { (subscriptions, history, actions, devices) = ([:], [], [], []) }

  /// - Parameter now: seconds since 1970 on the server's clock.
  func answer(_ method: String, _ path: String, _ body: [UInt8], now: Double) -> (status: Int, body: String) {
    let (path, query) = (path.prefix { $0 != "?" }, path.drop { $0 != "?" }.dropFirst())
    let since = query.split(separator: "&").first { $0.hasPrefix("since=") }.flatMap { Int($0.dropFirst(6)) }
    let value = JSONValue(body)
    if path.contains("/devices/"), !path.contains("/sync-devices/") {
      if method == "POST" { devices.insert(String(path)) }
      return (200, "[]")
    }
    if path.contains("/sync-devices/") { return (kind == .mygpo && method == "POST" ? 500 : 200, "{}") }
    if path.contains("/subscription") {
      if kind == .mygpo, devices.isEmpty { return (404, "") }
      return method == "GET" ? list(since ?? 0, now: Int(now)) : change(value, now: now)
    }
    return method == "GET" ? history(since ?? 0, now: Int(now)) : record(value?.array ?? [], now: Int(now))
  }

  private func list(_ since: Int, now: Int) -> (Int, String) {
    if kind == .mygpo { return sums(since, now: now) }
    let fresh = subscriptions.filter { kind == .nextcloud ? $0.value.changed > since : $0.value.changed >= since }
    func urls(_ isSubscribed: Bool) -> JSONValue {
      .array(fresh.filter { $0.value.isSubscribed == isSubscribed }.keys.sorted().map { .string($0) })
    }
    return (
      200, JSONValue.object(["add": urls(true), "remove": urls(false), "timestamp": .number(Double(now))]).text
    )
  }

  /// mygpo adds up the changes since then, and leaves out podcasts whose sum is zero.
  private func sums(_ since: Int, now: Int) -> (Int, String) {
    var sums: [String: Int] = [:]
    for entry in history where entry.time > Double(since) { sums[entry.url, default: 0] += entry.change }
    func urls(_ sign: Int) -> JSONValue {
      .array(sums.filter { $0.value.signum() == sign }.keys.sorted().map { .string($0) })
    }
    return (200, JSONValue.object(["add": urls(1), "remove": urls(-1), "timestamp": .number(Double(now))]).text)
  }

  private func change(_ value: JSONValue?, now time: Double) -> (Int, String) {
    let now = Int(time)
    guard let add = value?["add"]?.array, let remove = value?["remove"]?.array else { return (500, "") }
    for (urls, isSubscribed) in [(add, true), (remove, false)] {
      for url in urls.compactMap(\.string) {
        guard url.hasPrefix("http") else { return (400, "<html>") }
        // A change without effect is not recorded.
        guard (subscriptions[url]?.isSubscribed ?? false) != isSubscribed else { continue }
        subscriptions[url] = (isSubscribed, now)
        history.append((time, url, isSubscribed ? 1 : -1))
      }
    }
    return (200, JSONValue.object(["timestamp": .number(Double(now)), "update_urls": .array([])]).text)
  }

  /// Records an action of another program of the listener, which does not follow Earshot's conventions.
  func recordForeign(episode: String, podcast: String, position: Int, now: Double) {
    let action = GPodderAction(
      podcast: podcast, episode: episode, device: "phone", kind: .play, timestamp: now.rounded(.down),
      started: max(0, position - 60), position: position, total: 1800)
    _ = record([action.json], now: Int(now))
  }

  private func time(_ action: JSONValue) -> Int { action["timestamp"].flatMap(SyncTime.parse).map { Int($0) } ?? 0 }

  private func history(_ since: Int, now: Int) -> (Int, String) {
    var found = actions.filter { kind == .nextcloud ? time($0) > since : time($0) >= since }
    var timestamp = now
    switch kind {
    case .opodsync: found.sort { ($0["action"]!.string!, time($1)) < ($1["action"]!.string!, time($0)) }
    case .mygpo:
      found = found.filter { time($0) <= now }.sorted { time($0) < time($1) }
      found = Array(found.prefix(page))
      timestamp = found.last.map(time) ?? now
    case .router: timestamp = found.map(time).max() ?? since
    case .nextcloud: break
    }
    let shown = found.map { action -> JSONValue in
      guard case .object(var members) = action else { return action }
      let text = members["timestamp"]?.string ?? ""
      switch kind {
      case .opodsync: members["timestamp"] = .string(text + "Z")
      case .nextcloud:
        members["timestamp"] = .string(text + "+00:00")
        members["action"] = .string("PLAY")
      case .mygpo, .router: break
      }
      return .object(members)
    }
    return (200, JSONValue.object(["actions": .array(shown), "timestamp": .number(Double(timestamp))]).text)
  }

  private func record(_ new: [JSONValue], now: Int) -> (Int, String) {
    for action in new {
      guard case .object(var members) = action, let kindName = members["action"]?.string,
        let podcast = members["podcast"]?.string
      else { return (400, "") }
      switch kind {
      case .nextcloud:
        // One row for each episode, whatever the time of the action.
        guard kindName == "play" else { continue }
        actions.removeAll { $0["episode"] == members["episode"] }
      case .mygpo:
        let keys =
          kindName == "play"
          ? ["episode", "device", "action", "started", "position"] : ["episode", "device", "action"]
        if actions.contains(where: { old in keys.allSatisfy { old[$0] == members[$0] } }) { continue }
        members["guid"] = nil
      case .opodsync:
        if subscriptions[podcast]?.isSubscribed != true { subscriptions[podcast] = (true, now) }
      case .router: break
      }
      if kind == .nextcloud { members["device"] = nil }
      actions.append(.object(members))
    }
    return (200, JSONValue.object(["timestamp": .number(Double(now)), "update_urls": .array([])]).text)
  }
}

/// A device's connection to the server. Fails on demand.
///
/// `@unchecked`: a simulation runs on one thread at a time.
final class ModelTransport: SyncTransport, @unchecked Sendable {
  enum Fault: CaseIterable {
    case none, noConnection, lostAnswer, internalError
    /// Only half of the request is processed.
    case partial
    /// The request arrives twice.
    case repeated
  }

  let server = "server.example"
  let model: ServerModel
  /// The time on the server's clock.
  var now = 0.0
  /// Seconds by which the device's clock is ahead.
  let skew: Double
  var fault: () -> Fault = { .none }
  var requests: [String] = []

  init(_ model: ServerModel, skew: Double) {
    self.model = model
    self.skew = skew
  }

  func send(_ request: SyncRequest, to receiver: some SyncBody) async throws(SyncError) -> SyncAnswer {
    let fault = fault()
    requests.append("\(request.method) \(request.path) \(fault) \(String(decoding: request.body ?? [], as: UTF8.self))")
    if fault == .noConnection { throw .unreachable(server: server, cause: "a test") }
    if fault == .internalError { return SyncAnswer(status: 500, date: now.rounded(.down), received: now + skew) }
    if fault == .partial, let body = request.body.flatMap({ JSONValue($0) }) {
      _ = model.answer(request.method, request.path, Array(body.firstHalf.text.utf8), now: now)
      return SyncAnswer(status: 500, date: now.rounded(.down), received: now + skew)
    }
    if fault == .repeated { _ = model.answer(request.method, request.path, request.body ?? [], now: now) }
    let (status, body) = model.answer(request.method, request.path, request.body ?? [], now: now)
    if fault == .lostAnswer { throw .unreachable(server: server, cause: "a test") }
    if (200..<300).contains(status) {
      let bytes = Array(body.utf8)
      // First an answer that breaks off, then a complete one, both in pieces.
      receiver.begin(at: now)
      bytes.prefix(bytes.count / 3).withUnsafeBytes { receiver.add($0) }
      receiver.begin(at: now)
      for start in stride(from: 0, to: bytes.count, by: 700) {
        bytes[start..<min(bytes.count, start + 700)].withUnsafeBytes { receiver.add($0) }
      }
    }
    return SyncAnswer(status: status, date: now.rounded(.down), received: now + skew)
  }
}

extension JSONValue {
  /// The value with each list cut to its first half.
  fileprivate var firstHalf: JSONValue {
    switch self {
    case .array(let values): .array(Array(values.prefix(values.count / 2)))
    case .object(let members): .object(members.mapValues(\.firstHalf))
    default: self
    }
  }
}
