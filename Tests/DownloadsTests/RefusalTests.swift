import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Testing

@testable import Downloads

/// Answers that are not a file, and disks that cannot be written.
@Suite(InTurn()) struct RefusalTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var response: LoopbackServer.Response
    var message: String
    var testDescription: String { name }
  }

  private static let page = [UInt8]("<!DOCTYPE html><title>Log in</title>".utf8)
  private static let cases = [
    Case(name: "404", response: .status(404), message: "the server does not have the file (404)"),
    Case(name: "410", response: .status(410), message: "the server does not have the file any more (410)"),
    Case(name: "403", response: .status(403), message: "the server refused: forbidden (403)"),
    Case(name: "401", response: .unauthorized(), message: "the server asks for a user name and password (test)"),
    Case(
      name: "page", response: .bytes(page, type: "text/html"), message: "invalid data: a page (text/html) came"),
    Case(
      name: "page without length", response: .bytes(page, type: "text/html").chunked(),
      message: "invalid data: a page (text/html) came"),
    Case(
      name: "page of another type", response: .bytes(page, type: "audio/mpeg"),
      message: "invalid data: a web page came"),
    Case(
      name: "error in JSON", response: .bytes([UInt8]("{}".utf8), type: "application/json"),
      message: "invalid data: a page (application/json) came"),
    Case(
      name: "text without length", response: .bytes([UInt8]("no".utf8), type: "text/plain").chunked(),
      message: "invalid data: a page came"),
    Case(name: "empty", response: .bytes([], type: "audio/mpeg"), message: "invalid data: the file is empty"),
    Case(
      name: "compressed nothing", response: .gzip([0x1F, 0x8B, 8, 0], type: "audio/mpeg"),
      message: "invalid data: the file is empty"),
    Case(
      name: "compressed in another way",
      response: LoopbackServer.Response(
        status: 200, headers: [("Content-Encoding", "br"), ("Content-Type", "audio/mpeg")], body: .bytes([1, 2, 3])),
      message: "invalid data: a compressed answer (br) came"),
    Case(
      name: "only a part", response: LoopbackServer.Response(status: 206, body: .bytes([1, 2, 3])),
      message: "invalid data: a part that was not asked for came"),
    Case(name: "circle", response: .redirect(302, to: "/1.mp3"), message: "the server redirects in a loop"),
    Case(
      name: "file address", response: .redirect(302, to: "file:///etc/passwd"),
      message: "file: addresses cannot be read"),
  ]

  /// A transient failure is reported once, and stays visible while the download is retried. The retries report
  /// nothing.
  @Test func transientFailureIsReportedBeforeTheRetry() async throws {
    let file = LoopbackServer.Resource(Workbench.bytes(), type: "audio/mpeg", etag: "\"a\"")
    bench.answer("/1.mp3") { request, count in count < 4 ? .status(500) : file.answer(request) }
    // Time passes only when a problem is reported. Otherwise slow disk writes could take longer than the wait.
    let reports = bench.reports
    await bench.download { $0.now = { Workbench.now.addingTimeInterval(Double(reports.problems.count)) } }
    let delays = bench.reports.all.compactMap { if case .delayed(_, let message) = $0 { message } else { nil } }
    #expect(
      delays.count == 1 && delays[0].hasPrefix("Part 1: ") && delays[0].hasSuffix("; it is tried again"), "\(delays)")
    let problems = reports.problems
    #expect(!problems.isEmpty && problems.allSatisfy { delays[0].contains($0) }, "\(problems)")
    #expect(bench.reports.finished == [bench.ids[0]])
    #expect(bench.reports.failures == [])
  }

  @Test func retryDoesNotWaitForAClockThatWasSetBack() async throws {
    let file = LoopbackServer.Resource(Workbench.bytes(), type: "audio/mpeg", etag: "\"a\"")
    bench.answer("/1.mp3") { request, count in count < 2 ? .status(500) : file.answer(request) }
    let reports = bench.reports
    await bench.download {
      $0.now = { Workbench.now.addingTimeInterval(reports.problems.isEmpty ? 0 : -7200) }
    }
    #expect(reports.finished == [bench.ids[0]] && !reports.problems.isEmpty)
  }

  @Test(arguments: cases) private func answersThatAreNotMediaAreDiscarded(_ wrong: Case) async throws {
    bench.server.route("/1.mp3", wrong.response)
    await bench.download()
    #expect(bench.reports.failures.count == 1)
    #expect(bench.reports.failures.first?.hasPrefix("Part 1: " + wrong.message) == true, "\(bench.reports.failures)")
    #expect(bench.reports.queue.count == 1, "it stays in the queue, and says why")
    #expect(try bench.fileName(bench.ids[0]) == nil)
    #expect(!bench.files.contains { !$0.hasSuffix(".part") })
  }

  @Test func feedThatNamesAFileOfThisMachineIsRefused() async throws {
    let addresses = ["file:///etc/passwd", "earshot:welcome/1.opus"]
    let bench = try Workbench(episodes: 2) { $1.mediaURL = addresses[$0 - 1] }
    await bench.download(bench.ids)
    #expect(
      Set(bench.reports.failures) == [
        "Part 1: file: addresses cannot be read, only http and https",
        "Part 2: earshot: addresses cannot be read, only http and https",
      ])
  }

  @Test func loginPageDoesNotReplaceThePartFile() async throws {
    let bytes = Workbench.bytes()
    let resource = LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"a\"")
    bench.answer("/1.mp3") { request, attempt in
      switch attempt {
      case 1: resource.answer(request).cut(afterBytes: 100_000)
      case 2: .bytes(Self.page, type: "text/html")
      default: resource.answer(request)
      }
    }
    let downloader = await bench.download()
    #expect(bench.reports.failures.count == 1)
    await downloader.complete([bench.ids[0]])
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.server.requests.last?.byteRange?.first == 100_000)
  }

  /// Content-Length is too large in every answer. After a few attempts the failure is reported.
  @Test func wrongLengthIsReported() async throws {
    bench.server.route("/1.mp3") { _ in
      .raw([UInt8]("HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 100\r\n\r\nshort".utf8))
    }
    await bench.download { $0.repeats = 2 }
    #expect(bench.reports.failures.count == 1)
    #expect(try bench.fileName(bench.ids[0]) == nil)
  }

  @Test func downloadThatDoesNotFitIsRefused() async throws {
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg"))
    await bench.download {
      $0.freeSpace = { _ in 300_000 }
      $0.reserve = 100_000
    }
    #expect(bench.reports.failures == ["Part 1: not enough space: 250 kB needed, 300 kB free, 100 kB reserved"])
    #expect(bench.server.requests.count == 1)
    #expect(try bench.fileName(bench.ids[0]) == nil)
    // No empty file is left.
    #expect(!DownloadFiles(directory: bench.directory, library: bench.library).hasFiles)
  }

  @Test func libraryThatCannotBeWrittenIsReportedOnceAndNoFileIsLeft() async throws {
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg"))
    let readOnly = try Library(path: bench.libraryPath, isReadOnly: true)
    let downloader = bench.downloader(of: readOnly) { $0.freeSpace = { _ in 0 } }
    await downloader.complete([bench.ids[0]])
    #expect(bench.reports.failures.count == 2)
    #expect(bench.reports.failures.last == "Part 1: not enough space: 250 kB needed, 0 B free")
    #expect(!DownloadFiles(directory: bench.directory, library: bench.library).hasFiles)
  }

  @Test func spaceOfRunningDownloadsIsReserved() async throws {
    let gate = DispatchSemaphore(value: 0)
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg").held(afterBytes: 50_000) { gate.wait() })
    bench.server.route("/2.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg"))
    let downloader = bench.downloader { $0.freeSpace = { _ in 400_000 } }
    downloader.download([bench.ids[0]])
    await bench.reports.arrives { if case .progress(let item) = $0 { item.received == 50_000 } else { false } }
    downloader.download([bench.ids[1]])
    await bench.reports.arrives(\.isFailure)
    #expect(bench.reports.failures == ["Part 2: not enough space: 250 kB needed, 400 kB free, 200 kB reserved"])
    gate.signal()
    await downloader.waitUntilIdle()
    #expect(bench.reports.finished == [bench.ids[0]])
  }

  @Test func diskThatFillsUpKeepsThePartFile() async throws {
    let bytes = Workbench.bytes()
    bench.server.route("/1.mp3", LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"a\"").answer)
    let full = await bench.download { $0.fullAfter = 100_000 }
    #expect(bench.reports.failures == ["Part 1: the disk is full"])
    full.shutDown()
    await bench.resume()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect((bench.server.requests.last?.byteRange?.first ?? 0) > 0)
  }

  @Test func directoryThatCannotBeMadeIsReported() async throws {
    try Data().write(to: URL(fileURLWithPath: bench.directory))
    await bench.download()
    #expect(bench.reports.failures.count == 1)
    #expect(bench.reports.failures.first?.contains("cannot be written") == true)
    #expect(bench.server.requests.isEmpty)
  }

  @Test func symbolicLinkIsNotFollowed() async throws {
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg"))
    let victim = bench.root + "/victim"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
    try FileManager.default.createDirectory(atPath: bench.directory, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: bench.directory + "/kept.mp3.part", withDestinationPath: victim)
    try bench.library.saveDownload(
      Download(episode: bench.ids[0], fileName: "kept.mp3", downloadComplete: false), now: Workbench.now)
    await bench.resume()
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    #expect(bench.reports.failures.count == 1)
  }

  @Test func episodesWithoutAnHTTPAddressAreRefused() async throws {
    let bench = try Workbench { number, episode in
      episode.mediaURL = [nil, "file:///etc/passwd", "earshot:welcome/1.opus"][number - 1]
    }
    await bench.download(bench.ids)
    #expect(bench.reports.failures.count == 3)
    #expect(bench.reports.queue == [])
    #expect(try bench.library.unfinishedDownloads() == [])
  }

  /// Servers may announce any length.
  @Test func reservedSpaceIsClamped() {
    #expect(Downloader.spaceError(needed: 5, free: 10, reserved: [2, 3]) == nil)
    #expect(Downloader.spaceError(needed: 6, free: 10, reserved: [5]) == .noSpace(needed: 6, free: 10, reserved: 5))
    #expect(
      Downloader.spaceError(needed: 1, free: 10, reserved: [50, .max, .max])
        == .noSpace(needed: 1, free: 10, reserved: .max))
    #expect(Downloader.spaceError(needed: .max, free: 10, reserved: [])?.description.contains("not enough") == true)
    #expect(Downloader.spaceError(needed: 0, free: 0, reserved: [1]) == nil)
  }

  /// Another process may delete a partial file, and begin a new one.
  @Test func replacedPartFileIsNotTakenForTheDownload() throws {
    let (path, target) = (bench.directory + "/a.mp3.part", bench.directory + "/a.mp3")
    let file = try PartFile(path: path)
    try Workbench.bytes().withUnsafeBytes { bytes in try file.append(bytes) }
    #expect(unlink(path) == 0)
    try Data("half".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: DownloadError.self) { try file.finish(as: target) }
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(FileManager.default.contents(atPath: path) == Data("half".utf8))
  }
}
