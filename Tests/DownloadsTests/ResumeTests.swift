import ChildProcesses
import Foundation
import LoopbackServer
import Model
import Testing

@testable import Downloads
@testable import Store

/// Every way in which a download can stop and resume.
@Suite(InTurn()) struct ResumeTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// What the child of the exit test is told.
  private struct Given: Codable {
    var path: String
    var directory: String
    var id: Int64
  }

  /// Cuts each answer after `bytes`, so that the whole file needs several requests.
  private func cutting(_ resource: LoopbackServer.Resource, after bytes: Int) -> LoopbackServer.Handler {
    { resource.answer($0).cut(afterBytes: bytes) }
  }

  @Test func truncatedDownloadResumesAtTheByte() async throws {
    let bytes = Workbench.bytes()
    bench.server.route(
      "/1.mp3", cutting(LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"a\""), after: 100_000))
    await bench.download()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.server.requests.map { $0.byteRange?.first } == [nil, 100_000, 200_000])
    #expect(bench.server.requests.map { $0.header("If-Range") } == [nil, "\"a\"", "\"a\""])
  }

  @Test func lastModifiedAllowsResuming() async throws {
    let bytes = Workbench.bytes()
    // The loopback server's Date header is always 1994-11-06.
    let date = "Sat, 05 Nov 1994 08:49:37 GMT"
    bench.server.route(
      "/1.mp3", cutting(LoopbackServer.Resource(bytes, type: "audio/mpeg", lastModified: date), after: 150_000))
    await bench.download()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.server.requests.map { $0.header("If-Range") } == [nil, date])
  }

  @Test(arguments: [nil, "W/\"weak\""]) func downloadWithoutAStrongValidatorStartsOver(etag: String?) async throws {
    let bytes = Workbench.bytes()
    let resource = LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: etag)
    bench.answer("/1.mp3") { request, attempt in
      let answer = resource.answer(request)
      return attempt == 1 ? answer.cut(afterBytes: 100_000) : answer
    }
    await bench.download()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.server.requests.map { $0.byteRange?.first } == [nil, nil])
  }

  @Test func changedFileIsDownloadedAgain() async throws {
    let (old, new) = (Workbench.bytes(seed: 1), Workbench.bytes(240_000, seed: 2))
    bench.answer("/1.mp3") { request, attempt in
      attempt == 1
        ? LoopbackServer.Resource(old, type: "audio/mpeg", etag: "\"old\"").answer(request).cut(afterBytes: 100_000)
        : LoopbackServer.Resource(new, type: "audio/mpeg", etag: "\"new\"").answer(request)
    }
    await bench.download()
    #expect(try bench.contents(bench.ids[0]) == new)
    #expect(bench.server.requests.last?.header("If-Range") == "\"old\"")
  }

  /// A server that ignores If-Range and sends the rest of another file. The change is detected by ETag, length or
  /// first bytes.
  @Test(arguments: ["etag", "length", "start", "nothing"]) func restOfAnotherFileIsRefused(
    wrong: String
  ) async throws {
    let (old, new) = (Workbench.bytes(seed: 1), Workbench.bytes(240_000, seed: 2))
    bench.answer("/1.mp3") { request, attempt in
      guard attempt > 1 else {
        return LoopbackServer.Resource(old, type: "audio/mpeg", etag: "\"old\"").answer(request).cut(
          afterBytes: 100_000)
      }
      guard let first = request.byteRange?.first else {
        return LoopbackServer.Resource(new, type: "audio/mpeg", etag: "\"new\"").answer(request)
      }
      let start = wrong == "start" ? first - 10 : first
      let total = wrong == "length" ? 240_000 : 250_000
      var headers = [("Content-Range", "bytes \(start)-\(total - 1)/\(total)")]
      if wrong == "nothing" { headers = [] }
      headers.append(("ETag", wrong == "etag" ? "\"new\"" : "\"old\""))
      return LoopbackServer.Response(status: 206, headers: headers, body: .bytes([UInt8](new[100_000...])))
    }
    await bench.download()
    #expect(try bench.contents(bench.ids[0]) == new)
    #expect(bench.server.requests.map { $0.byteRange?.first } == [nil, 100_000, nil])
  }

  /// A server without ETags that ignores If-Range. The file has changed, and its length has not.
  @Test func restOfAFileWithAnotherDateIsRefused() async throws {
    let (old, new) = (Workbench.bytes(seed: 1), Workbench.bytes(seed: 2))
    // The loopback server's Date header is always 1994-11-06.
    let (before, after) = ("Sat, 05 Nov 1994 08:49:37 GMT", "Sat, 05 Nov 1994 09:00:00 GMT")
    bench.answer("/1.mp3") { request, attempt in
      guard attempt > 1 else {
        return LoopbackServer.Resource(old, type: "audio/mpeg", lastModified: before).answer(request).cut(
          afterBytes: 100_000)
      }
      guard let first = request.byteRange?.first else {
        return LoopbackServer.Resource(new, type: "audio/mpeg", lastModified: after).answer(request)
      }
      let headers = [
        ("Content-Range", "bytes \(first)-\(new.count - 1)/\(new.count)"), ("Last-Modified", after),
      ]
      return LoopbackServer.Response(status: 206, headers: headers, body: .bytes([UInt8](new[first...])))
    }
    await bench.download()
    #expect(try bench.contents(bench.ids[0]) == new)
    #expect(bench.server.requests.map { $0.byteRange?.first } == [nil, 100_000, nil])
  }

  @Test func serverWithoutRangesSendsTheWholeFile() async throws {
    let bytes = Workbench.bytes()
    let resource = LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"a\"", honoursRanges: false)
    bench.answer("/1.mp3") { request, attempt in
      let answer = resource.answer(request)
      return attempt < 3 ? answer.cut(afterBytes: 100_000) : answer
    }
    await bench.download()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.server.requests.count == 3)
  }

  /// All bytes were written, but the process was killed before it renamed the file.
  @Test func completePartIsRenamed() async throws {
    let bytes = Workbench.bytes()
    try bench.leave(part: bytes, etag: "\"a\"", total: 250_000)
    await bench.resume()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.server.requests.isEmpty)
  }

  /// The process was killed after it renamed the file and before it updated the library.
  @Test func completeFileIsRecorded() async throws {
    let bytes = Workbench.bytes()
    try bench.leave(part: bytes, etag: "\"a\"", total: 250_000, ending: "")
    await bench.resume()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.files == ["kept.mp3"])
    #expect(bench.server.requests.isEmpty)
  }

  /// The server answers 416 to the range after the last byte. The part is complete when its length matches, else the
  /// file has changed.
  @Test(arguments: [250_000, 200_000]) func rangeBeyondTheEndIsHandled(size: Int) async throws {
    let bytes = Workbench.bytes(size)
    try bench.leave(part: Workbench.bytes(250_000), etag: "\"a\"", total: nil)
    bench.server.route("/1.mp3", LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"a\"").answer)
    await bench.resume()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.server.requests.count == (size == 250_000 ? 1 : 2))
  }

  @Test func anotherAddressInTheFeedStartsOver() async throws {
    let bytes = Workbench.bytes()
    try bench.leave(part: Array(bytes[..<1000]), etag: "\"a\"", total: 250_000, url: "http://elsewhere.example/1.mp3")
    bench.server.route("/1.mp3", LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"a\"").answer)
    await bench.resume()
    #expect(try bench.contents(bench.ids[0]) == bytes)
    #expect(bench.server.requests.map { $0.byteRange?.first } == [nil])
  }

  /// A refresh found another address since the download stopped. The bytes of the old address are not continued.
  @Test(arguments: [true, false]) func repeatedDownloadUsesTheNewAddress(isPaused: Bool) async throws {
    let bench = try Workbench(episodes: 1)
    let id = bench.ids[0]
    let downloader = bench.downloader { $0.repeats = 0 }
    if isPaused {
      let gate = await bench.beginHeldDownload(by: downloader, etag: "\"a\"")
      downloader.pause([id])
      await downloader.waitUntilIdle()
      gate.signal()
    } else {
      let old = LoopbackServer.Resource(Workbench.bytes(5000), type: "audio/mpeg", etag: "\"a\"")
      bench.server.route("/1.mp3", cutting(old, after: 1000))
      await downloader.complete([id])
    }
    #expect(bench.files == ["A Show/2023-11-15 Part 1.mp3.part"])
    let new = Workbench.bytes(4000, seed: 2)
    bench.server.route("/1.mp3", .status(404))
    bench.server.route("/new.mp3", LoopbackServer.Resource(new, type: "audio/mpeg", etag: "\"a\"").answer)
    var episode = FeedEpisode()
    episode.title = "Part 1"
    episode.guid = "guid-1"
    episode.mediaURL = bench.server.url("/new.mp3")
    episode.mediaType = "audio/mpeg"
    let feed = try bench.library.prepare(Feed(episodes: [episode]), of: bench.podcast)
    _ = try bench.library.store([.feed(bench.podcast, feed)], now: Workbench.now)[0].get()
    await downloader.complete([id])
    #expect(try bench.contents(id) == new)
    #expect(bench.server.requests(to: "/new.mp3").map { $0.byteRange?.first } == [nil])
  }

  @Test func emptyAnswersEndTheRetries() async throws {
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg").cut(afterBytes: 0))
    let downloader = await bench.download { $0.repeats = 3 }
    #expect(bench.server.requests.count == 4)
    #expect(bench.reports.failures.count == 1)
    #expect(bench.reports.failures[0].hasPrefix("Part 1: no connectivity"))
    // The download is retried at the next start.
    downloader.shutDown()
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg"))
    await bench.resume()
    #expect(try bench.contents(bench.ids[0]) == Workbench.bytes())
  }

  @Test func retryAfterIsKept() async throws {
    bench.answer("/1.mp3") { _, attempt in
      attempt == 1
        ? .status(429, headers: [("Retry-After", "1")]) : .bytes(Workbench.bytes(10), type: "audio/mpeg")
    }
    await bench.download()
    #expect(bench.reports.finished == [bench.ids[0]])
    #expect(bench.reports.failures == [])
    #expect(bench.server.requests.count == 2)
  }

  /// A server that asks for a second of patience for ever is not asked for ever.
  @Test func retryAfterEndsWithAReason() async throws {
    bench.answer("/1.mp3") { _, _ in .status(429, headers: [("Retry-After", "0")]) }
    let downloader = await bench.download { $0.repeats = 2 }
    #expect(bench.server.requests.count == 3)
    #expect(bench.reports.failures.count == 1)
    let problem = try #require(try bench.library.download(bench.ids[0])?.problem)
    #expect(bench.reports.failures[0].hasSuffix(problem))
    // The next start tries it again.
    downloader.shutDown()
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg"))
    await bench.resume()
    #expect(try bench.contents(bench.ids[0]) == Workbench.bytes())
    #expect(try bench.library.download(bench.ids[0])?.problem == nil)
  }

  /// A pause that is over when it arrives must not allow endless requests.
  @Test func retryAfterThatIsOverEndsTheRetries() async throws {
    bench.answer("/1.mp3") { _, attempt in
      attempt < 20
        ? .status(503, headers: [("Retry-After", "0")]) : .bytes(Workbench.bytes(10), type: "audio/mpeg")
    }
    await bench.download { $0.repeats = 2 }
    #expect(bench.server.requests.count == 3)
    #expect(bench.reports.failures.count == 1)
  }

  /// After `kill -9` of a downloading process the next process resumes at the last byte.
  @Test func killedProcessLosesNothing() async throws {
    let bytes = Workbench.bytes()
    let resource = LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"a\"")
    let gate = DispatchSemaphore(value: 0)
    bench.server.route("/1.mp3") { request in
      let answer = resource.answer(request)
      return request.byteRange == nil ? answer.held(afterBytes: 100_000) { gate.wait() } : answer
    }
    let id = bench.ids[0]
    let (path, directory) = (bench.libraryPath, bench.directory)
    try ExitTestValues.send(Given(path: path, directory: directory, id: id.rawValue))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let given = try ExitTestValues.receive(Given.self)
      let downloader = Downloader(
        library: try Library(path: given.path), http: Workbench.http, options: Workbench.options(given.directory)
      ) { report in
        if report.isProgress { kill(getpid(), SIGKILL) }
      }
      downloader.download([EpisodeID(given.id)])
      downloader.wait()
    }
    gate.signal()
    #expect(bench.files.count == 1)
    #expect(bench.files.allSatisfy { $0.hasSuffix(".part") })
    await bench.resume()
    #expect(try bench.contents(id) == bytes)
    #expect(bench.server.requests.count == 2)
    #expect((bench.server.requests.last?.byteRange?.first ?? 0) > 0)
  }

  /// The program was killed after renaming the file and before the library recorded it. The server never stated the
  /// length.
  @Test func renamedFileOfUnknownLengthIsFoundAgain() async throws {
    let bytes = Workbench.bytes(5000)
    bench.server.route("/1.mp3", .bytes(bytes, type: "audio/mpeg").chunked())
    try bench.library.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refused BEFORE INSERT ON download WHEN new.downloadComplete
          BEGIN SELECT raise(ABORT, 'killed'); END
          """)
    }
    let killed = await bench.download()
    killed.shutDown()
    #expect(bench.reports.failures.count == 1 && bench.reports.finished == [])
    try bench.library.write { db in try db.execute(sql: "DROP TRIGGER refused") }
    await bench.resume()
    #expect(bench.server.requests(to: "/1.mp3").count == 1)
    #expect(bench.files == ["A Show/2023-11-15 Part 1.mp3"])
    #expect(try bench.contents(bench.ids[0]) == bytes)
  }
}

extension Workbench {
  /// The state that a killed process left of episode 1: bytes in `kept.mp3.part`, and the resume data in the library.
  func leave(
    part bytes: [UInt8], etag: String?, total: Int64?, url: String? = nil, ending: String = ".part"
  ) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: directory + "/kept.mp3" + ending))
    var resume = ResumeData(url: url ?? server.url("/1.mp3"))
    resume.etag = etag
    resume.total = total
    try library.saveDownload(
      Download(episode: ids[0], fileName: "kept.mp3", downloadComplete: false, resumeData: resume.text),
      now: Self.now)
  }
}
