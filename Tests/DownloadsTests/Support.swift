import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Synchronization
import TemporaryFiles
import Testing

@testable import Downloads

/// A library, a server and a directory for downloads. They are removed when the value is released.
final class Workbench {
  private let place: TemporaryDirectory
  let library: Library
  let server: LoopbackServer
  let reports = Reports()
  let podcast: PodcastID
  let ids: [EpisodeID]
  private var downloaders: [Downloader] = []

  var root: String { place.path }
  var directory: String { root + "/downloads" }
  var libraryPath: String { root + "/earshot.db" }

  /// Episodes 1… with media at `/1.mp3`…; `change` may edit each.
  init(episodes count: Int = 3, change: (Int, inout FeedEpisode) -> Void = { _, _ in }) throws {
    place = try TemporaryDirectory()
    library = try Library(path: place.path + "/earshot.db")
    let server = try LoopbackServer()
    self.server = server
    var feed = Feed()
    feed.podcast.title = "A Show"
    feed.episodes = (1...count).map { number in
      var episode = FeedEpisode()
      episode.title = "Part \(number)"
      episode.guid = "guid-\(number)"
      episode.mediaURL = server.url("/\(number).mp3")
      episode.mediaType = "audio/mpeg"
      episode.pubDate = Self.now.addingTimeInterval(Double(number) * 86_400)
      change(number, &episode)
      return episode
    }
    podcast = try library.subscribe(feed: feed, feedURL: server.url("/feed"), now: Self.now)
    // Oldest first, so that index 0 is part 1.
    ids = try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(podcast)))).sorted {
      ($0.pubDate ?? .distantPast) < ($1.pubDate ?? .distantPast)
    }.map(\.id)
  }

  deinit {
    for downloader in downloaders { downloader.shutDown() }
    try? library.close()
  }

  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// Pseudo-random bytes, 250 kB by default.
  static func bytes(_ count: Int = 250_000, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  /// The default options, but with short waits and without proxies.
  static func options(_ directory: String) -> DownloadOptions {
    var options = DownloadOptions(directory: directory)
    options.retry = RetryPolicy(base: 0.001, maximum: 0.001)
    options.reportEvery = 0.005
    options.reserve = 0
    options.random = { 0 }
    return options
  }

  static var http: HTTPOptions {
    var http = HTTPOptions()
    http.ignoresProxies = true
    // A request may wait long for the CPU when many tests run at once.
    http.lowSpeedTime = 600
    http.deadline = 3600
    http.hostRetry.base = 0.1
    return http
  }

  /// Begins to download the first episode: `bytes(5000)`. The server holds back all but 1000 bytes until the result is
  /// signalled.
  func beginHeldDownload(by downloader: Downloader, etag: String? = nil) async -> DispatchSemaphore {
    let gate = DispatchSemaphore(value: 0)
    var file = LoopbackServer.Response.bytes(Self.bytes(5000), type: "audio/mpeg")
    if let etag { file = file.header("ETag", etag) }
    server.route("/1.mp3", file.held(afterBytes: 1000) { gate.wait() })
    downloader.download([ids[0]])
    await reports.arrives(\.isProgress)
    return gate
  }

  /// - Parameter other: a library to use instead of the bench's own.
  func downloader(of other: Library? = nil, _ change: (inout DownloadOptions) -> Void = { _ in }) -> Downloader {
    var options = Self.options(directory)
    change(&options)
    let downloader = Downloader(library: other ?? library, http: Self.http, options: options) { [reports] report in
      reports.add(report)
    }
    downloaders.append(downloader)
    return downloader
  }

  /// Downloads these episodes, or the first one, in a new process, until nothing is left to do.
  @discardableResult
  func download(
    _ episodes: [EpisodeID]? = nil, _ change: (inout DownloadOptions) -> Void = { _ in }
  ) async -> Downloader {
    let downloader = downloader(change)
    await downloader.complete(episodes ?? [ids[0]])
    return downloader
  }

  /// Continues in a new process with what is left to do.
  @discardableResult
  func resume() async -> Downloader {
    let downloader = downloader()
    downloader.start()
    await downloader.waitUntilIdle()
    return downloader
  }

  /// Sets a handler that also gets the number of the request, from 1.
  func answer(
    _ path: String, _ handler: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Response
  ) {
    let counter = Counter()
    server.route(path) { handler($0, counter.next()) }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }

  /// The file name that the library has for an episode; nil while the download is incomplete.
  func fileName(_ id: EpisodeID) throws -> String? { try library.episode(id)?.fileName }

  func contents(_ id: EpisodeID) throws -> [UInt8]? {
    guard let name = try fileName(id) else { return nil }
    return FileManager.default.contents(atPath: directory + "/" + name).map { [UInt8]($0) }
  }

  /// All paths below the download directory.
  var files: [String] {
    let paths = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    return paths.filter { !Self.isDirectory(directory + "/" + $0) }.sorted()
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}

/// Records a downloader's reports and waits for them.
final class Reports: Sendable {
  private struct State {
    var all: [DownloadReport] = []
    var waiting: [(test: @Sendable (DownloadReport) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  func add(_ report: DownloadReport) {
    let done = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.all.append(report)
      let done = state.waiting.filter { $0.test(report) }.map(\.continuation)
      state.waiting.removeAll { $0.test(report) }
      return done
    }
    for continuation in done { continuation.resume() }
  }

  var all: [DownloadReport] { state.withLock { $0.all } }
  var failures: [String] { all.compactMap { if case .failed(_, _, let message) = $0 { message } else { nil } } }
  var finished: [EpisodeID] { all.compactMap { if case .finished(let id, _, _) = $0 { id } else { nil } } }
  var removed: [EpisodeID] {
    all.flatMap { (report) -> [EpisodeID] in if case .removed(let ids) = report { return ids } else { return [] } }
  }
  /// Why the first download is tried again, from each report of the queue.
  var problems: [String] {
    all.compactMap { report -> String? in if case .queue(let items) = report { items.first?.problem } else { nil } }
  }
  /// The queue of the last report that had one.
  var queue: [DownloadProgress] {
    all.reversed().lazy.compactMap { if case .queue(let items) = $0 { items } else { nil } }.first ?? []
  }

  /// Returns when a report for which `test` is true has arrived, now or before.
  func arrives(_ test: @escaping @Sendable (DownloadReport) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isHere = state.withLock { state in
        if state.all.contains(where: test) { return true }
        state.waiting.append((test, continuation))
        return false
      }
      if isHere { continuation.resume() }
    }
  }
}

extension Downloader {
  /// Downloads the episodes, and returns when nothing is left to do.
  func complete(_ ids: [EpisodeID]) async {
    download(ids)
    await waitUntilIdle()
  }

  /// `wait` without blocking a thread of Swift's thread pool.
  func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      Thread {
        self.wait()
        continuation.resume()
      }.start()
    }
  }
}

extension DownloadReport {
  var isFailure: Bool { if case .failed = self { true } else { false } }
  var isProgress: Bool { if case .progress(let item) = self { item.received > 0 } else { false } }
}
