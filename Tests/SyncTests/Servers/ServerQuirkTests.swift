import Foundation
import HTTP
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import Services
@testable import Sync
@testable import SyncBackends

/// What servers do with what they were sent: sums of the history, groups that are not united, limits, and losses.
@Suite struct ServerQuirkTests {
  private static let feed = "http://p.example/f"

  @Test(arguments: [
    ("https://a.example/b?u=https%253A%252F%252Fx", "https://a.example/b?u=https%3A%2F%2Fx", true),
    ("https://a.example/b?q=a%2Bb", "https://a.example/b?q=a+b", false),
    ("https://a.example/b?q=%26%3D", nil, false), ("https://a.example/%2525", nil, false),
    ("https://a.example/b?q=%25", "https://a.example/b?q=%", false),
    ("https://a.example/b?a=%253A&b=%20", "https://a.example/b?a=%3A&b=%20", false),
  ])
  func encodingOfAServerIsReversed(url: String, original: String?, isTwice: Bool) {
    #expect(SyncAddress.unescaped(url) == original)
    #expect(SyncAddress.isEncodedTwice(url) == isTwice)
  }

  // MARK: Sums of the history

  private final class Device {
    let store: MemoryStore
    let transport: ModelTransport
    var isUnited = false
    init(_ name: String, _ model: ServerModel) {
      store = MemoryStore(device: name)
      transport = ModelTransport(model, skew: 0)
    }

    func sync(at time: Double, isFull: Bool = false) async {
      transport.now = time
      let backend = GPodderBackend(transport: transport, user: "u", device: store.device, caption: store.device)
      let report = await SyncRun(
        backend: backend, isFirstSync: !isUnited, isFull: isFull, pause: { _ in }, now: { time }
      ).perform(on: store)
      #expect(report.errors == [])
      isUnited = true
    }
  }

  /// The device's own push and the later change of another device add up to zero in the next answer.
  @Test(arguments: [true, false], [false, true]) func reversalByAnotherDeviceIsSeen(
    isSubscribed: Bool, isFull: Bool
  ) async {
    let model = ServerModel(.mygpo)
    let (here, there) = (Device("here", model), Device("there", model))
    var time = 1_700_000_000.5
    if !isSubscribed { here.store.subscribe(Self.feed, true, at: time) }
    for device in [here, there] { await device.sync(at: time) }
    time += 10
    here.store.subscribe(Self.feed, isSubscribed, at: time)
    await here.sync(at: time)
    time += 3
    await there.sync(at: time)
    #expect(there.store.isSubscribed(Self.feed) == isSubscribed)
    there.store.subscribe(Self.feed, !isSubscribed, at: time)
    await there.sync(at: time)
    time += 3
    await here.sync(at: time, isFull: isFull)
    #expect(here.store.isSubscribed(Self.feed) == !isSubscribed)
    #expect(model.subscribed.contains(Self.feed) == !isSubscribed)
  }

  /// The change was already received, and the next window begins a second before the last one ended.
  @Test func reversalInTheNextWindowIsSeen() async {
    let model = ServerModel(.mygpo)
    let (here, there) = (Device("here", model), Device("there", model))
    for device in [here, there] { await device.sync(at: 1_700_000_000) }
    there.store.subscribe(Self.feed, true, at: 1_700_000_100.2)
    await there.sync(at: 1_700_000_100.2)
    await here.sync(at: 1_700_000_100.6)
    #expect(here.store.isSubscribed(Self.feed))
    there.store.subscribe(Self.feed, false, at: 1_700_000_103)
    await there.sync(at: 1_700_000_103)
    await here.sync(at: 1_700_000_110)
    #expect(!here.store.isSubscribed(Self.feed))
  }

  // MARK: Groups

  /// A server that joins devices, answers 500, and does not unite their lists.
  private final class Groups: Sendable {
    let state = Mutex((lists: ["earshot": [String]()], alone: ["earshot"], joined: [String](), posts: 0))
    let server: LoopbackServer

