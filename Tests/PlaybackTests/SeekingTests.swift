import LoopbackServer
import Testing

@testable import Playback

extension RealCore {
  @Suite struct Seeking {
    /// Loads an hour-like file paused, so that each seek leads to one known place.
    private func paused(at start: Double, in directory: TemporaryDirectory) async throws -> ListeningTest {
      let test = ListeningTest()
      test.load(try directory.write(TestAudio.clock(seconds: 60), as: "a.wav"), start: start) { $0.isPaused = true }
      _ = await test.next(\.positionSeconds)
      return test
    }

    private func arrives(_ test: ListeningTest, at seconds: Double) async -> Bool {
      await test.next { event in event.positionSeconds.flatMap { abs($0 - seconds) < 0.01 ? true : nil } } ?? false
    }

    @Test func landsWhereAsked() async throws {
      let directory = try TemporaryDirectory()
      let test = try await paused(at: 0, in: directory)
      test.player.seek(to: 42.5)
      #expect(await arrives(test, at: 42.5))
      test.player.seek(by: -10)
      #expect(await arrives(test, at: 32.5))
      test.player.seek(by: 1.25)
      #expect(await arrives(test, at: 33.75))
      test.player.seek(to: -5)
      #expect(await arrives(test, at: 0))
      test.player.seek(to: .infinity)
      #expect(await arrives(test, at: 0))
    }

    @Test func aHeldKeyAddsUp() async throws {
      let directory = try TemporaryDirectory()
      let test = try await paused(at: 5, in: directory)
      for _ in 0..<10 { test.player.seek(by: 4) }
      #expect(await arrives(test, at: 45))
    }

    @Test func beyondTheEndWaitsWhilePausedAndEndsWhenGoingOn() async throws {
      let directory = try TemporaryDirectory()
      let test = try await paused(at: 5, in: directory)
      test.player.seek(by: 500)
      #expect(await arrives(test, at: 60))
      #expect(!test.seen.contains { Outcome($0) != nil })
      test.player.setPaused(false)
      let outcome = await test.next { Outcome($0) }
      #expect(outcome == .ended(generation: 1, atEnd: true))
    }

    @Test func aSourceThatCannotSeekStaysWhereItIs() async {
      let test = ListeningTest()
      test.loadTone(seconds: 5) { $0.isPaused = true }
      _ = await test.next(\.positionSeconds)
      test.player.seek(to: 4)
      let position = await test.next(\.positionSeconds)
      #expect(position.map { $0 < 1 } == true)
    }

    @Test func aStreamIsAskedForTheBytesOfThePlace() async throws {
      let server = try LoopbackServer()
      let file = LoopbackServer.Resource(TestAudio.clock(seconds: 600), type: "audio/wav")
      server.route("/a.wav") { request in
        var response = file.answer(request)
        response.pace = .init(bytes: 16_384, milliseconds: 5)
        return response
      }
      // A buffer that cannot hold the way to the target.
      let test = ListeningTest { $0.bufferBytes = 512 * 1024 }
      test.load(server.url("/a.wav"), start: 400) { $0.isPaused = true }
      #expect(await arrives(test, at: 400))
      test.player.seek(to: 20)
      #expect(await arrives(test, at: 20))
      test.player.seek(to: 580.5)
      #expect(await arrives(test, at: 580.5))
      let firsts = server.requests.compactMap { $0.byteRange?.first }
      #expect(firsts.contains { $0 > 9_000_000 })
    }
  }
}
