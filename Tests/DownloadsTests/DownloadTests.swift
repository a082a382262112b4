import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import Downloads

/// Downloads from a well-behaved server, and the listener's commands.
@Suite(InTurn()) struct DownloadTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test func fileGetsItsName() async throws {
    let bytes = Workbench.bytes()
    bench.server.route("/1.mp3", .bytes(bytes, type: "audio/mpeg"))
    let downloader = await bench.download()
    #expect(bench.reports.failures == [])
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.files == ["A Show/2023-11-15 Part 1.mp3"])
    #expect(bench.reports.finished == [bench.ids[0]])
    #expect(bench.reports.queue == [])
    #expect(try bench.library.unfinishedDownloads() == [])
    #expect(try bench.library.events(limit: 9).map(\.event.kind) == [.download])
    // Media is requested without a content encoding.
    #expect(bench.server.requests.map { $0.header("Accept-Encoding") } == ["identity"])
    await downloader.complete([bench.ids[0]])
    #expect(bench.server.requests.count == 1, "what is there is not fetched again")
  }

  @Test func downloadsAreLimitedInTotalAndPerHost() async throws {
    let bench = try Workbench(episodes: 8)
    let gate = DispatchSemaphore(value: 0)
    for number in 1...8 {
      bench.server.route(
        "/\(number).mp3",
        .bytes(Workbench.bytes(4000), type: "audio/mpeg").dripping(bytes: 1000, everyMilliseconds: 5)
          .held(afterBytes: 1000) { gate.wait() })
    }
    let downloader = bench.downloader { ($0.atOnce, $0.perHost) = (5, 2) }
    downloader.download(bench.ids)
    #expect(await bench.server.requestsArrive(2), "a second begins while the first has not ended")
    for _ in bench.ids { gate.signal() }
    await downloader.waitUntilIdle()
    #expect(bench.reports.finished.count == 8)
    #expect(bench.server.peakConcurrency == 2)
    #expect(bench.reports.finished.prefix(2).allSatisfy { bench.ids.prefix(4).contains($0) }, "in order")
  }

  @Test func progressReportHasLengthAndRate() async throws {
    let gate = DispatchSemaphore(value: 0)
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(9000)).held(afterBytes: 4000) { gate.wait() })
    let downloader = bench.downloader()
    downloader.download([bench.ids[0]])
    await bench.reports.arrives { if case .progress(let item) = $0 { item.received == 4000 } else { false } }
    let last = bench.reports.all.compactMap { if case .progress(let item) = $0 { item } else { nil } }.last
    #expect(last?.total == 9000)
    #expect(last?.fraction == 4000.0 / 9000)
    #expect(last?.phase == .running)
    gate.signal()
    await downloader.waitUntilIdle()
    #expect(bench.reports.finished.count == 1)
  }

  @Test func pausedDownloadResumesAtItsPosition() async throws {
    let bytes = Workbench.bytes()
    let resource = LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"1\"")
    let gate = DispatchSemaphore(value: 0)
    bench.server.route("/1.mp3") { request in
      let answer = resource.answer(request)
      return request.byteRange == nil ? answer.held(afterBytes: 100_000) { gate.wait() } : answer
    }
    let downloader = bench.downloader()
    let id = bench.ids[0]
    downloader.download([id])
    await bench.reports.arrives { if case .progress(let item) = $0 { item.received == 100_000 } else { false } }
    downloader.pause([id])
    await downloader.waitUntilIdle()
    gate.signal()
    #expect(bench.reports.queue.map(\.phase) == [.paused])
    #expect(bench.files == ["A Show/2023-11-15 Part 1.mp3.part"])
    // A paused download stays paused after a restart and keeps its position.
    downloader.shutDown()
    let next = await bench.resume()
    #expect(bench.reports.queue.map(\.phase) == [.paused])
    #expect(bench.reports.queue.map(\.received) == [100_000])
    await next.complete([id])
    #expect(try bench.contents(id) == bytes)
    let request = try #require(bench.server.requests.last)
    #expect(request.byteRange?.first == 100_000)
    #expect(request.header("If-Range") == "\"1\"")
  }

  @Test func cancelledDownloadLeavesNoFile() async throws {
    let gate = DispatchSemaphore(value: 0)
    bench.server.route("/1.mp3", .bytes(Workbench.bytes()).held(afterBytes: 1000) { gate.wait() })
    let downloader = bench.downloader()
    downloader.download(bench.ids)
    await bench.reports.arrives(\.isProgress)
    downloader.drop(bench.ids)
    await downloader.waitUntilIdle()
    gate.signal()
    #expect(bench.files == [])
    #expect(bench.reports.queue == [])
    #expect(try bench.library.unfinishedDownloads() == [])
    #expect(!FileManager.default.fileExists(atPath: bench.directory + "/A Show"))
  }

  @Test func completeFileIsDeletedAndTheEpisodeStays() async throws {
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(100), type: "audio/mpeg"))
    let downloader = await bench.download()
    downloader.drop([bench.ids[0]])
    await downloader.waitUntilIdle()
    #expect(bench.files == [])
    #expect(bench.reports.removed == [bench.ids[0]])
    #expect(try bench.library.episodeRows(bench.ids).map(\.isDownloaded) == [false, false, false])
  }

  /// Another program has emptied or cut the file. The old one stays until the new one is there.
  @Test(arguments: [0, 100]) func changedFileIsFetchedAgain(size: Int) async throws {
    let (id, bytes) = (bench.ids[0], Workbench.bytes(5000))
    bench.answer("/1.mp3") { _, attempt in attempt == 2 ? .status(404) : .bytes(bytes, type: "audio/mpeg") }
    let downloader = await bench.download()
    let path = bench.directory + "/" + (try #require(try bench.fileName(id)))
    let files = DownloadFiles(directory: bench.directory, library: bench.library)
    #expect(files.file(of: try #require(try bench.library.episode(id))) == path)
    // Tags that the listener writes into the file make it longer.
    try Data(Workbench.bytes(6000)).write(to: URL(fileURLWithPath: path))
    #expect(files.file(of: try #require(try bench.library.episode(id))) == path)
    try Data(Workbench.bytes(size)).write(to: URL(fileURLWithPath: path))
    #expect(files.file(of: try #require(try bench.library.episode(id))) == nil)
    await downloader.complete([id])
    #expect(bench.reports.failures.count == 1)
    #expect(FileManager.default.contents(atPath: path)?.count == size)
    downloader.shutDown()
    let next = await bench.download()
    #expect(try bench.contents(id) == bytes)
    #expect(bench.files == [try bench.fileName(id)])
    await next.complete([id])
    #expect(bench.server.requests(to: "/1.mp3").count == 3)
  }

  /// Nobody can say what a directory in place of the file is for.
  @Test func directoryInPlaceOfTheFileIsKept() async throws {
    let (id, bytes) = (bench.ids[0], Workbench.bytes(5000))
    bench.server.route("/1.mp3", .bytes(bytes, type: "audio/mpeg"))
    let downloader = await bench.download()
    let name = try #require(try bench.fileName(id))
    try FileManager.default.removeItem(atPath: bench.directory + "/" + name)
    try FileManager.default.createDirectory(atPath: bench.directory + "/" + name, withIntermediateDirectories: false)
    let files = DownloadFiles(directory: bench.directory, library: bench.library)
    #expect(files.state(of: try #require(try bench.library.episode(id))) == .notAFile)
    await downloader.complete([id])
    #expect(try bench.contents(id) == bytes)
    #expect(bench.files == ["A Show/2023-11-15 Part 1 (2).mp3"])
    #expect(FileManager.default.fileExists(atPath: bench.directory + "/" + name))
  }

  @Test func passwordIsSentWithTheRequest() async throws {
    bench.server.route("/1.mp3") { request in
      request.basicCredentials == [UInt8]("me:secret".utf8)
        ? .bytes(Workbench.bytes(10), type: "audio/mpeg") : .unauthorized()
    }
    let origin = try #require(Origin(bench.server.baseURL))
    await bench.download {
      $0.access = { _ in RequestAccess(Credentials(user: "me", password: "secret", origin: origin)) }
    }
    #expect(bench.reports.finished == [bench.ids[0]])
  }

  @Test func passwordOfAnotherServerIsNotSent() async throws {
    let other = try Workbench()
    bench.server.route("/1.mp3", .unauthorized())
    let origin = try #require(Origin(other.server.baseURL))
    await bench.download {
      $0.access = { _ in RequestAccess(Credentials(user: "me", password: "secret", origin: origin)) }
    }
    let requests = bench.server.requests(to: "/1.mp3")
    #expect(!requests.isEmpty && requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func foreignFileIsKept() async throws {
    let bytes = Workbench.bytes(5000)
    let downloader = bench.downloader()
    let gate = await bench.beginHeldDownload(by: downloader)
    let existing = bench.directory + "/A Show/2023-11-15 Part 1.mp3"
    try Data("existing".utf8).write(to: URL(fileURLWithPath: existing))
    gate.signal()
    await downloader.waitUntilIdle()
    #expect(try String(contentsOfFile: existing, encoding: .utf8) == "existing")
    #expect(try bench.fileName(bench.ids[0]) == "A Show/2023-11-15 Part 1 (2).mp3")
    #expect(try bench.contents(bench.ids[0]) == bytes)
  }

  @Test func twoProcessesDoNotWriteOneFile() async throws {
    let bytes = Workbench.bytes(5000)
    let (first, second) = (bench.downloader(), bench.downloader())
    let gate = await bench.beginHeldDownload(by: first)
    second.download([bench.ids[0]])
    await bench.reports.arrives(\.isFailure)
    #expect(bench.reports.failures == ["Part 1: another Earshot is downloading it"])
    gate.signal()
    await first.waitUntilIdle()
    #expect(try bench.contents(bench.ids[0]) == bytes)
  }

  /// Another process: the full-screen player, which has the download in its queue, or a command, which has not.
  @Test(arguments: [true, false]) func cancellingKeepsTheDownloadOfAnotherProcess(isQueued: Bool) async throws {
    let bytes = Workbench.bytes(5000)
    let (first, second) = (bench.downloader(), bench.downloader())
    let gate = await bench.beginHeldDownload(by: first)
    if isQueued {
      second.download([bench.ids[0]])
      await bench.reports.arrives(\.isFailure)
    }
    second.drop([bench.ids[0]])
    await second.waitUntilIdle()
    #expect(bench.reports.failures.last == "Part 1: another Earshot is downloading it")
    #expect(bench.reports.failures.count == (isQueued ? 2 : 1))
    #expect(bench.reports.removed == [])
    #expect(try bench.library.download(bench.ids[0]) != nil)
    gate.signal()
    await first.waitUntilIdle()
    #expect(try bench.contents(bench.ids[0]) == bytes)

    // Complete, but still a failed download in the other process.
    second.drop([bench.ids[0]])
    await second.waitUntilIdle()
    #expect(try bench.contents(bench.ids[0]) == (isQueued ? bytes : nil))
  }

  @Test(arguments: [true, false]) func endOfADownloadOfAnotherProcessIsNoticed(isCancelled: Bool) async throws {
    let (first, second) = (bench.downloader(), bench.downloader())
    let gate = await bench.beginHeldDownload(by: first)
    second.download([bench.ids[0]])
    await bench.reports.arrives(\.isFailure)
    second.noticeOtherProcesses()
    await second.waitUntilIdle()
    if isCancelled {
      first.drop([bench.ids[0]])
      await first.waitUntilIdle()
    }
    gate.signal()
    await first.waitUntilIdle()
    second.noticeOtherProcesses()
    await second.waitUntilIdle()
    // The last report of a queue is the second downloader's.
    #expect(bench.reports.queue.isEmpty)
    #expect(bench.reports.finished.count == (isCancelled ? 0 : 2))
    #expect(bench.reports.failures.count == 1)
    #expect(bench.files.count == (isCancelled ? 0 : 1))
  }

  /// Nothing lists the file of a deleted episode.
  /// Two processes have downloaded one episode under different names. Nothing would ever delete the second file.
  @Test func fileUnderAnotherNameOfAnotherProcessIsTheOnlyOne() async throws {
    let downloader = bench.downloader()
    let gate = await bench.beginHeldDownload(by: downloader)
    let other = Download(episode: bench.ids[0], fileName: "other.mp3", downloadComplete: true, bytes: 4)
    try Data("ID3x".utf8).write(to: URL(fileURLWithPath: bench.directory + "/other.mp3"))
    try bench.library.saveDownload(other, now: Workbench.now)
    gate.signal()
    await downloader.waitUntilIdle()
    #expect(bench.files == ["other.mp3"])
    #expect(try bench.library.download(bench.ids[0]) == other)
    #expect(try DownloadFiles(directory: bench.directory, library: bench.library).strays() == [])
  }

  /// The row was removed by another process after the download was added, and begun again under another name.
  @Test func downloadGetsTheNameThatAnotherProcessHasGivenIt() throws {
    let (library, id) = (bench.library, bench.ids[0])
    // The directory of the library is deleted with the bench.
    defer { withExtendedLifetime(bench) {} }
    let first = Download(episode: id, fileName: "a.mp3", downloadComplete: false)
    let second = Download(episode: id, fileName: "b.mp3", downloadComplete: false)
    #expect(try library.beginDownload(first, now: Workbench.now) == first)
    #expect(try library.beginDownload(second, now: Workbench.now) == first)
    // A removal that has read an older row leaves the newer one.
    #expect(try !library.removeDownload(second))
    #expect(try library.removeDownload(first))
    #expect(try library.download(id) == nil)
    // A complete download of another process stays.
    let whole = Download(episode: id, fileName: "c.mp3", downloadComplete: true, bytes: 7)
    #expect(try library.saveDownload(whole, now: Workbench.now))
    #expect(try !library.saveDownload(first, now: Workbench.now, replacesComplete: false))
    #expect(try library.download(id) == whole)
  }

  /// Between deleting a file and its row, another process could complete a download that then has no row.
  @Test func noProcessBeginsADownloadThatIsBeingRemoved() throws {
    let files = DownloadFiles(directory: bench.directory, library: bench.library)
    let path = bench.directory + "/A Show/a.mp3"
    try FileManager.default.createDirectory(atPath: bench.directory + "/A Show", withIntermediateDirectories: true)
    try Data("ID3x".utf8).write(to: URL(fileURLWithPath: path))
    let isRemoved = try files.delete("A Show/a.mp3") { () throws(DownloadError) in
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(throws: DownloadError.busy) { try PartFile(path: path + ".part") }
      return true
    }
    #expect(isRemoved)
    #expect(!FileManager.default.fileExists(atPath: bench.directory + "/A Show"))
    // The directory of an unmounted disk is not created.
    #expect(try files.delete("B Show/b.mp3") { () throws(DownloadError) in true })
    #expect(!FileManager.default.fileExists(atPath: bench.directory + "/B Show"))
  }

  @Test func filesThatNoDownloadNamesAreFound() async throws {
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(5000), type: "audio/mpeg"))
    await bench.download()
    let files = DownloadFiles(directory: bench.directory, library: bench.library)
    #expect(try files.strays() == [])
    for name in ["stray.mp3", "A Show/half.mp3.part", ".hidden"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: bench.directory + "/" + name))
    }
    #expect(try files.strays() == ["A Show/half.mp3.part", "stray.mp3"])
  }

  @Test func downloadOfAnEpisodeThatAnotherProcessDeletedLeavesNoFile() async throws {
    let (first, second) = (bench.downloader(), bench.downloader())
    let gate = await bench.beginHeldDownload(by: first)
    try bench.library.setStatus([bench.ids[0]], .deleted, now: Workbench.now)
    second.drop([bench.ids[0]])
    await second.waitUntilIdle()
    gate.signal()
    await first.waitUntilIdle()
    #expect(bench.files == [] && bench.reports.removed == [bench.ids[0]])
    #expect(try bench.library.download(bench.ids[0]) == nil)
    #expect(bench.reports.queue.isEmpty)
  }

  @Test func downloadOfAnotherProcessIsNotRepeated() async throws {
    let bytes = Workbench.bytes(5000)
    let (first, second) = (bench.downloader(), bench.downloader())
    let gate = await bench.beginHeldDownload(by: first)
    second.download([bench.ids[0]])
    await bench.reports.arrives(\.isFailure)
    gate.signal()
    await first.waitUntilIdle()
    gate.signal()
    await second.complete([bench.ids[0]])
    #expect(bench.server.requests(to: "/1.mp3").count == 1)
    #expect(bench.files == ["A Show/2023-11-15 Part 1.mp3"])
    #expect(bench.reports.queue.isEmpty)
    #expect(try bench.contents(bench.ids[0]) == bytes)
  }

  /// What this process knows of the file is older than what the other one has stored.
  @Test func validatorsOfAnotherProcessAreKept() async throws {
    let (first, second) = (bench.downloader(), bench.downloader { $0.atOnce = 1 })
    let gate = await bench.beginHeldDownload(by: first, etag: "\"a\"")
    let stored = try bench.library.download(bench.ids[0])
    #expect(stored?.resumeData?.contains("etag") == true)
    second.download([bench.ids[0]])
    await bench.reports.arrives(\.isFailure)
    #expect(try bench.library.download(bench.ids[0])?.resumeData == stored?.resumeData)
    gate.signal()
    await first.waitUntilIdle()
  }

  /// A file that cannot be deleted keeps its row, because nothing else would find it again.
  @Test func cancelledDownloadThatCannotBeDeletedStays() async throws {
    let downloader = bench.downloader()
    let gate = await bench.beginHeldDownload(by: downloader)
    // A directory in place of the final file: `unlink` fails even for root.
    try FileManager.default.createDirectory(
      atPath: bench.directory + "/A Show/2023-11-15 Part 1.mp3/in it", withIntermediateDirectories: true)
    downloader.pause([bench.ids[0]])
    await downloader.waitUntilIdle()
    gate.signal()
    #expect(bench.reports.queue.map(\.phase) == [.paused])
    downloader.drop([bench.ids[0]])
    await bench.reports.arrives(\.isFailure)
    #expect(bench.reports.failures.first?.contains("cannot be deleted") == true, "\(bench.reports.failures)")
    #expect(try bench.library.download(bench.ids[0]) != nil)
    #expect(bench.reports.queue.map(\.id) == [bench.ids[0]])
  }
}