    init() throws {
      server = try LoopbackServer { _ in .status(404) }
      server.route("/api/2/devices/me.json", .text(#"[{"id":"phone","caption":"Phone"}]"#))
      server.route("/api/2/sync-devices/me.json") { [unowned self] request in
        state.withLock { state in
          if request.method == "POST" {
            state.posts += 1
            state.joined = Array(Set(state.joined + state.alone)).sorted()
            state.alone = []
            return .status(500)
          }
          let value = JSONValue.object([
            "synchronized": .array(state.joined.isEmpty ? [] : [.array(state.joined.map { .string($0) })]),
            "not-synchronized": .array(state.alone.map { .string($0) }),
          ])
          return .text(value.text)
        }
      }
    }

    func add(_ device: String, _ list: [String]) {
      state.withLock { state in
        state.lists[device] = list
        state.alone.append(device)
      }
      let text = JSONValue.object([
        "add": .array(list.map { .string($0) }), "remove": .array([]), "timestamp": .number(1_700_000_000),
      ]).text
      server.route("/api/2/subscriptions/me/\(device).json", .text(text))
    }
  }

  @Test func listsOfOtherDevicesAreRead() async throws {
    let groups = try Groups()
    groups.add("earshot", ["http://p.example/ours"])
    groups.add("phone", ["http://p.example/1"])
    let backend = try MannersTests.backend(groups.server)
    let first = try await backend.pull(.subscriptions, since: nil)
    #expect(first.subscriptions.map(\.url) == ["http://p.example/ours", "http://p.example/1"])
    #expect(first.subscriptions.map(\.isElsewhere) == [false, true])
    // Ours must be sent for the phone, too.
    #expect(first.listOfNewDevices == ["http://p.example/1"])
    let quiet = try await backend.pull(.subscriptions, since: first.cursor)
    #expect(quiet.listOfNewDevices == nil && !quiet.subscriptions.contains { $0.isElsewhere })
    #expect(groups.state.withLock { $0.posts } == 1)
    groups.add("tablet", ["http://p.example/ours", "http://p.example/2"])
    let later = try await backend.pull(.subscriptions, since: quiet.cursor)
    #expect(later.subscriptions.filter(\.isElsewhere).map(\.url) == ["http://p.example/2"])
    #expect(groups.state.withLock { $0.posts } == 2)
  }

  /// A server that knows the request, but joins nothing.
  @Test func deviceThatCannotJoinIsAskedOnce() async throws {
    let server = try LoopbackServer { request in
      request.path.contains("sync-devices")
        ? .text(#"{"synchronized":[],"not-synchronized":["earshot","phone"]}"#)
        : .text(#"{"add":[],"remove":[],"timestamp":1700000000}"#)
    }
    let backend = try MannersTests.backend(server)
    let first = try await backend.pull(.subscriptions, since: nil)
    _ = try await backend.pull(.subscriptions, since: first.cursor)
    #expect(server.requests.count { $0.method == "POST" && $0.path.contains("sync-devices") } == 1)
  }

  // MARK: Pushes

  /// `new` and `deleted` are two actions each.
  @Test func requestHasAtMostAHundredActions() async throws {
    let server = try LoopbackServer { _ in .text(#"{"timestamp":5,"update_urls":[]}"#) }
    var batch = SyncBatch()
    batch.episodes = (0..<100).map { number in
      EpisodeChange(
        episode: EpisodeReference(podcast: Self.feed, guid: nil, mediaURL: "http://p.example/\(number).mp3"),
        mark: EpisodeMark(.new, position: 0, isWhole: true), time: 1_714_557_600)
    }
    _ = try await MannersTests.backend(server).push(batch)
    #expect(server.requests.map { JSONValue($0.body)?.array?.count } == [100, 100])
  }

  /// mygpo drops a play with the start and the position of an older one.
  @Test(arguments: [nil, 1, 2, 500, -3] as [Double?], [1.0, 2])
  func playWithAnUnknownStartIsNeverARepetition(start: Double?, position: Double) throws {
    var change = EpisodeChange(
      episode: EpisodeReference(podcast: Self.feed, guid: nil, mediaURL: "http://p.example/1.mp3"),
      mark: EpisodeMark(.paused, position: position, isWhole: true), time: 1_714_557_600, started: start, total: 1800)
    var starts: Set<Int> = []
    for repeats in 0..<200 {
      change.repeats = repeats
      let action = try #require(GPodderAction.actions(for: change, device: nil, playsOnly: false).first)
      #expect(action.change?.mark == change.mark)
      starts.insert(try #require(action.started))
    }
    let isKnown = start == 1 && position == 2
    #expect(starts.count == (isKnown ? 1 : 200) && starts.min() == (isKnown ? 1 : Int(position)))
  }

  private func store() -> MemoryStore {
    let store = MemoryStore(device: "here")
    let now = Date().timeIntervalSince1970
    store.subscribe(Self.feed, true, at: now)
    for number in 1...3 {
      store.mark(MemoryStore.episode(Self.feed, number), EpisodeMark(.played, position: 0, isWhole: true), at: now)
    }
    return store
  }

  /// SQLite is busy for a moment while another client writes.
  @Test(arguments: ["GET", "POST"]) func busyServerIsAskedAgain(method: String) async throws {
    let answers = Mutex(0)
    let server = try LoopbackServer { request in
      guard request.method == method, request.path.contains("/episodes/") else {
        return .text(#"{"add":[],"remove":[],"actions":[],"timestamp":1700000500}"#)
      }
      let number = answers.withLock { answers in
        answers += 1
        return answers
      }
      return number == 1
        ? .status(500, text: "database is locked") : .text(#"{"actions":[],"timestamp":1700000500}"#)
    }
    let pauses = Mutex<[Double]>([])
    let report = await SyncRun(
      backend: try MannersTests.backend(server), pause: { time in pauses.withLock { $0.append(time) } },
      now: { Date().timeIntervalSince1970 }
    ).perform(on: store())
    #expect(report.errors == [] && report.problems == [] && report.pushed.episodes == 3)
    // HTTPClient itself repeats a GET after a pause.
    #expect(pauses.withLock { $0 } == (method == "GET" ? [] : [1]))
  }

  @Test func refusalIsSaidOnceWithItsCount() async throws {
    let server = try LoopbackServer { request in
      let body = String(decoding: request.body, as: UTF8.self)
      if request.method == "POST", body.contains("/1.mp3") || body.contains("/2.mp3") { return .status(400) }
      return .text(#"{"add":[],"remove":[],"actions":[],"timestamp":1700000500}"#)
    }
    let report = await SyncRun(
      backend: try MannersTests.backend(server), pause: { _ in }, now: { Date().timeIntervalSince1970 }
    ).perform(on: store())
    #expect(report.problems.count == 1 && report.problems.first?.hasSuffix("status 400 (2 times)") == true)
    #expect(report.pushed.episodes == 1)
  }

  /// A server that stores the actions that `keeps` names.
  private func checked(
    isFull: Bool = true, _ keeps: @escaping @Sendable (String) -> Bool
  ) async throws -> SyncRun.Report {
    let stored = Mutex<[JSONValue]>([])
    let server = try LoopbackServer { request in
      guard request.path.contains("/episodes/") else { return .text(#"{"add":[],"remove":[],"timestamp":1700000500}"#) }
      return stored.withLock { stored in
        if request.method == "POST" {
          stored += (JSONValue(request.body)?.array ?? []).filter { keeps($0["episode"]?.string ?? "") }
        }
        return .text(JSONValue.object(["actions": .array(stored), "timestamp": .number(1_700_000_500)]).text)
      }
    }
    return await SyncRun(
      backend: try MannersTests.backend(server), isFull: isFull, pause: { _ in }, now: { Date().timeIntervalSince1970 }
    ).perform(on: store())
  }

  @Test func serverThatForgetsIsNamed() async throws {
    #expect(try await checked { _ in true }.notice == "")
    #expect(try await checked { !$0.hasSuffix("/2.mp3") }.notice?.contains("1 of 3 positions") == true)
    let forgetful = try await checked { _ in false }
    #expect(forgetful.errors == [] && forgetful.notice?.contains("does not keep positions") == true)
    #expect(forgetful.problems == [forgetful.notice])
    // Not with each sync.
    #expect(try await checked(isFull: false) { _ in false }.notice == nil)
  }

  // MARK: Episodes

  private func change(_ guid: String?, _ name: String?, at time: Double, total: Double? = nil) -> EpisodeChange {
    EpisodeChange(
      episode: EpisodeReference(podcast: Self.feed, guid: guid, mediaURL: name),
      mark: EpisodeMark(
        .paused, position: time, isWhole: true), time: time, total: total)
  }

  /// Some players send a play although nothing was heard. If it counted as a reset, the position would be lost.
  @Test(arguments: [nil, -1, 0] as [Int?], [nil, -1, 0] as [Int?])
  func playWithoutPositionAndLengthIsIgnored(position: Int?, total: Int?) {
    var action = GPodderAction(
      podcast: Self.feed, episode: "1.mp3", kind: .play, timestamp: 5, started: 0, position: position, total: total)
    #expect(action.change == nil)
    (action.position, action.total) = (0, 1)
    #expect(action.change?.mark.status == .new)
  }

  @Test func episodesWithOneFileStayApart() {
    var reducer = EpisodeReducer()
    for (number, guid) in ["a", "b", "a"].enumerated() { reducer.add(change(guid, "same.mp3", at: Double(number + 1))) }
    // Two guids have this file, so nobody knows which episode this is.
    reducer.add(change(nil, "same.mp3", at: 9))
    reducer.add(change("c", "1.mp3", at: 4, total: 50))
    reducer.add(change(nil, "1.mp3", at: 5))
    reducer.add(change("d", "2.mp3", at: 6))
    reducer.add(change("d", "3.mp3", at: 7))
    let result = reducer.result.map { "\($0.episode.guid ?? "-") \($0.episode.mediaURL ?? "-") \(Int($0.time))" }
    #expect(
      result == ["b same.mp3 2", "a same.mp3 3", "c 1.mp3 5", "d 2.mp3 6", "d 3.mp3 7", "- same.mp3 9"])
    #expect(reducer.result.first { $0.episode.guid == "c" }?.total == 50)
  }

  @Test func folderKeepsBothEpisodesWithOneFile() {
    let lines = ["a", "b"].map { FolderLine(json: FolderLine.json(change($0, "same.mp3", at: 5)), device: "d") }
    #expect(Set(lines.map(\.identity)).count == 2)
  }
}
