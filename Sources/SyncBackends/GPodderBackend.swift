import Foundation
import Model
import Sync

/// A server with the gpodder API, version 2: gpodder.net, opodsync, mygpo, gpodder-fastapi-router. Source:
/// https://gpoddernet.readthedocs.io/en/latest/api/ . docs/SYNC.md describes how real servers behave.
public struct GPodderBackend: AccountBackend {
  public static let kind = "gpodder"
  public static let login = BackendLogin.password
  public static let traits = SyncTraits(
    timeResolution: 1, storesSubscriptionTimes: false, categories: [.subscriptions, .episodes], batch: 100,
    mayLoseValues: true)

  private let transport: any SyncTransport
  private let user: String
  /// The id of this device: letters, digits and `_.-`.
  private let device: String
  private let caption: String
  /// All Earshots of a listener share one device id for subscriptions. gpodder-fastapi-router and mygpo have a list for
  /// each device. On gpodder-fastapi-router, a device cannot remove a podcast that another one added, even in a group.
  private static let shared = "earshot"

  /// - Parameters:
  ///   - device: the id of this device on the server.
  ///   - caption: its name for people.
  public init(transport: any SyncTransport, user: String, device: String, caption: String) {
    self.transport = transport
    self.user = user.percentEncoded
    self.device = device
    self.caption = caption
  }

  public init(_ account: BackendAccount, connect: () throws(SyncError) -> any SyncTransport) throws(SyncError) {
    self.init(
      transport: try connect(), user: account.user, device: account.device, caption: account.deviceName)
  }

  /// opodsync supports both protocols. The gpodder API is better, because it keeps all actions.
  public static func isServer(_ transport: some SyncTransport) async throws(SyncError) -> Bool {
    switch try await transport.anonymousStatus("POST", "/api/2/auth/earshot-probe/login.json") {
    case 401: break
    case 403:
      // PodFetch. A web server may refuse every request with 403. A proxy may do so before a Nextcloud.
      guard try await transport.anonymousStatus("POST", "/earshot-probe/no-such-path.json") != 403 else { return false }
      return !(try await NextcloudLogin.isOffered(by: transport))
    default: return false
    }
    // Some servers ask for a password before they look at the path. If such a server has Nextcloud's login, it is one.
    guard try await transport.anonymousStatus("GET", "/earshot-probe/no-such-path.json") == 401 else { return true }
    return !(try await NextcloudLogin.isOffered(by: transport))
  }

