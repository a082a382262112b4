import Foundation
import LoopbackServer
import Model
import Testing

@testable import Playback

extension RealCore {
  /// The next file is opened ahead and plays without a gap.
  @Suite struct Upcoming {
    private let directory: TemporaryDirectory
    private let server: LoopbackServer
    private let test: ListeningTest
    /// The length of the first file in seconds. It has more than the 65,536 samples that mpv's `ao=pcm` takes in at
    /// once: libmpv 0.41 says of a shorter file that it has ended, although it is paused.
    private static let seconds = 10

    init() throws {
      directory = try TemporaryDirectory()
      server = try LoopbackServer()
      test = ListeningTest(recordingIn: directory)
      server.route("/a.wav", LoopbackServer.Resource(TestAudio.clock(seconds: Self.seconds), type: "audio/wav").answer)
      server.route("/b.wav", LoopbackServer.Resource(TestAudio.clock(seconds: 2), type: "audio/wav").answer)
    }

    private func request(_ path: String, generation: Int = 2, start: Double = 0) -> PlayRequest {
      PlayRequest(address: server.url(path), generation: generation, start: start)
    }

    /// Opens the first file paused, so that nothing depends on timing, and then the next one ahead. A request at the
    /// server shows whether the next file was opened ahead.
    private func openBoth(_ next: PlayRequest, in other: ListeningTest? = nil) async -> Bool {
      let test = other ?? test
      test.load(server.url("/a.wav")) { $0.isPaused = true }
      guard await test.next(\.positionSeconds) != nil else { return false }
      let path = String(next.address.dropFirst(server.baseURL.count))
      // No position is reported in a pause, so the player looks only now whether all of the first file is there.
      for round in 1...150 where server.requests(to: path).isEmpty {
        test.player.prepare(next)
        _ = await server.requestsArrive(server.requests.count + 1, within: min(Double(round) / 10, 5))
      }
      return !server.requests(to: path).isEmpty
    }

    /// The milliseconds that were heard, one value each, decoded from `TestAudio.clock`.
    private func heard() throws -> [Int] {
      let recording = try test.recording()
      return stride(from: 0, to: recording.samples.count, by: recording.rate / 1000).map { Int(recording.samples[$0]) }
    }

