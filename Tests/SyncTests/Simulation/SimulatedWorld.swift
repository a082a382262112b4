import Foundation
import Model
import Seeded

@testable import Sync
@testable import SyncBackends

/// Devices of one listener, with wrong clocks, bad networks and a server with quirks, or folders that are copied
/// unreliably. The listener's actions are known, and so is the expected result.
final class SimulatedWorld {
  struct Device {
    var name: String
    var store: any SimulatedStore
    var backend: any SyncBackend
    var transport: ModelTransport?
    var folder: String?
    /// Seconds by which its clock is ahead.
    var skew: Double
    var isOffline = false
    var isUnited = false
    var lastFull = -1e9
  }

  private var random: SplitMix64
  let kind: ServerModel.Kind?
  private(set) var now = 1_700_000_000.0
  var devices: [Device] = []
  private let model: ServerModel
  private let directory: String?
  private let podcasts: [String]
  /// The listener's last action for each episode, and its device.
  private var latest: [String: (mark: EpisodeMark, device: Int)] = [:]
  /// Whether each action on an episode or subscription was done on a device that knew the one before. Then the last
  /// action wins, whatever the clocks say.
  private var isChain: [String: Bool] = [:]
  /// The devices that know the last action on an episode or subscription.
  private var informed: [String: Set<Int>] = [:]
  /// Last actions that have reached a server.
  private var published: Set<String> = []
  /// The last change of each queue item: added or moved (true), or removed (false).
  private var queued: [String: Bool] = [:]
  private var removed: Set<String> = []
  private var everSubscribed: Set<String> = []
  private var lastSubscription: [String: (isSubscribed: Bool, device: Int)] = [:]
  private var subscribers: [String: Set<Int>] = [:]
  let hasTrueClocks: Bool
  private let isReal: Bool
  /// A log of what happened, for debugging.
  private var trace: [String] = []
  private static let traces = ProcessInfo.processInfo.environment["EARSHOT_SYNC_TRACE"] != nil

  /// - Parameters:
  /// - kind: the kind of the server; nil for a folder.
  /// - isReal: uses real libraries.
  init(seed: UInt64, kind: ServerModel.Kind?, isReal: Bool = false) throws {
    random = SplitMix64(seed: seed)
    self.kind = kind
    self.isReal = isReal
    model = ServerModel(kind ?? .opodsync, page: Int.random(in: 3...60, using: &random))
    directory = kind == nil || isReal ? Self.temporary + "/earshot-sync-\(UUID().uuidString)" : nil
    podcasts = (1...Int.random(in: 2...6, using: &random)).map { "https://feeds.example/\($0)" }
    hasTrueClocks = Bool.random(using: &random)
    for number in 0..<Int.random(in: 2...5, using: &random) {
      let skew = hasTrueClocks ? 0 : Double.random(in: -86_000...86_000, using: &random)
      let name = "device-\(number)"
      var store: any SimulatedStore = MemoryStore(device: name)
      if isReal, let directory {
        let library = try LibraryStore(directory: "\(directory)/library-\(number)")
        try library.logIn(kind: kind?.backend.kind ?? FolderBackend.kind, device: name)
        store = library
      }
      var device = Device(
        name: name, store: store, backend: FolderBackend(path: "", device: "", name: "", library: ""), skew: skew)
      if kind == nil, let directory {
        let folder = "\(directory)/\(number)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let backend = FolderBackend(path: folder, device: name, name: name, library: name)
        try SyncFolderFiles(path: folder, device: name, name: name, library: name).create()
        device.folder = folder
        device.backend = backend
      } else {
        let transport = ModelTransport(model, skew: skew)
        device.transport = transport
        device.backend =
          kind == .nextcloud
          ? NextcloudBackend(transport: transport)
          : GPodderBackend(transport: transport, user: "listener", device: name, caption: name)
      }
      devices.append(device)
    }
  }

  /// In memory where possible, because every line is flushed to the disk.
  private static let temporary = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()

  deinit {
    // Kept for debugging.
    if ProcessInfo.processInfo.environment["EARSHOT_SYNC_KEEP"] != nil { return }
    if let directory { try? FileManager.default.removeItem(atPath: directory) }
  }

  private func clock(_ device: Device) -> SyncClock {
    SyncClock(offset: -device.skew, step: device.backend.traits.timeResolution, now: now + device.skew)
  }

  /// Starts with two full libraries, followed by some dozen actions.
  func live() async throws {
    for index in devices.indices where chance(0.7) {
      for _ in 0..<Int.random(in: 1...8, using: &random) { try act(index) }
    }
    for _ in 0..<Int.random(in: 10...40, using: &random) {
      let index = Int.random(in: devices.indices, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: if chance(0.05) { actElsewhere() } else { try act(index) }
      case 5..<8: if !devices[index].isOffline { try await sync(index, isFlaky: chance(0.4)) }
      case 8: devices[index].isOffline.toggle()
      default:
        try devices[index].store.refresh(clock(devices[index]))
        carry(isFlaky: true)
      }
      now +=
        chance(0.05)
        ? Double.random(in: 86_400...1_000_000, using: &random) : Double.random(in: 3...4000, using: &random)
    }
  }