  public func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
    switch category {
    case .subscriptions: try await pullSubscriptions(since: cursor)
    case .episodes: try await pullEpisodes(since: cursor)
    case .collections: SyncPull()
    }
  }

  public func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt {
    var receipt = SyncReceipt()
    if !batch.subscriptions.isEmpty { receipt = try await push(batch.subscriptions) }
    guard !batch.episodes.isEmpty else { return receipt }
    let actions = batch.episodes.flatMap { GPodderAction.actions(for: $0, device: device, playsOnly: false) }
    // Some states are two actions. mygpo fails if a request has more actions than it handles at once.
    for start in stride(from: 0, to: actions.count, by: Self.traits.batch) {
      let body = JSONValue.array(actions[start..<min(actions.count, start + Self.traits.batch)].map(\.json))
      let (_, value) = try await transport.upload(
        request("POST", "/api/2/episodes/\(user).json", body: body.bytes))
      receipt.renamed.merge(SubscriptionAnswer.renamed(value)) { $1 }
    }
    return receipt
  }

  // MARK: Devices

  private var loginPath: String { "/api/2/auth/\(user)/login.json" }

  private func request(_ method: String, _ path: String, body: [UInt8]? = nil) -> SyncRequest {
    var request = SyncRequest(method, path, body: body)
    request.sessionPath = loginPath
    return request
  }

  /// Checks user and password. Throws `.unauthorized` if they are wrong.
  public func login() async throws(SyncError) {
    let (answer, _) = try await transport.bytes(SyncRequest("POST", loginPath, body: []))
    // PodFetch answers 403 to a wrong password.
    if answer.status == 403 { throw .unauthorized(server: transport.server) }
    if let error = transport.error(answer) { throw error }
  }

  public func software() async -> ServerSoftware? { await ServerSoftware.gpodder(transport) }

  /// Registers this device and the shared one. mygpo answers 404 for unknown devices; other servers create them. Some
  /// have no devices, so only a wrong password is an error.
  public func registerDevice() async throws(SyncError) {
    for (id, caption) in [(Self.shared, "Earshot"), (device, caption)] {
      let body = JSONValue.object(["caption": .string(caption), "type": .string("desktop")])
      let request = request("POST", "/api/2/devices/\(user)/\(id).json", body: body.bytes)
      let (answer, _) = try await transport.bytes(request)
      if case .unauthorized(let server) = transport.error(answer) { throw .unauthorized(server: server) }
    }
  }

  /// Puts the listener's devices into one group, whose subscriptions the server keeps equal from then on. Servers
  /// without groups answer in different ways, which are ignored.
  /// - Parameter known: devices that could not join before.
  private func joinDevices(known: Set<String>) async throws(SyncError) -> Devices {
    guard var devices = try await devices() else { return Devices() }
    let new = devices.alone.filter { !known.contains($0) }
    let largest = devices.groups.max { $0.count < $1.count }
    let members = devices.alone + (largest?.prefix(1) ?? [])
    guard !new.isEmpty, members.count > 1 else { return devices }
    let body = JSONValue.object([
      "synchronize": .array([.array(members.map { .string($0) })]), "stop-synchronize": .array([]),
    ])
    // mygpo answers 500 although the devices have joined. So the groups are read again.
    _ = try await transport.bytes(request("POST", Devices.path(user), body: body.bytes))
    guard let after = try await self.devices() else { return devices }
    devices = after
    devices.new = new
    return devices
  }

  /// The listener's devices, as the server groups them.
  private struct Devices {
    var groups: [[String]] = []
    var alone: [String] = []
    /// Those that were asked to join in this sync.
    var new: [String] = []
    var all: [String] { groups.flatMap { $0 } + alone }

    static func path(_ user: String) -> String { "/api/2/sync-devices/\(user).json" }
  }

  /// Nil if the server has no groups.
  private func devices() async throws(SyncError) -> Devices? {
    let (answer, bytes) = try await transport.bytes(request("GET", Devices.path(user)))
    guard answer.status == 200, let value = JSONValue(bytes) else { return nil }
    var devices = Devices()
    devices.groups = (value["synchronized"]?.array ?? []).map { ($0.array ?? []).compactMap(\.string) }
    devices.alone = (value["not-synchronized"]?.array ?? []).compactMap(\.string)
    return devices
  }

  /// The names of devices by id.
  private func deviceNames() async throws(SyncError) -> [String: String] {
    let (answer, bytes) = try await transport.bytes(request("GET", "/api/2/devices/\(user).json"))
    guard answer.status == 200, let devices = JSONValue(bytes)?.array else { return [:] }
    var names: [String: String] = [:]
    for entry in devices {
      guard let id = entry["id"]?.string, let name = entry["caption"]?.string, !name.isEmpty else { continue }
      names[id] = name
    }
    return names
  }

  // MARK: Subscriptions

  private func pullSubscriptions(since cursor: String?) async throws(SyncError) -> SyncPull {
    let old = GPodderCursor(cursor)
    var names: [String: String] = [:]
    if old.time == nil { try await registerDevice() }
    let devices = try await joinDevices(known: old.devices)
    if old.time == nil || !devices.new.isEmpty { names = try await deviceNames() }
    // Some servers leave out changes in the same second as `since`, so the second before is requested, too.
    let since = old.time.map { max(0, $0 - 1) } ?? 0
    guard var pull = try await changes(of: Self.shared, since: since, old: cursor) else { return SyncPull() }
    let hasChanges = !pull.subscriptions.isEmpty
    // mygpo adds up the changes since then, and leaves out podcasts whose sum is zero. If the window has changes that
    // are known already, such as the last push, a later change that reverses them can only be seen without them.
    if let known = old.latest, known >= since, let later = try await changes(of: Self.shared, since: known + 1) {
      pull.add(later: later.subscriptions)
    }
    try await addLists(of: old.time == nil ? devices.all + names.keys.sorted() : devices.new, devices, to: &pull)
    pull.deviceNames = names
    var new = GPodderCursor(pull.cursor)
    new.latest = hasChanges ? new.time : nil
    new.devices = Set(devices.alone.prefix(Self.deviceLimit))
    pull.cursor = new.text ?? cursor
    return pull
  }

  /// The changes of a device's list. Nil if the server does not know the device.
  /// - Parameter cursor: the cursor of a later pull; nil for a complete one.
  private func changes(of device: String, since: Int, old cursor: String? = nil) async throws(SyncError) -> SyncPull? {
    let request = request("GET", "/api/2/subscriptions/\(user)/\(device.percentEncoded).json?since=\(since)")
    var (answer, bytes) = try await transport.bytes(request)
    if answer.status == 404, device == Self.shared {
      try await registerDevice()
      (answer, bytes) = try await transport.bytes(request)
    }
    if answer.status == 404, cursor == nil { return nil }
    if let error = transport.error(answer) { throw error }
    return try SubscriptionAnswer.pull(bytes, answer, old: cursor, server: transport.server)
  }

  /// The number of devices whose lists are read.
  private static let deviceLimit = 50

  /// Adds the podcasts of other devices. mygpo joins devices, but does not unite what they had before.
  private func addLists(
    of ids: [String], _ devices: Devices, to pull: inout SyncPull
  ) async throws(SyncError) {
    let members = devices.groups.first { $0.contains(Self.shared) } ?? []
    var listed = Set(pull.subscriptions.map { AddressKey.feed($0.url) })
    var asked: Set<String> = [Self.shared, device]
    for id in ids.prefix(Self.deviceLimit) where asked.insert(id).inserted {
      let list: [SubscriptionChange]
      do throws(SyncError) {
        guard let pull = try await changes(of: id, since: 0) else { continue }
        list = pull.subscriptions.filter(\.isSubscribed)
      } catch {
        // Only the list of this device is needed.
        guard error.isAboutOneAnswer else { throw error }
        continue
      }
      for var change in list where listed.insert(AddressKey.feed(change.url)).inserted {
        change.isElsewhere = true
        pull.subscriptions.append(change)
      }
      guard devices.new.contains(id), members.contains(id) else { continue }
      let urls = list.map(\.url)
      pull.listOfNewDevices =
        pull.listOfNewDevices.map { known in
          let keys = Set(urls.map(AddressKey.feed))
          return known.filter { keys.contains(AddressKey.feed($0)) }
        } ?? urls
    }
  }

  private func push(_ changes: [SubscriptionChange]) async throws(SyncError) -> SyncReceipt {
    let (answer, value) = try await transport.upload(
      request(
        "POST", "/api/2/subscriptions/\(user)/\(Self.shared).json", body: SubscriptionAnswer.body(changes)))
    var receipt = SyncReceipt(renamed: SubscriptionAnswer.renamed(value))
    receipt.time = SyncTime.cursor(value["timestamp"], until: answer).map(Double.init) ?? answer.time
    return receipt
  }

  // MARK: Episodes

  /// Seconds by which pulls overlap. Servers compare `since` with the time of an action, not with the time when they
  /// received it, and a device that was offline sends old actions. The weekly full sync finds actions that are even
  /// older.
  static let overlap = 30 * 86_400

  /// The actions that mygpo returns at most. A full page may end with the newest known action, and newer ones follow.
  private static let pageSize = 1000
  /// The pages of one pull. A server whose times grow with each answer would never end.
  static let maxPages = 1000

  private func pullEpisodes(since text: String?) async throws(SyncError) -> SyncPull {
    let old = GPodderCursor(text)
    var since = old.time.map { max(0, $0 - Self.overlap) } ?? 0
    let stream = ActionStream()
    var pull = SyncPull()
    var cursor = GPodderCursor(nil)
    cursor.time = old.time
    var pages = 0
    var fullest = 0
    while true {
      stream.reset()
      let answer = try await transport.send(
        request("GET", "/api/2/episodes/\(user).json?since=\(since)"), to: stream)
      // Some servers answer 404 until there is an action.
      if answer.status == 404, old.time == nil { return pull }
      if let error = transport.error(answer) { throw error }
      let page = try stream.page(from: transport.server)
      pages += 1
      pull.clockOffset = answer.clockOffset
      let timestamp = SyncTime.cursor(page["timestamp"], until: answer) ?? 0
      let latest = max(cursor.time ?? 0, timestamp, answer.date.map { Int($0) } ?? 0)
      cursor.time = min(latest, Int(answer.time) + 1)
      // mygpo returns pages, and `timestamp` is the time of a page's last action. gpodder-fastapi-router returns
      // everything at once, but its `timestamp` is the time of the last action, too. So another page is requested,
      // unless nothing is new.
      let isKnown = pages == 1 && stream.count < Self.pageSize && Int(stream.newest) == old.latest
      guard stream.count > 0, !isKnown, Double(timestamp) <= stream.newest + 1 else { break }
      if timestamp > since {
        since = timestamp
      } else if timestamp == since, stream.count > 1, stream.count >= fullest {
        // All actions of this page are from the same second. More actions of that second cannot be requested.
        since += 1
      } else {
        break
      }
      fullest = max(fullest, stream.count)
      if pages == Self.maxPages {
        // The next pull continues here.
        cursor.time = min(cursor.time ?? 0, since + Self.overlap)
        break
      }
    }
    cursor.latest = Int(stream.newest)
    pull.episodes = stream.reducer.result
    pull.cursor = cursor.text
    return pull
  }

  public func cursor(
    _ category: SyncCategory, _ cursor: String?, pushed newest: Double
  ) throws(SyncError) -> String? {
    var cursor = GPodderCursor(cursor)
    cursor.latest = max(cursor.latest ?? 0, Int(newest))
    return cursor.text
  }
}

