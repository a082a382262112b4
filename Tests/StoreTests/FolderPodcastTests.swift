import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Folders of the listener as podcasts, in the library.
@Suite struct FolderPodcastTests {
  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private var library: Library { box.library }
  static let address = "file:///books/Dune"

  init() throws {
    box = try TemporaryLibrary()
    podcast = try Self.add(Self.files(["1", "2", "3"]), to: box.library)
  }

  @discardableResult
  static func add(_ episodes: [FeedEpisode], to library: Library) throws -> PodcastID {
    try library.subscribe(feed: feed(episodes), feedURL: address, now: Samples.now)
  }

  static func feed(_ episodes: [FeedEpisode]) -> Feed {
    var feed = Feed(episodes: episodes)
    (feed.podcast.title, feed.podcast.medium, feed.podcast.feedURL) = ("Dune", "audiobook", address)
    return feed
  }

  /// A file of which the identity is known by the name without what is behind a space.
  static func file(_ name: String) -> FeedEpisode {
    var episode = FeedEpisode()
    let identity = name.prefix { $0 != " " }
    episode.title = name
    episode.guid = "file:\(1000 + identity.utf8.reduce(0) { $0 + Int($1) })-0123456789abcdef-\(identity)"
    episode.mediaURL = FolderAddress.file("\(name).mp3".utf8, in: address)
    episode.mediaBytes = Int64(1000 + identity.utf8.reduce(0) { $0 + Int($1) })
    return episode
  }

  static func files(_ names: [String]) -> [FeedEpisode] { names.map(file) }

  private func titles() throws -> [String] { try box.titles(EpisodeQuery(.podcast(podcast))) }

  @discardableResult
  private func refresh(_ names: [String]) throws -> ApplyResult {
    try library.apply(feed: Self.feed(Self.files(names)), to: podcast, now: Samples.later(1000))
  }

