import CMpv
import Foundation
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import Playback

extension RealCore {
  @Suite struct Ending {
    private let sound = TestAudio.clock(seconds: 60)

    private func outcome(of server: LoopbackServer, start: Double = 0) async -> (Outcome?, ListeningTest) {
      let test = ListeningTest()
      test.load(server.url("/a.wav"), start: start)
      return (await test.next { Outcome($0) }, test)
    }

    @Test func completeStreamEnds() async throws {
      let server = try LoopbackServer(serving: .init(sound, type: "audio/wav"), at: "/a.wav")
      let (outcome, test) = await outcome(of: server)
      #expect(outcome == .ended(generation: 1, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 60) < 0.2 } == true)
    }

    /// The sound in the device's buffer is played before the file is closed. On a slow machine this test could pass
    /// wrongly.
    @Test func endIsReportedAfterTheLastSound() async throws {
      let test = ListeningTest(.null(isTimed: true))
      let sound = TestAudio.clock(seconds: 2)
      let start = ContinuousClock.now
      try test.loadFile(sound)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(ContinuousClock.now - start > .seconds(1.9))
    }

    /// The first answer stops after `count` bytes, and requests for the rest are refused.
    private func cut(_ bytes: [UInt8], type: String, afterBytes count: Int) -> LoopbackServer.Handler {
      let file = LoopbackServer.Resource(bytes, type: type)
      return { request in
        (request.byteRange?.first ?? 0) == 0 ? file.answer(request).cut(afterBytes: count) : .status(404)
      }
    }

    @Test func truncatedStreamDoesNotEndTheFile() async throws {
      let server = try LoopbackServer()
      server.route("/a.wav", cut(sound, type: "audio/wav", afterBytes: sound.count / 2))
      let (outcome, test) = await outcome(of: server)
      #expect(outcome == .failed(generation: 1))
      let seconds = test.seen.last?.failureSeconds ?? -1
      #expect(abs(seconds - 30) < 1, "\(test.seen)")
      #expect(test.seen.last?.failure?.hasPrefix("the stream broke off at 0:") == true)
      #expect(test.seen.last?.failure?.hasSuffix(" of 1:00") == true)
      #expect(test.player.currentPosition?.seconds == test.seen.last?.failureSeconds)
    }

    /// The rest is refused before the first sound. That must not be reported as a refusal of the start.
    @Test func refusedRestIsNotReportedAsRefusedStart() async throws {
      let server = try LoopbackServer()
      server.route("/a.wav", cut(sound, type: "audio/wav", afterBytes: sound.count / 2))
      let test = ListeningTest { $0.adaptLibrary = LateSound.adapt }
      test.load(server.url("/a.wav"))
      #expect(await test.next { Outcome($0) } == .failed(generation: 1))
      #expect(test.seen.last?.failure?.hasPrefix("the stream broke off at 0:") == true, "\(test.seen)")
      #expect(server.requests.count { ($0.byteRange?.first ?? 0) == 0 } == 1)
    }

    @Test func truncatedStreamContinuesWhenTheServerAnswersAgain() async throws {
      let server = try LoopbackServer()
      let file = LoopbackServer.Resource(sound, type: "audio/wav")
      let half = sound.count / 2
      server.route("/a.wav") { request in
        (request.byteRange?.first ?? 0) == 0 ? file.answer(request).cut(afterBytes: half) : file.answer(request)
      }
      let (outcome, _) = await outcome(of: server)
      #expect(outcome == .ended(generation: 1, atEnd: true))
      #expect(server.requests.contains { ($0.byteRange?.first ?? 0) > 0 })
    }