/// Where the next pull begins.
struct GPodderCursor {
  /// The server's time of the last pull, in seconds since 1970.
  var time: Int?
  /// Of subscriptions, the time up to which that pull or a push changed something. Nil: nothing has changed. Of
  /// episodes, the time of the newest action.
  var latest: Int?
  /// Devices that are in no group and were asked to join.
  var devices: Set<String> = []

  init(_ text: String?) {
    let parts = (text ?? "").split(separator: " ")
    time = parts.first.flatMap { Int($0) }
    guard parts.count > 1 else { return }
    latest = Int(parts[1])
    devices = Set(parts.dropFirst(2).map(String.init))
  }

  var text: String? {
    guard let time else { return nil }
    guard latest != nil || !devices.isEmpty else { return "\(time)" }
    let devices = devices.filter { !$0.isEmpty && !$0.contains(" ") }.sorted()
    return (["\(time)", latest.map { "\($0)" } ?? "-"] + devices).joined(separator: " ")
  }
}

/// Parses lists of added and removed feeds of gpodder servers and Nextcloud.
enum SubscriptionAnswer {
  static func pull(
    _ bytes: [UInt8], _ answer: SyncAnswer, old cursor: String?, server: String
  ) throws(SyncError) -> SyncPull {
    guard let value = JSONValue(bytes) else {
      throw .malformed(server: server, cause: "the list of subscriptions is not JSON")
    }
    // gpodder2go writes null for an empty list.
    func list(_ key: String) throws(SyncError) -> [JSONValue] {
      if value["timestamp"] != nil || value["add"] != nil || value["remove"] != nil {
        switch value[key] {
        case nil, .null: return []
        case .array(let list): return list
        default: break
        }
      }
      throw .malformed(server: server, cause: "it has no lists of added and removed feeds")
    }
    let (added, removed) = (try list("add"), try list("remove"))
    func addresses(_ list: [JSONValue]) -> [String] {
      // opodsync sometimes writes an object instead of a text.
      list.compactMap { ($0.string ?? $0["url"]?.string ?? $0["feed"]?.string).map(SyncAddress.received) }
    }
    let (add, remove) = (addresses(added), addresses(removed))
    // gpodder-fastapi-router lists a feed that was removed and added again in both.
    let again = Set(add)
    var pull = SyncPull()
    pull.subscriptions =
      add.map { SubscriptionChange(url: $0, isSubscribed: true) }
      + remove.filter { !again.contains($0) }.map { SubscriptionChange(url: $0, isSubscribed: false) }
    pull.cursor = SyncTime.cursor(value["timestamp"], until: answer).map { String($0) } ?? cursor
    pull.clockOffset = answer.clockOffset
    return pull
  }

  /// Both lists are always written, because some servers answer 500 without one.
  static func body(_ changes: [SubscriptionChange]) -> [UInt8] {
    func list(_ isSubscribed: Bool) -> JSONValue {
      .array(changes.filter { $0.isSubscribed == isSubscribed }.map { .string($0.url) })
    }
    return JSONValue.object(["add": list(true), "remove": list(false)]).bytes
  }

  /// `update_urls`: addresses that the server has changed, with the new address. Nil: the server refuses the address.
  static func renamed(_ value: JSONValue) -> [String: String?] {
    var renamed: [String: String?] = [:]
    for pair in value["update_urls"]?.array ?? [] {
      guard let pair = pair.array, pair.count == 2, let old = pair[0].string else { continue }
      let new = pair[1].string.map(SyncAddress.received) ?? ""
      if new != old { renamed[old] = .some(new.isEmpty ? nil : new) }
    }
    return renamed
  }
}