    @Test func nextFileFollowsWithoutAGap() async throws {
      #expect(await openBoth(request("/b.wav")))
      // Its request to the server goes on.
      test.player.prepare(request("/b.wav"))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - Double(Self.seconds)) < 0.01 } == true)
      // The file was not loaded yet: no event is reported.
      test.player.load(request("/b.wav"))
      #expect(await test.next { $0.isStart ? $0 : nil } == .started(generation: 2, duration: 2, seekable: true))
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 2) < 0.01 } == true)
      #expect(server.requests(to: "/b.wav").count == 1)
      #expect(try heard() == Array(0..<Self.seconds * 1000) + Array(0..<2000))
    }

    @Test func nextFileStartsAfterItsIntro() async throws {
      #expect(await openBoth(request("/b.wav", start: 0.5)))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      test.player.load(request("/b.wav", start: 0.5))
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true), "\(test.seen)")
      #expect(try heard() == Array(0..<Self.seconds * 1000) + Array(500..<2000))
    }

    @Test func seeksOutsideTheBufferWork() async throws {
      // A file whose second half is only sent on request.
      let bytes = TestAudio.clock(seconds: 30)
      let sound = LoopbackServer.Resource(bytes, type: "audio/wav")
      server.route("/b.wav") { request in
        guard (request.byteRange?.first ?? 0) < bytes.count / 2 else { return sound.answer(request) }
        var response = sound.answer(request)
        response.pace = LoopbackServer.Response.Pace(bytes: 64_000, milliseconds: 2000)
        return response
      }
      #expect(await openBoth(request("/b.wav", start: 0.5)))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      var wanted = request("/b.wav", start: 0.5)
      wanted.isPaused = true
      test.player.load(wanted)
      _ = await test.next { $0 == .paused(generation: 2, true) ? true : nil }
      test.player.seek(to: 25)
      #expect(await test.settles(at: 25))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 30) < 0.05 } == true)
    }

    @Test func latestRequestDecidesPositionAndSound() async throws {
      #expect(await openBoth(request("/b.wav")))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      var wanted = request("/b.wav", start: 1)
      wanted.speed = 1.5
      wanted.volume = 70
      wanted.isPaused = true
      test.player.load(wanted)
      #expect(await test.settles(at: 1))
      #expect(test.seen.contains(.paused(generation: 2, true)))
      #expect(test.seen.contains(.speed(1.5)))
      #expect(test.seen.contains(.volume(70)))
    }

    @Test func loadOfAnotherFileReplacesTheUpcomingFile() async throws {
      server.route("/c.wav", LoopbackServer.Resource(TestAudio.clock(seconds: 1), type: "audio/wav").answer)
      #expect(await openBoth(request("/b.wav")))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      test.player.load(request("/c.wav"))
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 1) < 0.01 } == true)
    }

    @Test func cancelledUpcomingFileIsNotPlayed() async throws {
      #expect(await openBoth(request("/b.wav")))
      test.player.prepare(nil)
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(try heard() == Array(0..<Self.seconds * 1000))
    }

    @Test func seekBackDelaysTheNextFile() async throws {
      #expect(await openBoth(request("/b.wav")))
      test.player.seek(to: 2)
      #expect(await test.settles(at: 2))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      test.player.load(request("/b.wav"))
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true))
      let ends = test.seen.compactMap(\.endSeconds)
      #expect(ends.count == 2 && abs(ends[0] - Double(Self.seconds)) < 0.01 && abs(ends[1] - 2) < 0.01, "\(test.seen)")
    }

    @Test func openErrorOfUpcomingFileIsReportedOnLoad() async throws {
      #expect(await openBoth(request("/none.wav")))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      test.player.load(request("/none.wav"))
      #expect(await test.next { Outcome($0) } == .failed(generation: 2))
      #expect(test.seen.last?.failure?.contains("404") == true)
      #expect(try heard() == Array(0..<Self.seconds * 1000))
    }

    @Test func earlyLoadUsesTheOpenUpcomingFile() async throws {
      #expect(await openBoth(request("/b.wav")))
      test.player.load(request("/b.wav"))
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true))
      #expect(server.requests(to: "/b.wav").count == 1)
      #expect(!test.seen.contains { if case .ended(1, _, _) = $0 { true } else { false } })
      #expect(try heard() == Array(0..<2000))
    }

    /// Half of it arrives and then nothing: mpv reports that as the end of the file.
    @Test func cutFileIsNotFollowedByTheNext() async throws {
      let sound = LoopbackServer.Resource(TestAudio.clock(seconds: 60), type: "audio/wav")
      server.route("/a.wav") { request in
        (request.byteRange?.first ?? 0) == 0 ? sound.answer(request).cut(afterBytes: 80_000) : .status(404)
      }
      test.load(server.url("/a.wav")) { $0.isPaused = true }
      _ = await test.next(\.positionSeconds)
      test.player.prepare(request("/b.wav"))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .failed(generation: 1))
      #expect(server.requests(to: "/b.wav").isEmpty)
    }

    /// On a busy machine mpv reaches the end of the next file before the player loads it. That is not a broken
    /// stream, whatever the next file's start position.
    @Test(arguments: LateMpv.LastEvent.allCases, [0, 1])
    func endIsDecidedByTheReportedPositions(lastEvent: LateMpv.LastEvent, start: Double) async throws {
      let late = ListeningTest(.null(isTimed: false)) {
        $0.adaptLibrary = { LateMpv.adapt($0, lastEvent: lastEvent) }
      }
      #expect(await openBoth(request("/b.wav"), in: late))
      late.player.setPaused(false)
      #expect(await late.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      late.player.load(request("/b.wav", start: start))
      #expect(await late.next { Outcome($0) } == .ended(generation: 2, atEnd: true), "\(late.seen)")
      #expect(late.seen.last?.endSeconds.map { abs($0 - 2) < 0.01 } == true)
    }

    @Test func upcomingFileThatIsNeverLoadedIsStopped() async throws {
      let timed = ListeningTest(.null(isTimed: true))
      let long = try directory.write(TestAudio.clock(seconds: 60), as: "long.wav")
      let short = try directory.write(TestAudio.clock(seconds: 2), as: "short.wav")
      timed.load(short)
      _ = await timed.next(\.positionSeconds)
      timed.player.prepare(PlayRequest(address: long, generation: 2))
      #expect(await timed.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      // The upcoming file is no longer open when it is loaded, so it starts from its beginning.
      timed.player.stop()
      // Paused, so that its start position does not depend on when it is read.
      timed.load(long, generation: 2) { $0.isPaused = true }
      let first = await timed.next(\.positionSeconds)
      #expect(first == 0)
    }

    @Test func upcomingFileAfterALocalFileHasItsOwnOptions() async throws {
      // The manifest names a local file. mpv would open it under the rules for the local file before it.
      let secret = try directory.write(TestAudio.clock(seconds: 5), as: "secret.wav")
      server.route(
        "/list.m3u8",
        .text("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile://\(secret)\n#EXT-X-ENDLIST\n", type: "audio/mpegurl")
      )
      let timed = ListeningTest(.null(isTimed: true))
      try timed.loadFile(TestAudio.clock(seconds: 1))
      _ = await timed.next(\.positionSeconds)
      timed.player.prepare(request("/list.m3u8"))
      #expect(await timed.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      timed.player.load(request("/list.m3u8"))
      #expect(await timed.next { Outcome($0) } == .failed(generation: 2))
    }
  }
}