  private func row(_ title: String) throws -> EpisodeRow {
    try #require(
      try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(podcast)))).first { $0.title == title })
  }

  /// Wherever files are added, the order is that of their names.
  @Test func filesAreHeardInOrder() throws {
    #expect(try titles() == ["1", "2", "3"])
    try refresh(["0", "1", "2", "3"])
    #expect(try titles() == ["0", "1", "2", "3"])
    try refresh(["0", "1", "1b", "2", "3", "4"])
    #expect(try titles() == ["0", "1", "1b", "2", "3", "4"])
    try refresh(["9", "8", "7"])
    #expect(try titles().suffix(3) == ["9", "8", "7"])
  }

  @Test func renamedFileKeepsItsPlace() throws {
    try library.savePosition(row("2").id, seconds: 42, total: nil, now: Samples.now)
    try library.setStatus([row("1").id], .played, now: Samples.now)
    let (one, two) = (try row("1").id, try row("2").id)
    let result = try refresh(["1 moved", "2 renamed", "3"])
    #expect(result.new.isEmpty && result.gone == 0)
    #expect(try row("1 moved").id == one && row("1 moved").status == .played)
    #expect(try row("2 renamed").id == two && row("2 renamed").position == 42)
    #expect(try library.episode(two)?.feed.mediaURL == "file:///books/Dune/2%20renamed.mp3")
  }

  /// Identical files have the same identity. The one that was renamed is the one whose old path is gone.
  @Test func renamedTwinKeepsItsPlace() throws {
    try refresh(["1", "2 a", "2 b", "2 c"])
    try library.savePosition(row("2 a").id, seconds: 42, total: nil, now: Samples.now)
    try library.savePosition(row("2 b").id, seconds: 43, total: nil, now: Samples.now)
    let (one, two) = (try row("2 a").id, try row("2 b").id)
    let result = try refresh(["1", "2 b", "2 c", "2 d"])
    #expect(result.new.isEmpty && result.gone == 0)
    #expect(try row("2 d").id == one && row("2 d").position == 42)
    #expect(try row("2 b").id == two && row("2 b").position == 43)
    // A copy is new, and so is one beside a twin that has gone and comes back.
    #expect(try refresh(["1", "2 b", "2 c", "2 d", "2 e"]).new.count == 1)
    try refresh(["1", "2 c", "2 d", "2 e"])
    let last = try refresh(["1", "2 c", "2 e", "2 f"])
    #expect(last.new.isEmpty && last.gone == 0)
    #expect(try row("2 f").id == one && row("2 f").position == 42, "“2 b” was missing before")
    try refresh(["1", "2 b", "2 c", "2 e", "2 f"])
    #expect(try row("2 b").id == two)
  }

  /// The tags of files were changed, so that their identity is another one, and the names are the same.
  @Test func rewrittenFileKeepsItsPlace() throws {
    try library.savePosition(row("2").id, seconds: 42, total: nil, now: Samples.now)
    let files = Self.files(["1", "2", "3"]).map { file in
      var file = file
      file.guid = file.guid.map { $0 + "-tagged" }
      file.mediaBytes = file.mediaBytes.map { $0 + 100 }
      return file
    }
    let result = try library.apply(feed: Self.feed(files), to: podcast, now: Samples.later(1000))
    #expect(result.new.isEmpty && result.gone == 0)
    #expect(try row("2").position == 42)
  }

  /// Dates of files do not make a missing one look withdrawn.
  @Test func missingFileIsGoneAndNotDeleted() throws {
    func dated(_ names: [String]) -> Feed {
      Self.feed(
        Self.files(names).enumerated().map { index, file in
          var file = file
          file.pubDate = Samples.later(Double(index) * 86400)
          return file
        })
    }
    try library.apply(feed: dated(["1", "2", "3"]), to: podcast, now: Samples.now)
    let result = try library.apply(feed: dated(["1", "3"]), to: podcast, now: Samples.now)
    #expect(result.gone == 1 && result.removed.isEmpty)
    #expect(try row("2").isGoneFromFeed)
    try library.apply(feed: dated(["1", "2", "3"]), to: podcast, now: Samples.now)
    #expect(try !row("2").isGoneFromFeed)
  }

  @Test func nothingIsDownloadedFromAFolder() throws {
    try library.change(.autoDownload(5), of: podcast)
    #expect(try library.takeEpisodesToDownload(standard: 3).isEmpty)
  }

  @Test func onlyFilesOfAddedFoldersAreFound() throws {
    #expect(try library.folder(of: "file:///books/Dune/1.mp3") == Self.address)
    for address in ["file:///books/Dune2/1.mp3", "file:///etc/passwd", "file:///books/Dune/../../etc/passwd"] {
      #expect(try library.folder(of: address) == nil)
    }
  }

  @Test func addingIsUndone() throws {
    try library.recordAdded([podcast], label: "Add “Dune”", now: Samples.now)
    try library.savePosition(row("2").id, seconds: 42, total: nil, now: Samples.now)
    #expect(try library.undo(now: Samples.later(10)) != nil)
    #expect(try library.podcasts().isEmpty)
    try Self.add(Self.files(["1", "2", "3"]), to: library)
    #expect(try row("2").position == 42)
  }

  /// `feedEpisodes` gives back what was stored, so that a scan without changes changes nothing.
  @Test func storedEpisodesAreTheSame() throws {
    var file = Self.file("1")
    (file.updated, file.duration, file.mediaType) = (Date(timeIntervalSince1970: 1_700_000_123), 77, "audio/mpeg")
    file.chapters = [Chapter(start: 0, title: "One"), Chapter(start: 10.5)]
    file.enclosures = [Enclosure(url: file.mediaURL ?? "", type: file.mediaType, bytes: file.mediaBytes)]
    try library.apply(feed: Self.feed([file]), to: podcast, now: Samples.now)
    let stored = try library.feedEpisodes(of: podcast)
    #expect(stored[file.mediaURL ?? ""] == file)
    let result = try library.apply(
      feed: Self.feed(Array(stored.values.filter { $0.guid == file.guid })), to: podcast, now: Samples.now)
    #expect(result.updated == 0 && result.new.isEmpty)
  }

  // MARK: Sync

  /// Another device has the folder at another path, under other names. No path leaves the device.
  @Test func sharedFolderCarriesPlaces() async throws {
    let (here, there) = try SyncDevice.pair()
    let podcast = try Self.add(Self.files(["1", "2", "3"]), to: here.library)
    let ids = try here.library.episodeIDs(EpisodeQuery(.podcast(podcast)))
    try here.library.savePosition(ids[1], seconds: 42, total: nil, now: here.now)
    try here.library.enqueue([ids[2]], now: here.now)
    try await here.sync()
    try await there.sync()
    for file in FileManager.default.enumerator(atPath: here.folder.path)?.compactMap({ $0 as? String }) ?? [] {
      guard let data = FileManager.default.contents(atPath: here.folder.path + "/" + file) else { continue }
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.contains("books") && !text.contains("Dune"), "\(file)")
    }
    #expect(try there.library.syncBacklog().waitingFor.map(\.title) == ["folders that are not here"])
    // The folder is added after its places have come.
    var feed = Self.feed(Self.files(["1", "2", "3"]))
    feed.episodes = feed.episodes.map { episode in
      var episode = episode
      episode.mediaURL = episode.mediaURL.map { "file:///elsewhere/" + $0.suffix(5) }
      return episode
    }
    feed.podcast.feedURL = "file:///elsewhere"
    let other = try there.library.subscribe(feed: feed, feedURL: "file:///elsewhere", now: there.now)
    func row(_ index: Int) throws -> EpisodeRow {
      let ids = try there.library.episodeIDs(EpisodeQuery(.podcast(other)))
      return try #require(try there.library.episodeRows([ids[index]]).first)
    }
    #expect(try row(1).position == 42)
    // Now they come to a folder that is there.
    try here.library.setStatus([ids[0]], .played, now: here.now.addingTimeInterval(10))
    try await here.sync()
    try await there.sync()
    #expect(try row(0).status == .played)
    #expect(try there.library.podcasts().filter { $0.feedURL.hasPrefix("file:") }.map(\.id) == [other])
  }

  /// A device that was taken over names a folder and its files: nothing is subscribed to.
  @Test func foldersOfOthersAreRefused() async throws {
    let here = try SyncDevice("here")
    let time = JSONValue.number(here.now.timeIntervalSince1970)
    try SyncDevice.write(
      [.object(["podcast": .string("file:///etc"), "subscribed": .bool(true), "time": time, "title": .string("Etc")])],
      "subscriptions", to: here.folder.path)
    try SyncDevice.write(
      [
        .object([
          "podcast": .string("file:///etc"), "guid": .string("x"), "media": .string("file:///etc/passwd"),
          "status": .string("played"), "time": time,
        ])
      ], "episodes", to: here.folder.path)
    try await here.sync()
    #expect(try !here.library.podcasts(withFormer: true).contains { $0.feedURL.hasPrefix("file:") })
  }
}
