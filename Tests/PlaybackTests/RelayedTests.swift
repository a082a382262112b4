import Foundation
import HTTP
import LoopbackServer
import Model
import Streams
import Testing

@testable import Playback

/// Playback through the relay: the same results as without it, and nothing is fetched twice.
extension RealCore {
  @Suite struct Relayed {
    /// The relay as a stream source. Its failure messages are tested with the program.
    struct Source: StreamSource {
      let relay: StreamRelay
      let cache: StreamCache
      let directory: TemporaryDirectory

      init(directory: TemporaryDirectory? = nil) throws {
        self.directory = try directory ?? TemporaryDirectory()
        cache = StreamCache(directory: self.directory.path + "/copies", limit: 1 << 30)
        var http = HTTPOptions()
        http.ignoresProxies = true
        relay = StreamRelay(cache: cache, options: StreamRelay.Options(http: http))
      }

      func address(for address: String) -> String? { relay.address(for: address) }
      func isUnfinished(_ address: String) -> Bool { relay.isUnfinished(address) }
      func timing(of address: String) -> StreamTiming? { relay.timing(of: address) }
      func lastFailure(for address: String) -> PlaybackError? {
        switch relay.lastFailure(for: address) {
        case nil: nil
        case .gone: .httpStatus(410, "")
        case .some(let error): .unreachable(error.cause)
        }
      }
    }

    private let source: Source
    private let file = TestAudio.clock(seconds: 20)
    private var resource: LoopbackServer.Resource {
      LoopbackServer.Resource(file, type: "audio/wav", etag: "\"1\"")
    }

    init() throws { source = try Source() }

    /// Returns when the copy has all bytes. The player gets them first.
    private func copyIsComplete(of address: String) async throws {
      let copy = source.cache.copy(of: try WebAddress(address))
      let end = ContinuousClock.now + .seconds(300)
      while copy.size < file.count, .now < end { try await Task.sleep(for: .milliseconds(1)) }
      try #require(copy.size >= file.count, "the copy has too few bytes")
    }