  /// The network works, and all devices sync a few times. Late changes from more than a month ago arrive a week
  /// later, when the devices request everything again.
  func settle() async throws {
    for round in 0..<6 {
      if round % 3 == 0 { now += 8 * 86_400 }
      for index in devices.indices {
        devices[index].isOffline = false
        try devices[index].store.refresh(clock(devices[index]))
        carry(isFlaky: false)
        try await sync(index, isFlaky: false)
        carry(isFlaky: false)
        try devices[index].store.refresh(clock(devices[index]))
        now += 600
      }
    }
  }

  /// The server loses everything. Afterwards the devices sync again, one after the other.
  /// - Returns: what the server did not get again.
  func reinstallServer() async throws -> [String] {
    let before = model.subscribed
    let episodes = model.episodes.filter { episode in before.contains { episode.hasPrefix($0 + "/") } }
    model.empty()
    try await settle()
    return before.subtracting(model.subscribed).sorted() + episodes.subtracting(model.episodes).sorted()
      + model.subscribed.subtracting(before).map { "\($0) was unsubscribed from" }
  }

  private func note(_ text: @autoclosure () -> String) {
    guard Self.traces else { return }
    trace.append("\(Int(now - 1_700_000_000)) \(text())")
  }

  private func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

  // MARK: The listener

  private func act(_ index: Int) throws {
    now += Double.random(in: 3...60, using: &random)
    let time = now + devices[index].skew
    let store = devices[index].store
    let url = podcasts.randomElement(using: &random)!
    guard try store.isSubscribed(url) else { return try subscribe(url, true, index, at: time) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: try subscribe(url, false, index, at: time)
    case 1, 2: try queue(MemoryStore.episode(url, Int.random(in: 1...3, using: &random)), index, at: time)
    default:
      let episode = MemoryStore.episode(url, Int.random(in: 1...3, using: &random))
      let status = [EpisodeStatus.new, .paused, .paused, .paused, .played, .deleted].randomElement(using: &random)!
      let before = try store.mark(of: episode)
      // An action that changes nothing is skipped.
      if status != .paused, (before?.status ?? .new) == status { return }
      let mark = EpisodeMark(status, position: Double(Int.random(in: 1...1799, using: &random)), isWhole: true)
      try store.mark(episode, mark, at: time)
      guard let mark = try store.mark(of: episode) else { return }
      chain(episode, index)
      latest[episode] = (mark, index)
      note("\(index) marks \(episode) \(mark.status) \(mark.position), was \(before.map { "\($0)" } ?? "untouched")")
    }
  }

  /// An action of another program of the listener.
  private func actElsewhere() {
    guard kind != nil, let url = podcasts.randomElement(using: &random), model.subscribed.contains(url) else { return }
    now += Double.random(in: 3...60, using: &random)
    let episode = MemoryStore.episode(url, Int.random(in: 1...3, using: &random))
    let position = Int.random(in: 1...1799, using: &random)
    model.recordForeign(episode: episode, podcast: url, position: position, now: now)
    chain(episode, -1)
    published.insert(episode)
    latest[episode] = (EpisodeMark(.paused, position: Double(position), isWhole: true), -1)
  }

  /// Records an action, and whether its device knew the one before.
  private func chain(_ name: String, _ index: Int) {
    isChain[name] = isChain[name, default: true] && informed[name]?.contains(index) ?? true
    informed[name] = [index]
    published.remove(name)
  }

  /// Called after a complete sync with a server: the device knows the server's actions, and the server has the
  /// device's.
  private func spread(_ index: Int) {
    guard kind != nil else { return }
    for name in informed.keys {
      if informed[name]?.contains(index) == true { published.insert(name) }
      if published.contains(name) { informed[name]?.insert(index) }
    }
  }

  private func queue(_ item: String, _ index: Int, at time: Double) throws {
    let old = try devices[index].store.queue()
    var new = old
    if let place = new.firstIndex(of: item) { new.remove(at: place) }
    if chance(0.7) { new.insert(item, at: Int.random(in: 0...new.count, using: &random)) }
    guard new != old else { return }
    let changed = try devices[index].store.setQueue(new, at: time)
    for name in changed { queued[name] = new.contains(name) }
  }

  private func subscribe(_ url: String, _ isSubscribed: Bool, _ index: Int, at time: Double) throws {
    try devices[index].store.subscribe(url, isSubscribed, at: time)
    chain(url, index)
    if isSubscribed { everSubscribed.insert(url) } else { removed.insert(url) }
    lastSubscription[url] = (isSubscribed, index)
    note("\(index) subscribes \(url) \(isSubscribed)")
    subscribers[url, default: []].insert(index)
  }

