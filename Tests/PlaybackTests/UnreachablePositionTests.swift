import Foundation
import LoopbackServer
import Model
import Testing

@testable import Playback

extension RealCore {
  /// A server that sends neither a file's length nor ranges of it.
  @Suite(.enabled(if: Encoder.path != nil, "needs ffmpeg")) struct UnreachablePosition {
    private let directory: TemporaryDirectory
    private let server: LoopbackServer

    /// Forty seconds, each with its own tone, without a header that gives the duration.
    init() throws {
      directory = try TemporaryDirectory()
      server = try LoopbackServer()
      let file = try TestAudio.compressed(TestAudio.scale(seconds: 40), TestAudio.withoutDuration, in: directory)
      server.route("/a.mp3", .bytes(try TestAudio.bytes(of: file), type: "audio/mpeg").chunked())
    }

    @Test func unreachablePositionIsReportedBeforePlayback() async throws {
      let test = ListeningTest(recordingIn: directory)
      test.load(server.url("/a.mp3"), start: 25)
      #expect(await test.next { if case .unreachable(1, let seconds) = $0 { seconds } else { nil } } == 25)
      #expect(!test.seen.contains { $0.isStart || $0.positionSeconds != nil })
      // The player can load another file afterwards.
      test.load(server.url("/a.mp3"), generation: 2)
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true))
      #expect(try test.recording().second(at: 0.25) == 0)
    }

    @Test func unreachablePositionIsReadUpTo() async throws {
      let test = ListeningTest(recordingIn: directory)
      test.load(server.url("/a.mp3"), start: 25) { $0.seekFallback = .readThrough }
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      let heard = try test.recording()
      #expect(abs(heard.seconds - 15) < 0.5)
      #expect(heard.second(at: 0.25) == 25)
      let positions = test.seen.compactMap(\.positionSeconds)
      #expect(positions.allSatisfy { $0 >= 24.9 }, "\(positions)")
    }

    /// mpv refused such a seek without a word, and no position was reported from then on.
    @Test func seekBackFurtherThanTheBufferPlaysOn() async throws {
      let gate = DispatchSemaphore(value: 0)
      defer { gate.signal() }
      // The first 25 seconds. On a busy machine the file could end before the seek.
      let sound = LoopbackServer.Response.bytes(try TestAudio.bytes(of: "\(directory.path)/a.mp3"), type: "audio/mpeg")
      server.route("/a.mp3", sound.chunked().held(afterBytes: 200_000) { gate.wait() })
      let test = ListeningTest(.null(isTimed: true)) {
        $0.bufferBytes = 64 * 1024
        $0.networkTimeout = 600
      }
      test.load(server.url("/a.mp3")) { $0.speed = 4 }
      _ = await test.next { $0.positionSeconds.flatMap { $0 > 12 ? true : nil } }
      let id = SeekID.none.next
      test.player.seek(to: 1, id)
      let landed = try #require(await test.next { $0.seek == id ? $0.positionSeconds : nil })
      #expect(landed > 1, "the buffer does not reach back to the target")
      gate.signal()
      #expect(await test.next { $0.seek == id && ($0.positionSeconds ?? 0) > landed + 2 ? true : nil } == true)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
    }

    @Test func positionNearTheStartIsReadUpTo() async throws {
      let test = ListeningTest()
      test.load(server.url("/a.mp3"), start: 4)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
    }
  }
}