    @Test func samplesArePlayedAndStoredOnce() async throws {
      let server = try LoopbackServer(serving: resource, at: "/a.wav")
      let directory = try TemporaryDirectory()
      do {
        let test = ListeningTest(recordingIn: directory) { $0.streams = source }
        test.load(server.url("/a.wav"))
        #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
        #expect(try test.recording().samples.count == 20 * TestAudio.rate)
      }
      try await copyIsComplete(of: server.url("/a.wav"))
      let copy = source.cache.copy(of: try WebAddress(server.url("/a.wav")))
      #expect(copy.read(at: 0, count: file.count, of: try #require(copy.version)) == file)
      let asked = server.requests.count
      // Played once more, and from the middle: nothing is requested again.
      do {
        let test = ListeningTest { $0.streams = source }
        test.load(server.url("/a.wav"), start: 10)
        #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      }
      #expect(server.requests.count == asked)
    }

    /// FFmpeg does not notice the chain if the last stream is short. The second time, all comes from the copy.
    @Test(.enabled(if: Encoder.path != nil, "ffmpeg makes the files, and is not installed"))
    func shortChainedStreamIsHeardToItsEnd() async throws {
      let directory = try TemporaryDirectory()
      let bytes = try TestAudio.chain("libvorbis", rate: 8000, in: directory)
      let server = try LoopbackServer(serving: .init(bytes, type: "audio/ogg", etag: "\"1\""), at: "/a.ogg")
      for start in [45.25, 15.25] {
        let test = ListeningTest(recordingIn: directory) { $0.streams = source }
        test.load(server.url("/a.ogg"), start: start) { $0.feedDuration = 60 }
        #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
        let heard = try test.recording()
        #expect(heard.second() == Int(start) && abs(heard.seconds - (60 - start)) < 0.3)
      }
    }

    @Test func truncatedAnswerIsContinuedAtTheByte() async throws {
      let server = try LoopbackServer(routes: [:])
      let resource = resource
      server.route("/a.wav") { request in
        let answer = resource.answer(request)
        return (request.byteRange?.first ?? 0) < 100_000 ? answer.cut(afterBytes: 100_000) : answer
      }
      let test = ListeningTest { $0.streams = source }
      test.load(server.url("/a.wav"))
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(server.requests.last?.byteRange?.first == 100_000)
      try await copyIsComplete(of: server.url("/a.wav"))
      let copy = source.cache.copy(of: try WebAddress(server.url("/a.wav")))
      #expect(copy.read(at: 0, count: file.count, of: try #require(copy.version)) == file)
    }

    @Test func earlierPositionComesFromTheDisk() async throws {
      let server = try LoopbackServer(serving: resource, at: "/a.wav")
      let test = ListeningTest(.null(isTimed: true)) {
        $0.streams = source
        // The buffer is so small that mpv drops earlier positions.
        $0.bufferBytes = 32 * 1024
      }
      // Paused from the start: on a busy machine a playing file could end before this test gets a thread again.
      test.load(server.url("/a.wav"), start: 15) { $0.isPaused = true }
      #expect(await test.next { $0.positionSeconds }.map { abs($0 - 15) < 0.01 } == true)
      test.player.seek(to: 2)
      #expect(await test.settles(at: 2))
      test.player.seek(to: 15)
      #expect(await test.settles(at: 15))
      let starts = server.requests.compactMap { $0.byteRange?.first }
      #expect(Set(starts).count == starts.count)
    }

    @Test func reasonOfTheServerIsReported() async throws {
      let server = try LoopbackServer(routes: ["/gone.mp3": .status(410)])
      let test = ListeningTest { $0.streams = source }
      test.load(server.url("/gone.mp3"))
      let gone = await test.next { event in if case .failed(_, _, let text, _) = event { text } else { nil } }
      #expect(gone == "the server does not have the file any more (410)")
      server.stop()
      test.load(server.url("/gone.mp3"), generation: 2)
      let away = await test.next { event in if case .failed(2, _, let text, _) = event { text } else { nil } }
      #expect(away == "the server cannot be reached: no connectivity: 127.0.0.1 does not accept connections")
    }

    @Test func streamCopyPlaysWithoutANetworkToItsEnd() async throws {
      let server = try LoopbackServer(serving: resource, at: "/a.wav")
      let first = ListeningTest { $0.streams = source }
      first.load(server.url("/a.wav"))
      #expect(await first.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(first.player.shutDown(waitingAtMost: 300))
      try await copyIsComplete(of: server.url("/a.wav"))
      source.cache.save()
      server.stop()
      // A later run of the program has the copy, but does not know whether it is current.
      let later = try Source(directory: source.directory)
      let second = ListeningTest { $0.streams = later }
      second.load(server.url("/a.wav"))
      #expect(await second.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
    }

    @Test(arguments: [true, false]) func serverWithoutRangesIsReadUpToThePosition(advertises: Bool) async throws {
      let server = try LoopbackServer(routes: [:])
      var whole = resource
      whole.honoursRanges = false
      let answer = whole
      server.route("/a.wav") { request in
        advertises ? answer.answer(request).header("Accept-Ranges", "bytes") : answer.answer(request)
      }
      let test = ListeningTest(.null(isTimed: true)) {
        $0.streams = source
        $0.bufferBytes = 32 * 1024
      }
      // Paused from the start: a playing file could end before this test gets a thread again.
      test.load(server.url("/a.wav")) { $0.isPaused = true }
      #expect(await test.next { $0.positionSeconds }.map { abs($0) < 0.01 } == true)
      test.player.seek(to: 18)
      #expect(await test.settles(at: 18))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
    }

    /// Such a server sends the file from its beginning after a break. What was heard is not heard again.
    @Test func brokenStreamWithoutRangesContinuesAtItsPosition() async throws {
      let server = try LoopbackServer(routes: [:])
      var whole = resource
      whole.honoursRanges = false
      let (answer, half) = (whole, file.count / 2)
      server.route("/a.wav") { [weak server] request in
        (server?.requests(to: "/a.wav").count ?? 0) > 1
          ? answer.answer(request) : answer.answer(request).cut(afterBytes: half)
      }
      let test = ListeningTest(.null(isTimed: true)) {
        $0.streams = source
        $0.outageInterval = 0.01
      }
      test.load(server.url("/a.wav")) { $0.speed = 4 }
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true), "\(test.seen.suffix(8))")
      let positions = test.seen.compactMap(\.positionSeconds)
      #expect(positions == positions.sorted() && positions.count > 5, "\(positions)")
    }

