import Foundation
import Model
import Sync
import TemporaryFiles
import Testing

@testable import Store
@testable import SyncBackends

/// One of the listener's devices, with its own library.
final class SyncDevice {
  let box: TemporaryLibrary
  let name: String
  let folder: TemporaryDirectory
  var now = Samples.later(100_000)
  private var isUnited = false
  var takesTranscripts = false
  /// How many transactions the last sync has used for what arrived.
  private(set) var transactions = 0
  var library: Library { box.library }

  /// - Parameter folder: the one that it shares; nil: a new one.
  init(_ name: String, folder: TemporaryDirectory? = nil, podcasts: Int = 1) throws {
    box = try TemporaryLibrary()
    self.name = name
    self.folder = try folder ?? TemporaryDirectory()
    for number in 0..<podcasts { try subscribe(number) }
    try library.setSyncAccount(
      SyncAccount(kind: "folder", server: self.folder.path, user: "", device: name, deviceName: "The \(name)"))
    try SyncFolderFiles(path: self.folder.path, device: name, name: "The \(name)", library: library.deviceID).create()
  }

  /// Two devices that share a folder.
  static func pair() throws -> (SyncDevice, SyncDevice) {
    let here = try SyncDevice("here")
    return (here, try SyncDevice("there", folder: here.folder))
  }

  static func url(_ number: Int) -> String { "https://feeds.example/\(number)" }

  /// The newest first.
  /// - Parameter prefix: of the guids.
  static func episodes(_ count: Int = 4, of number: Int = 0, prefix: String = "") -> [FeedEpisode] {
    (1...count).reversed().map { index in
      var episode = Samples.episode(index)
      episode.guid = "\(prefix)\(number)-\(index)"
      episode.mediaURL = "https://cdn.example/\(number)/\(index).mp3"
      return episode
    }
  }

  func subscribe(_ number: Int) throws { try box.subscribe(Self.episodes(of: number), url: Self.url(number)) }

  /// Stores a later document of the first feed, as a refresh does.
  func refresh(_ episodes: [FeedEpisode]) throws {
    let podcast = try #require(try library.podcastID(feedURL: Self.url(0)))
    try library.apply(feed: Samples.feed(episodes), to: podcast, info: RefreshInfo(refresh: now), now: now)
  }

  /// Ends sync, and sets it up again with the same folder.
  /// - Parameter change: what the listener does meanwhile.
  func signInAgain(_ change: () throws -> Void = {}) throws {
    let account = try #require(try library.syncAccount())
    try library.setSyncAccount(nil)
    try change()
    try library.setSyncAccount(account)
    isUnited = false
  }

  @discardableResult
  func sync(isDryRun: Bool = false, hasProblems: Bool = false) async throws -> SyncRun.Report {
    now += 60
    let noon = now
    library.collectionClock.withLock { $0 = { noon } }
    let time = now.timeIntervalSince1970
    let backend = FolderBackend(path: folder.path, device: name, name: "The \(name)", library: library.deviceID)
    let run = LibrarySync(library: library, server: folder.path, takesTranscripts: takesTranscripts)
    let report = await SyncRun(backend: backend, isFirstSync: !isUnited, isDryRun: isDryRun) { time }.perform(on: run)
    transactions = run.transactionCount
    #expect(report.errors == [] && report.problems.isEmpty != hasProblems)
    isUnited = isUnited || !isDryRun
    return report
  }

  /// Writes a file as another device would, with one line for each change.
  static func write(_ lines: [JSONValue], _ category: String, to folder: String, device: String = "other") throws {
    let directory = folder + "/earshot-sync/" + device
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let text = ([#"{"earshot":"sync","format":1,"device":"\#(device)"}"#] + lines.map(\.text)).joined(separator: "\n")
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: directory + "/\(category).000001.jsonl"))
  }

  func episode(_ number: Int, of podcast: Int = 0) throws -> EpisodeID {
    try #require(try library.episodes(named: "\(podcast)-\(number)", withDeleted: true).first)
  }

  func state(_ number: Int, of podcast: Int = 0) throws -> String {
    let row = try #require(try library.episode(episode(number, of: podcast))).row
    return "\(row.status) \(row.position)"
  }

  func queue() throws -> [String] {
    try library.queue().map { try #require(try library.episode($0)).feed.guid! }
  }
}
