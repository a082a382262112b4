import Foundation
import LoopbackServer
import Model
import TemporaryFiles
import Testing

@testable import Downloads
@testable import Store

/// Which files the automatic clean-up deletes, and which it never deletes.
@Suite(InTurn()) struct CleanUpTests {
  /// File `number` of a podcast. A larger number is newer. Each file has 100 bytes.
  private func file(
    _ number: Int64, podcast: Int64 = 1, _ change: (inout DownloadedFile) -> Void = { _ in }
  )
    -> DownloadedFile
  {
    var file = DownloadedFile(
      episode: EpisodeID(number), podcast: PodcastID(podcast), fileName: "\(number).mp3", bytes: 100,
      downloaded: Date(timeIntervalSince1970: Double(number)), pubDate: Date(timeIntervalSince1970: Double(number)))
    change(&file)
    return file
  }

  private func filesToDelete(
    _ files: [DownloadedFile], protected: Set<EpisodeID> = [], _ change: (inout CleanUpRules) -> Void
  ) -> [Int64] {
    var rules = CleanUpRules()
    change(&rules)
    return rules.filesToDelete(among: files, protected: protected).map(\.episode.rawValue)
  }

  @Test func cleanUpWithoutRulesDeletesNothing() {
    #expect(filesToDelete([file(1), file(2) { $0.status = .played }]) { _ in } == [])
  }

  /// Another device has deleted the episode, and nothing shows its file any more.
  @Test func filesOfDeletedEpisodesAreDeleted() {
    let files = [file(1) { $0.status = .deleted }, file(2), file(3) { $0.status = .deleted }]
    #expect(filesToDelete(files, protected: [EpisodeID(3)]) { _ in } == [1])
  }

  /// The directory may be a link to another disk.
  @Test func filesBehindALinkAreFound() throws {
    let place = try TemporaryDirectory()
    let home = place.path
    try FileManager.default.createDirectory(atPath: home + "/disk", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: home + "/downloads", withDestinationPath: "disk")
    let files = DownloadFiles(directory: home + "/downloads", library: try Library(path: home + "/earshot.db"))
    #expect(!files.hasFiles)
    try Data("x".utf8).write(to: URL(fileURLWithPath: home + "/disk/a.mp3"))
    #expect(files.hasFiles)
    #expect(try files.strays() == ["a.mp3"])
  }

  @Test func playedFilesAreDeleted() {
    let files = [file(1) { $0.status = .played }, file(2), file(3) { $0.status = .played }]
    #expect(filesToDelete(files, protected: [EpisodeID(3)]) { $0.deletesPlayed = true } == [1])
  }

  @Test func newestFilesOfEachPodcastAreKept() {
    let files = (1...4).map { file($0) } + (5...6).map { file($0, podcast: 2) }
    #expect(Set(filesToDelete(files) { $0.keepPerPodcast = 2 }) == [1, 2])
    #expect(
      Set(
        filesToDelete(files) {
          $0.keepPerPodcast = 2
          $0.keepPerSinglePodcast = [PodcastID(2): 1]
        }) == [1, 2, 5])
    #expect(Set(filesToDelete(files) { $0.keepPerPodcast = 0 }) == [1, 2, 3, 4, 5, 6])
  }

  @Test func queuedAndStartedEpisodesAreKept() {
    let files = [
      file(1) { $0.isQueued = true },
      file(2) {
        $0.status = .paused
        $0.position = 60
      }, file(3), file(4),
    ]
    #expect(filesToDelete(files) { $0.keepPerPodcast = 1 } == [3])
    #expect(filesToDelete(files) { $0.maxBytes = 0 } == [3, 4])
  }

  @Test func oldestFilesAreDeletedUntilTheRestFits() {
    let files = [file(1), file(2) { $0.status = .played }, file(3), file(4)]
    #expect(filesToDelete(files) { $0.maxBytes = 400 } == [])
    #expect(filesToDelete(files) { $0.maxBytes = 399 } == [2], "the played first")
    #expect(filesToDelete(files) { $0.maxBytes = 250 } == [2, 1])
    #expect(filesToDelete(files, protected: [EpisodeID(1)]) { $0.maxBytes = 250 } == [2, 3])
  }

  @Test func rulesAreKeptAfterADownload() async throws {
    let bench = try Workbench()
    for number in 1...3 { bench.server.route("/\(number).mp3", .bytes([1, 2, 3], type: "audio/mpeg")) }
    await bench.download(bench.ids) {
      $0.atOnce = 1
      $0.cleanUp.keepPerPodcast = 1
    }
    #expect(bench.files == ["A Show/2023-11-17 Part 3.mp3"])
    #expect(Set(bench.reports.removed) == Set(bench.ids.prefix(2)))
  }

  /// Downloads three episodes. The podcast keeps all of them, although the configuration keeps only one.
  private func keepingThree(_ bench: Workbench) async throws -> Downloader {
    for number in 1...3 { bench.server.route("/\(number).mp3", .bytes([1, 2, 3], type: "audio/mpeg")) }
    let downloader = bench.downloader { $0.cleanUp.keepPerPodcast = 1 }
    try bench.library.update(settingsOf: bench.podcast) { $0.keepDownloads = 3 }
    await downloader.complete(bench.ids)
    return downloader
  }

  /// Another process may have changed the setting.
  @Test func rulesOfAPodcastAreReadForEachCleanUp() async throws {
    let bench = try Workbench()
    let downloader = try await keepingThree(bench)
    #expect(bench.files.count == 3 && bench.reports.removed.isEmpty)
    try bench.library.update(settingsOf: bench.podcast) { $0.keepDownloads = 2 }
    downloader.applyRules()
    await downloader.waitUntilIdle()
    #expect(bench.reports.removed == [bench.ids[0]])
  }

  /// The rule of the configuration alone would delete files that the podcast keeps.
  @Test func nothingIsDeletedWhileTheSettingsOfPodcastsCannotBeRead() async throws {
    let bench = try Workbench()
    let downloader = try await keepingThree(bench)
    try bench.library.write { db in try db.execute(sql: "UPDATE podcastSettings SET settings = x'FF'") }
    downloader.applyRules()
    await downloader.waitUntilIdle()
    #expect(bench.files.count == 3 && bench.reports.removed.isEmpty)
    #expect(bench.reports.failures.map { $0.hasPrefix("The downloads cannot be cleaned up: ") } == [true])
    try bench.library.write { db in try db.execute(sql: "DELETE FROM podcastSettings") }
    downloader.applyRules()
    await downloader.waitUntilIdle()
    #expect(Set(bench.reports.removed) == Set(bench.ids.prefix(2)))
  }

  @Test func playedFileIsDeletedByTheRule() async throws {
    let bench = try Workbench()
    for number in 1...2 { bench.server.route("/\(number).mp3", .bytes([1, 2, 3], type: "audio/mpeg")) }
    let downloader = bench.downloader { $0.cleanUp.deletesPlayed = true }
    await downloader.complete(Array(bench.ids.prefix(2)))
    try bench.library.setStatus([bench.ids[0]], .played, now: Workbench.now)
    downloader.protect([bench.ids[0]])
    downloader.applyRules()
    await downloader.waitUntilIdle()
    #expect(bench.files.count == 2, "it is still heard")
    downloader.cleanUp()
    await downloader.waitUntilIdle()
    #expect(bench.reports.removed == [bench.ids[0]])
    #expect(bench.files == ["A Show/2023-11-16 Part 2.mp3"])
  }

  /// A disk is not mounted, and its mount point is not empty.
  @Test func filesOnAMissingDiskAreNotForgotten() async throws {
    let bench = try Workbench()
    bench.server.route("/1.mp3", .bytes([1, 2, 3], type: "audio/mpeg"))
    let downloader = await bench.download { $0.cleanUp.deletesPlayed = true }
    try bench.library.setStatus([bench.ids[0]], .played, now: Workbench.now)
    let show = bench.directory + "/A Show"
    try FileManager.default.moveItem(atPath: show, toPath: bench.directory + "/../elsewhere")
    try Data("x".utf8).write(to: URL(fileURLWithPath: bench.directory + "/.hidden"))
    downloader.cleanUp()
    await downloader.waitUntilIdle()
    #expect(try bench.library.downloadNames().count == 1 && bench.reports.removed.isEmpty)
    try FileManager.default.moveItem(atPath: bench.directory + "/../elsewhere", toPath: show)
    downloader.cleanUp()
    await downloader.waitUntilIdle()
    #expect(try bench.library.downloadNames().isEmpty && bench.reports.removed == [bench.ids[0]])
  }

  @Test func newestEpisodesAfterAMarkAreFound() throws {
    let bench = try Workbench(episodes: 5)
    let ids = bench.ids
    let library = bench.library
    #expect(try library.takeEpisodesToDownload(standard: 0) == [])
    #expect(try library.takeEpisodesToDownload(standard: 2) == [ids[4], ids[3]])
    #expect(try library.takeEpisodesToDownload(standard: 9) == [], "each is looked at once")
    try library.setStatus([ids[4]], .played, now: Workbench.now)
    try library.saveDownload(Download(episode: ids[3], fileName: "x", downloadComplete: false), now: Workbench.now)
    try library.change(.autoDownload(2), of: bench.podcast)
    #expect(try library.takeEpisodesToDownload(standard: 0) == [ids[2]], "turned on, the newest come at once")
    try library.change(.autoDownload(3), of: bench.podcast)
    #expect(try library.takeEpisodesToDownload(standard: 0) == [ids[2], ids[1]], "one of the three is there already")
    #expect(try library.takeEpisodesToDownload(standard: 0) == [])
    try library.change(.autoDownload(0), of: bench.podcast)
    #expect(try library.takeEpisodesToDownload(standard: 9) == [], "the podcast's own wish wins")
  }

  @Test(arguments: [
    (0, "0 B"), (-5, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (99_949, "99.9 kB"), (250_000, "250 kB"),
    (999_950, "1.0 MB"), (1_500_000_000, "1.5 GB"),
  ]) func sizeTexts(bytes: Int64, text: String) { #expect(SizeText.exact(bytes) == text) }
}