  // MARK: Sync

  private func sync(_ index: Int, isFlaky: Bool) async throws {
    let device = devices[index]
    device.transport?.now = now
    // The sync breaks or is killed at one of its requests.
    var left = isFlaky ? Int.random(in: 0...5, using: &random) : .max
    let fault = ModelTransport.Fault.allCases.filter { $0 != .none }.randomElement(using: &random)!
    device.transport?.fault = {
      left -= 1
      return left < 0 ? fault : .none
    }
    let isFull = now - device.lastFull > 7 * 86_400
    let time = now + device.skew
    let run = SyncRun(backend: device.backend, isFirstSync: !device.isUnited, isFull: isFull, pause: { _ in }) { time }
    try device.store.beginRun()
    let before = try podcasts.filter { try device.store.isSubscribed($0) }
    let report = await run.perform(on: device.store)
    let after = try podcasts.filter { try device.store.isSubscribed($0) }
    note("\(index) syncs full \(isFull) isFirstSync \(!device.isUnited) \(report.errors) \(fault) \(before) → \(after)")
    device.transport?.requests.forEach { note("  \($0)") }
    device.transport?.requests = []
    guard report.isComplete else { return }
    spread(index)
    devices[index].isUnited = true
    if isFull { devices[index].lastFull = now }
  }

  /// Copies the folders unreliably: in any order, some files, some only in part, some twice.
  private func carry(isFlaky: Bool) {
    let manager = FileManager.default
    let folders = devices.compactMap { device in device.folder.map { ($0, device.name) } }
    for (source, device) in folders {
      let own = source + "/earshot-sync/" + device
      for (target, other) in folders where other != device {
        if isFlaky, chance(0.3) { continue }
        let copy = target + "/earshot-sync/" + device
        if !isFlaky { try? manager.removeItem(atPath: copy) }
        try? manager.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for name in (try? manager.contentsOfDirectory(atPath: own)) ?? [] {
          guard let data = manager.contents(atPath: own + "/" + name) else { continue }
          let isHalf = isFlaky && chance(0.2)
          let piece = isHalf ? data.prefix(Int.random(in: 0...data.count, using: &random)) : data
          let isDouble = isFlaky && chance(0.1)
          let shown = isDouble ? name.replacingOccurrences(of: ".jsonl", with: " (conflicted copy).jsonl") : name
          try? piece.write(to: URL(fileURLWithPath: copy + "/" + shown))
        }
      }
    }
  }

  // MARK: Expected result

  /// Descriptions of what is wrong. Empty when all devices agree and have the listener's last actions.
  func faults() throws -> [String] {
    var faults: [String] = []
    if Self.traces { print(trace.joined(separator: "\n")) }
    for url in podcasts {
      let states = try devices.map { try $0.store.isSubscribed(url) }
      if Set(states).count > 1 { faults.append("\(url): subscribed \(states)") }
      if everSubscribed.contains(url), !removed.contains(url), states.contains(false) {
        faults.append("\(url) was unsubscribed from by nobody")
      }
      // If only one device made changes, or each device knew the change before, the last change wins.
      if subscribers[url]?.count == 1 || isChain[url] == true, let last = lastSubscription[url],
        states.contains(!last.isSubscribed)
      {
        faults.append("\(url): the last word was \(last), and it is \(states)")
      }
      guard states.allSatisfy({ $0 }) else { continue }
      for number in 1...3 { try faults += self.faults(of: MemoryStore.episode(url, number)) }
    }
    guard kind == nil else { return faults }
    // An item whose feed was unsubscribed before it arrived waits for that feed.
    let left = try podcasts.filter { url in try !devices.allSatisfy { try $0.store.isSubscribed(url) } }
    let waiting = isReal ? left : []
    let queues = try devices.map { device in
      try device.store.queue().filter { item in !waiting.contains { item.hasPrefix($0 + "/") } }
    }
    if Set(queues).count > 1 { faults.append("queues: \(queues)") }
    // In a real library a played episode leaves the queue, and one without a subscription may wait for its feed.
    for (item, isQueued) in queued where hasTrueClocks && !isReal && queues[0].contains(item) != isQueued {
      faults.append("\(item) was last \(isQueued ? "queued" : "taken out"), and the queue is \(queues[0])")
    }
    return faults
  }

  private func faults(of episode: String) throws -> [String] {
    let marks = try devices.map { try $0.store.mark(of: episode) }
    if Set(marks).count > 1 { return ["\(episode): \(marks)"] }
    // A folder has no clock of its own. With wrong clocks the last action wins only where the ones before were known.
    guard let wanted = latest[episode], kind != nil || hasTrueClocks || isChain[episode] == true,
      marks[0] != wanted.mark
    else { return [] }
    return ["\(episode): the listener's last was \(wanted), and it is \(String(describing: marks[0]))"]
  }
}