    /// The server is unreachable for longer than FFmpeg waits.
    @Test func longOutageIsSurvived() async throws {
      let server = try LoopbackServer()
      let file = LoopbackServer.Resource(sound, type: "audio/wav")
      let half = sound.count / 2
      server.route("/a.wav") { [weak server] request in
        let count = server?.requests(to: "/a.wav").count ?? 0
        if count < 7, (request.byteRange?.first ?? 0) > 0 || count > 1 { return .status(503) }
        return count < 7 ? file.answer(request).cut(afterBytes: half) : file.answer(request)
      }
      let test = ListeningTest { $0.outageInterval = 0.01 }
      test.load(server.url("/a.wav"))
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 60) < 0.2 } == true)
      #expect(server.requests.count >= 7)
      #expect(test.seen.count { $0.isStart } == 1, "it is one file for the listener")
      let positions = test.seen.compactMap(\.positionSeconds)
      #expect(positions == positions.sorted())
    }

    /// A seek during an outage is carried out when the server is reachable again.
    @Test func seekDuringOutageIsCarriedOut() async throws {
      let server = try LoopbackServer()
      let file = LoopbackServer.Resource(sound, type: "audio/wav")
      let half = sound.count / 2
      let isBack = Mutex(false)
      server.route("/a.wav") { [weak server] request in
        if isBack.withLock({ $0 }) { return file.answer(request) }
        return (server?.requests(to: "/a.wav").count ?? 0) > 1
          ? .status(503) : file.answer(request).cut(afterBytes: half)
      }
      let test = ListeningTest { $0.outageInterval = 0.01 }
      test.load(server.url("/a.wav"))
      // The break can be reported before the server refuses the rest.
      let isRefused: Bool? = await test.next {
        if case .waitsForNetwork(1, let wait) = $0, wait.cause == "the server has an internal problem (503)" {
          true
        } else {
          nil
        }
      }
      #expect(isRefused == true)
      test.player.seek(to: 50)
      #expect(await test.next { $0.positionSeconds == 50 ? true : nil } == true)
      #expect(test.player.currentPosition?.seconds == 50)
      isBack.withLock { $0 = true }
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true), "\(test.seen.suffix(8))")
      let positions = test.seen.compactMap(\.positionSeconds)
      #expect(positions.drop { $0 < 50 }.allSatisfy { $0 >= 50 }, "\(positions)")
    }

    /// The head and the body of a radio station's response: a minute of MP3.
    private static func station() throws -> (head: [UInt8], bytes: [UInt8]) {
      let directory = try TemporaryDirectory()
      let file = try TestAudio.compressed(TestAudio.minute, TestAudio.withoutDuration, in: directory)
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Radio\r\nConnection: close\r\n\r\n"
      return ([UInt8](head.utf8), try TestAudio.bytes(of: file))
    }

    /// The positions of a station begin at 0 again. So the second break looks like one before the first.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func stationThatBreaksOffTwiceIsReconnected() async throws
    {
      let (head, bytes) = try Self.station()
      let server = try LoopbackServer()
      server.route("/live.mp3") { [weak server] _ in
        (server?.requests(to: "/live.mp3").count ?? 0) <= 2
          ? .raw(head + bytes.prefix(bytes.count / 6)) : .raw(head + bytes, closes: false)
      }
      let test = ListeningTest(.null(isTimed: true)) {
        $0.outageInterval = 0.01
        // Shorter than the time between the breaks.
        $0.outageTimeout = 1
      }
      test.load(server.url("/live.mp3")) { $0.speed = 4 }
      let outcome = await test.next { event -> String? in
        if let failure = event.failure { return failure }
        return server.requests.count >= 3 ? "connected" : nil
      }
      #expect(outcome == "connected", "\(test.seen.suffix(8))")
    }

    /// A live station is reconnected after a break. A seek beyond the live edge must not wait.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func liveStationReconnectsAndIgnoresSeeksAhead()
      async throws
    {
      let (head, bytes) = try Self.station()
      let server = try LoopbackServer()
      server.route("/live.mp3") { [weak server] _ in
        switch server?.requests(to: "/live.mp3").count ?? 0 {
        case ...1: .raw(head + bytes.prefix(bytes.count / 20))
        case 2...3: .status(503)
        default: .raw(head + bytes, closes: false)
        }
      }
      let test = ListeningTest(.null(isTimed: true)) { $0.outageInterval = 0.01 }
      test.load(server.url("/live.mp3"))
      _ = await test.next { if case .waitsForNetwork = $0 { true } else { nil } }
      #expect(await test.next { $0 == .stalled(generation: 1, false) ? true : nil } == true)
      let arrived: Bool? = await test.next { if case .buffered(1, let until) = $0, until > 50 { true } else { nil } }
      #expect(arrived == true)
      test.player.seek(to: 3600)
      let position = await test.next { $0.positionSeconds.flatMap { $0 > 40 ? $0 : nil } }
      #expect(position.map { $0 < 61 } == true, "\(position ?? -1)")
    }

    @Test func outageEndsAfterItsTimeout() async throws {
      let server = try LoopbackServer()
      let file = LoopbackServer.Resource(sound, type: "audio/wav")
      let half = sound.count / 2
      server.route("/a.wav") { [weak server] request in
        (server?.requests(to: "/a.wav").count ?? 0) > 1 ? .status(503) : file.answer(request).cut(afterBytes: half)
      }
      let test = ListeningTest {
        $0.outageInterval = 0.01
        $0.outageTimeout = 0.05
      }
      test.load(server.url("/a.wav"))
      #expect(await test.next { Outcome($0) } == .failed(generation: 1))
      #expect(test.seen.last?.failureSeconds.map { abs($0 - 30) < 1 } == true)
    }

    @Test func outageWithoutProgressEndsSooner() {
      let options = PlayerOptions()
      func after(_ last: Outage?, at position: Double, now: Double) -> Outage? {
        Outage.after(last, at: position, because: .unreachable("no network"), now: now, options: options)
      }
      let first = after(nil, at: 30, now: 100)
      #expect(first?.since == 100 && first?.position == 30 && first?.nextTry == 100 + options.outageInterval)
      let second = after(first, at: 32, now: 500)
      #expect(second?.since == 100)
      #expect(after(second, at: 33, now: 701) == nil)
      #expect(after(second, at: 60, now: 701)?.since == 701)
    }

    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func halfALocalFileIsReportedAsIncomplete() async throws {
      let directory = try TemporaryDirectory()
      let test = ListeningTest()
      // Ogg, MP4 and mp3 with a Xing header have the same problem. WAVE's length comes from the bytes received.
      let whole = try TestAudio.compressed(TestAudio.scale(seconds: 20), ["-b:a", "64k"], in: directory)
      try test.loadFile(Array(TestAudio.bytes(of: whole).prefix(80_000)), as: "half.mp3")
      #expect(await test.next { Outcome($0) } == .failed(generation: 1))
      #expect(test.seen.last?.failure?.hasPrefix("the file ends at 0:") == true)
    }

    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg"), arguments: [false, true])
    func mp3WithoutADurationEndsWithItsBytes(overHTTP: Bool) async throws {
      let directory = try TemporaryDirectory()
      // Quiet first, then loud: the bit rate of the first frames gives a wrong estimate of the duration.
      let filter = ["-af", "volume=enable='lt(t,20)':volume=0"]
      let file = try TestAudio.compressed(
        TestAudio.scale(seconds: 40), filter + ["-q:a", "2", "-write_xing", "0", "-id3v2_version", "0"], in: directory)
      let server = try LoopbackServer(serving: .init(TestAudio.bytes(of: file), type: "audio/mpeg"), at: "/a.mp3")
      let test = ListeningTest()
      test.load(overHTTP ? server.url("/a.mp3") : file)
      let outcome = await test.next { Outcome($0) }
      #expect(outcome == .ended(generation: 1, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 40) < 1 } == true)
    }

    /// An estimated duration grows with what mpv has read, and must not make the break look like the end.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func brokenStreamWithAnEstimatedDurationDoesNotEnd()
      async throws
    {
      let directory = try TemporaryDirectory()
      let bytes = try TestAudio.tenMinutes(["-q:a", "6", "-write_xing", "0"], in: directory)
      let server = try LoopbackServer()
      server.route("/a.mp3", cut(bytes, type: "audio/mpeg", afterBytes: bytes.count * 4 / 5))
      let test = ListeningTest()
      test.load(server.url("/a.mp3"))
      #expect(await test.next { Outcome($0) } == .failed(generation: 1))
      #expect(test.seen.last?.failure?.hasPrefix("the stream broke off at ") == true, "\(test.seen.suffix(8))")
    }

    /// The same after a seek back, whose sound comes from the buffer. It does not show that the connection is back.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func brokenStreamDoesNotEndAfterASeekInTheBuffer()
      async throws
    {
      let directory = try TemporaryDirectory()
      let bytes = try TestAudio.tenMinutes(["-q:a", "6", "-write_xing", "0"], in: directory)
      let server = try LoopbackServer()
      let end = bytes.count * 4 / 5
      server.route("/a.mp3", cut(bytes, type: "audio/mpeg", afterBytes: end))
      let test = ListeningTest { $0.adaptLibrary = Self.readAllBeforeTheFirstSound }
      test.load(server.url("/a.mp3")) { $0.isPaused = true }
      _ = await test.next(\.positionSeconds)
      // FFmpeg reads all that there is, asks for the rest, and forgets the length of the file.
      func asksForTheRest() -> Bool { server.requests.contains { $0.byteRange?.first == end } }
      while !asksForTheRest(), await server.requestsArrive(server.requests.count + 1, within: 60) {}
      #expect(asksForTheRest(), "\(server.requests.map { $0.byteRange?.first })")
      var seek = SeekID.none
      for target in [100.0, 200] {
        seek = seek.next
        test.player.seek(to: target, seek)
        #expect(await test.next { $0.seek == seek ? $0.positionSeconds : nil } != nil)
      }
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .failed(generation: 1))
      #expect(test.seen.last?.failure?.hasPrefix("the stream broke off at ") == true, "\(test.seen.suffix(8))")
    }

    private static let readAllBeforeTheFirstSound: @Sendable (MpvLibrary) -> MpvLibrary = { library in
      AdaptedMpv.adapt(library) { real, handle, timeout in
        let event = real.wait_event(handle, timeout)
        if event?.pointee.event_id == MPV_EVENT_PLAYBACK_RESTART {
          var isRead: Int32 = 0
          while isRead == 0, real.get_property(handle, "demuxer-cache-idle", MPV_FORMAT_FLAG, &isRead) >= 0 {
            usleep(1000)
          }
        }
        return event
      }
    }

    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func streamWithoutALengthEnds() async throws {
      let directory = try TemporaryDirectory()
      let file = try TestAudio.compressed(TestAudio.scale(seconds: 10), TestAudio.withoutDuration, in: directory)
      let server = try LoopbackServer()
      server.route("/live.mp3", .bytes(try TestAudio.bytes(of: file), type: "audio/mpeg").chunked())
      let test = ListeningTest()
      test.load(server.url("/live.mp3"))
      let outcome = await test.next { Outcome($0) }
      #expect(outcome == .ended(generation: 1, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 10) < 0.5 } == true)
    }

    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func endlessStreamHasNoDuration() async throws {
      let directory = try TemporaryDirectory()
      let file = try TestAudio.compressed(TestAudio.minute, TestAudio.withoutDuration, in: directory)
      let server = try LoopbackServer()
      // An answer with no length and no end: the connection stays open.
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nConnection: close\r\n\r\n"
      server.route("/live.mp3", .raw([UInt8](head.utf8) + (try TestAudio.bytes(of: file)), closes: false))
      let test = ListeningTest(.null(isTimed: true))
      test.load(server.url("/live.mp3"))
      _ = await test.next(\.positionSeconds)
      #expect(test.seen.contains { if case .started(1, nil, _) = $0 { true } else { false } })
      // All of it may have been buffered before the first sound.
      let isBuffered = test.seen.contains { if case .buffered = $0 { true } else { false } }
      if !isBuffered { _ = await test.next { if case .buffered = $0 { true } else { nil } } }
      #expect(!test.seen.contains { if case .duration = $0 { true } else { false } })
    }

    @Test func slowStreamStallsAndContinues() async throws {
      let server = try LoopbackServer()
      let test = ListeningTest(.null(isTimed: true))
      // Ten seconds of sound at once. The next ten arrive much later than playback at four times the speed needs
      // them.
      let sound = LoopbackServer.Response.bytes(TestAudio.clock(seconds: 60), type: "audio/wav")
      server.route("/a.wav", sound.dripping(bytes: 160_000, everyMilliseconds: 4000))
      test.load(server.url("/a.wav")) { $0.speed = 4 }
      let stalls: Bool? = await test.next { $0 == .stalled(generation: 1, true) ? true : nil }
      #expect(stalls == true)
      let continues: Bool? = await test.next { $0 == .stalled(generation: 1, false) ? true : nil }
      #expect(continues == true)
      #expect(test.seen.contains { if case .buffered(1, let until) = $0 { until > 0 && until <= 60 } else { false } })
    }
  }
}