    @Test func changedFileInMidStreamIsOpenedAtThePosition() async throws {
      let server = try LoopbackServer(routes: [:])
      let resource = resource
      let other = LoopbackServer.Resource(TestAudio.clock(seconds: 15), type: "audio/wav", etag: "\"2\"")
      server.route("/a.wav") { request in
        server.route("/a.wav", other.answer)
        return resource.answer(request).cut(afterBytes: 100_000)
      }
      let test = ListeningTest(.null(isTimed: true)) {
        $0.streams = source
        $0.outageInterval = 0.1
      }
      test.load(server.url("/a.wav"))
      let end = await test.next { Outcome($0) }
      #expect(test.seen.contains(.duration(generation: 1, seconds: 15)))
      #expect(end == .ended(generation: 1, atEnd: true))
    }

    @Test func liveStreamHasNoEnd() async throws {
      let server = try LoopbackServer(routes: [:])
      let file = file
      server.route("/live") { _ in .bytes(file, type: "audio/wav").untilClose() }
      let test = ListeningTest { $0.streams = source }
      test.load(server.url("/live"))
      #expect(await test.next { Outcome($0) } != nil)
      #expect(source.cache.copy(of: try WebAddress(server.url("/live"))).size == 0)
    }

    /// An mp3 of ten seconds that does not give its duration.
    private func soundWithoutDuration() throws -> [UInt8] {
      let directory = try TemporaryDirectory()
      let sound = TestAudio.scale(seconds: 10)
      return try TestAudio.bytes(of: TestAudio.compressed(sound, TestAudio.withoutDuration, in: directory))
    }

    /// The server sends no length, and the last bytes arrive while the sound plays. FFmpeg then reports that the stream
    /// ends prematurely, although nobody knows how long it is.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg"), arguments: [true, false]) func streamWithoutALengthEnds(
      isChunked: Bool
    ) async throws {
      let server = try LoopbackServer(routes: [:])
      let sound = LoopbackServer.Response.bytes(try soundWithoutDuration(), type: "audio/mpeg")
      let answer = (isChunked ? sound.chunked() : sound.untilClose()).dripping(bytes: 40_000, everyMilliseconds: 1000)
      server.route("/a.mp3", answer)
      let test = ListeningTest(.null(isTimed: true)) { $0.streams = source }
      test.load(server.url("/a.mp3")) { $0.speed = 4 }
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
    }

    /// The same, but the server breaks off. The episode has not been played to its end.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func streamWithoutALengthBreaksOff() async throws {
      let server = try LoopbackServer(routes: [:])
      let sound = LoopbackServer.Response.bytes(try soundWithoutDuration(), type: "audio/mpeg").chunked()
      server.route("/a.mp3", sound.dripping(bytes: 40_000, everyMilliseconds: 1000).cut(afterBytes: 50_000))
      let test = ListeningTest(.null(isTimed: true)) { $0.streams = source }
      test.load(server.url("/a.mp3")) { $0.speed = 4 }
      let cause: String? = await test.next { event in
        switch event {
        case .waitsForNetwork(_, let wait): wait.cause
        case .failed(_, _, let message, _): message
        case .ended: "ended"
        default: nil
        }
      }
      #expect(cause != "ended", "\(test.seen.suffix(5)) \(server.requests.map { $0.header("Range") ?? "-" })")
    }

    /// The same, but the server sends nothing more and keeps the connection open. FFmpeg gives up without a message.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func streamWithoutALengthThatStopsIsNotOver() async throws
    {
      let isOver = DispatchSemaphore(value: 0)
      let server = try LoopbackServer(routes: [:])
      defer { isOver.signal() }
      let sound = LoopbackServer.Response.bytes(try soundWithoutDuration(), type: "audio/mpeg").chunked()
      server.route("/a.mp3", sound.held(afterBytes: 50_000) { isOver.wait() })
      let test = ListeningTest { $0.streams = source }
      test.load(server.url("/a.mp3"))
      let seconds = await test.next { event in event.failureSeconds ?? event.endSeconds.map { _ in 0 } }
      #expect((seconds ?? 0) > 3)
    }

    @Test func nextFileIsOpenedAheadThroughTheRelay() async throws {
      let server = try LoopbackServer(routes: [:])
      let short = LoopbackServer.Resource(TestAudio.clock(seconds: 2), type: "audio/wav", etag: "\"1\"")
      for name in ["/a.wav", "/b.wav"] { server.route(name, short.answer) }
      let test = ListeningTest(.null(isTimed: true)) { $0.streams = source }
      test.load(server.url("/a.wav"))
      test.player.prepare(PlayRequest(address: server.url("/b.wav"), generation: 0))
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      test.load(server.url("/b.wav"), generation: 2)
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true))
      #expect(server.requests(to: "/b.wav").count == 1)
    }
  }
}
