import Foundation
import Model
import Seeded

@testable import Sync
@testable import SyncBackends

/// Some devices of one listener, with wrong clocks, bad networks and a server with quirks, or folders that something copies
/// badly. What the listener does is known, and what must come of it.
final class SimulatedWorld {
  struct Device {
    var store: MemoryStore
    var backend: any SyncBackend
    var transport: ModelTransport?
    var folder: String?
    /// Seconds that its clock is ahead.
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
  /// What the listener did last, and where.
  private var latest: [String: (mark: EpisodeMark, device: Int)] = [:]
  private var removed: Set<String> = []
  private var everSubscribed: Set<String> = []
  private var lastSubscription: [String: (isSubscribed: Bool, device: Int)] = [:]
  private var subscribers: [String: Set<Int>] = [:]
  let hasTrueClocks: Bool

  /// - Parameter kind: of the server; nil: a folder.
  init(seed: UInt64, kind: ServerModel.Kind?) throws {
    random = SplitMix64(seed: seed)
    self.kind = kind
    model = ServerModel(kind ?? .opodsync)
    directory = kind == nil ? Self.temporary + "/earshot-sync-\(UUID().uuidString)" : nil
    podcasts = (1...Int.random(in: 2...6, using: &random)).map { "https://feeds.example/\($0)" }
    hasTrueClocks = Bool.random(using: &random)
    for number in 0..<Int.random(in: 2...5, using: &random) {
      let skew = hasTrueClocks ? 0 : Double.random(in: -86_000...86_000, using: &random)
      let name = "device-\(number)"
      var device = Device(
        store: MemoryStore(device: name), backend: FolderBackend(path: "", device: "", name: ""), skew: skew)
      if let directory {
        let folder = "\(directory)/\(number)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let backend = FolderBackend(path: folder, device: name, name: name)
        try backend.create()
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

  /// In memory where there is such a place: every line is flushed to the disk.
  private static let temporary = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()

  deinit {
    if let directory { try? FileManager.default.removeItem(atPath: directory) }
  }

  private func clock(_ device: Device) -> SyncClock {
    SyncClock(offset: -device.skew, step: device.backend.traits.timeStep, now: now + device.skew)
  }

  /// Two full libraries at the beginning, some dozen things after that.
  func live() async {
    for index in devices.indices where chance(0.7) {
      for _ in 0..<Int.random(in: 1...8, using: &random) { act(index) }
    }
    for _ in 0..<Int.random(in: 10...40, using: &random) {
      let index = Int.random(in: devices.indices, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: act(index)
      case 5..<8: if !devices[index].isOffline { await sync(index, isFlaky: chance(0.4)) }
      case 8: devices[index].isOffline.toggle()
      default:
        devices[index].store.refresh(clock(devices[index]))
        carry(isFlaky: true)
      }
      now +=
        chance(0.05)
        ? Double.random(in: 86_400...1_000_000, using: &random) : Double.random(in: 3...4000, using: &random)
    }
  }

  /// The network is well, and everybody syncs a few times. What a device tells late, of more than a month ago, the others
  /// hear when they ask for everything again, a week later.
  func settle() async {
    for round in 0..<6 {
      if round % 3 == 0 { now += 8 * 86_400 }
      for index in devices.indices {
        devices[index].isOffline = false
        devices[index].store.refresh(clock(devices[index]))
        carry(isFlaky: false)
        await sync(index, isFlaky: false)
        carry(isFlaky: false)
        devices[index].store.refresh(clock(devices[index]))
        now += 600
      }
    }
  }

  private func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

  // MARK: The listener

  private func act(_ index: Int) {
    now += Double.random(in: 3...60, using: &random)
    let time = now + devices[index].skew
    let store = devices[index].store
    let url = podcasts.randomElement(using: &random)!
    guard store.subscriptions[url]?.isSubscribed == true else {
      store.subscribe(url, true, at: time)
      note(url, true, index)
      return
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      store.subscribe(url, false, at: time)
      note(url, false, index)
    case 1, 2:
      var queue = store.queue
      let item = MemoryStore.episode(url, Int.random(in: 1...3, using: &random))
      if let place = queue.firstIndex(of: item) { queue.remove(at: place) }
      if chance(0.7) { queue.insert(item, at: Int.random(in: 0...queue.count, using: &random)) }
      store.setQueue(queue, at: time)
    default:
      let episode = MemoryStore.episode(url, Int.random(in: 1...3, using: &random))
      let status = [EpisodeStatus.new, .paused, .paused, .paused, .played, .deleted].randomElement(using: &random)!
      let mark = EpisodeMark(status, position: Double(Int.random(in: 1...1799, using: &random)), isWhole: true)
      store.mark(episode, mark, at: time)
      latest[episode] = (mark, index)
    }
  }

  private func note(_ url: String, _ isSubscribed: Bool, _ index: Int) {
    if isSubscribed { everSubscribed.insert(url) } else { removed.insert(url) }
    lastSubscription[url] = (isSubscribed, index)
    subscribers[url, default: []].insert(index)
  }

  // MARK: Sync

  private func sync(_ index: Int, isFlaky: Bool) async {
    let device = devices[index]
    device.transport?.now = now
    // Broken, or killed, at one of its requests.
    var left = isFlaky ? Int.random(in: 0...5, using: &random) : .max
    let fault = [ModelTransport.Fault.noConnection, .lostAnswer, .internalError].randomElement(using: &random)!
    device.transport?.fault = {
      left -= 1
      return left < 0 ? fault : .none
    }
    let isFull = now - device.lastFull > 7 * 86_400
    let time = now + device.skew
    let run = SyncRun(backend: device.backend, unites: !device.isUnited, isFull: isFull) { time }
    let report = await run.perform(on: device.store)
    guard report.isComplete else { return }
    devices[index].isUnited = true
    if isFull { devices[index].lastFull = now }
  }

  /// What copies folders: in any order, some files, some of them half, some twice.
  private func carry(isFlaky: Bool) {
    let manager = FileManager.default
    let folders = devices.compactMap { device in device.folder.map { ($0, device.store.device) } }
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

  // MARK: What must be so

  /// What is wrong, in words; nothing: all devices are alike, and have what the listener did last.
  func faults() -> [String] {
    var faults: [String] = []
    for url in podcasts {
      let states = devices.map { $0.store.subscriptions[url]?.isSubscribed ?? false }
      if Set(states).count > 1 { faults.append("\(url): subscribed \(states)") }
      if everSubscribed.contains(url), !removed.contains(url), states.contains(false) {
        faults.append("\(url) was unsubscribed from by nobody")
      }
      // Where one device alone decided, its last word counts.
      if subscribers[url]?.count == 1, let last = lastSubscription[url], states.contains(!last.isSubscribed) {
        faults.append("\(url): the last word was \(last.isSubscribed), and it is \(states)")
      }
      guard states.allSatisfy({ $0 }) else { continue }
      for number in 1...3 {
        let episode = MemoryStore.episode(url, number)
        let marks = devices.map { $0.store.episodes[episode]?.value }
        if Set(marks).count > 1 { faults.append("\(episode): \(marks)") }
        // A folder has no clock of its own: with wrong clocks it only promises that all agree.
        if let wanted = latest[episode], kind != nil || hasTrueClocks, marks[0] != wanted.mark {
          faults.append("\(episode): the listener's last was \(wanted), and it is \(String(describing: marks[0]))")
        }
      }
    }
    let queues = devices.map(\.store.queue)
    if kind == nil, Set(queues).count > 1 { faults.append("queues: \(queues)") }
    return faults
  }
}
