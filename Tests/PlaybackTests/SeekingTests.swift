import LoopbackServer
import Model
import Synchronization
import Testing

@testable import Playback

extension RealCore {
  @Suite struct Seeking {
    /// Loads a long file paused, so that each seek leads to one known position.
    private func paused(at start: Double) async throws -> ListeningTest {
      let test = ListeningTest()
      try test.loadFile(TestAudio.clock(seconds: 60), start: start) { $0.isPaused = true }
      _ = await test.next(\.positionSeconds)
      return test
    }

    @Test func seekIsExact() async throws {
      let test = try await paused(at: 0)
      test.player.seek(to: 42.5)
      #expect(await test.settles(at: 42.5))
      test.player.seek(to: 32.5)
      #expect(await test.settles(at: 32.5))
      test.player.seek(to: 33.75)
      #expect(await test.settles(at: 33.75))
      test.player.seek(to: -5)
      #expect(await test.settles(at: 0))
      test.player.seek(to: .infinity)
      #expect(await test.settles(at: 0))
    }

    @Test func lastOfManySeeksCounts() async throws {
      let test = try await paused(at: 5)
      for step in 1...10 { test.player.seek(to: 5 + 4 * Double(step)) }
      #expect(await test.settles(at: 45))
    }

    @Test func seekBeyondTheEndEndsTheFileAfterThePause() async throws {
      let test = try await paused(at: 5)
      test.player.seek(to: 505)
      #expect(await test.settles(at: 60))
      #expect(!test.seen.contains { Outcome($0) != nil })
      test.player.setPaused(false)
      let outcome = await test.next { Outcome($0) }
      #expect(outcome == .ended(generation: 1, atEnd: true))
    }

    @Test func seekWorksWithoutRanges() async throws {
      let file = LoopbackServer.Resource(TestAudio.clock(seconds: 600), type: "audio/wav", honoursRanges: false)
      let server = try LoopbackServer(serving: file, at: "/a.wav")
      let test = ListeningTest { $0.bufferBytes = 512 * 1024 }
      test.load(server.url("/a.wav"), start: 300) { $0.isPaused = true }
      #expect(await test.settles(at: 300))
      #expect(test.seen.first == .started(generation: 1, duration: 600, seekable: true))
      test.player.seek(to: 20)
      #expect(await test.settles(at: 20))
      test.player.seek(to: 500)
      #expect(await test.settles(at: 500))
      test.player.seek(to: 10)
      #expect(await test.settles(at: 10))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(test.seen.filter(\.isStart).count == 1)
    }

    @Test func seekRequestsTheBytesOfThePosition() async throws {
      let server = try LoopbackServer()
      let file = LoopbackServer.Resource(TestAudio.clock(seconds: 600), type: "audio/wav")
      server.route("/a.wav") { request in
        var response = file.answer(request)
        response.pace = .init(bytes: 16_384, milliseconds: 5)
        return response
      }
      // A buffer too small to reach the target by reading on.
      let test = ListeningTest { $0.bufferBytes = 512 * 1024 }
      test.load(server.url("/a.wav"), start: 400) { $0.isPaused = true }
      #expect(await test.next(\.positionSeconds).map { abs($0 - 400) < 0.01 } == true)
      test.player.seek(to: 20)
      #expect(await test.settles(at: 20))
      test.player.seek(to: 580.5)
      #expect(await test.settles(at: 580.5))
      let firsts = server.requests.compactMap { $0.byteRange?.first }
      #expect(firsts.contains { $0 > 9_000_000 })
    }

    /// A position that carries a seek's id is never one from before that seek, even when seeks follow in quick
    /// succession.
    @Test func positionsHaveTheIDOfTheSeekBeforeThem() async throws {
      let test = ListeningTest(.null(isTimed: true))
      try test.loadFile(TestAudio.clock(seconds: 900))
      _ = await test.next(\.positionSeconds)
      var id = SeekID.none
      var targets = [id: 0.0]
      for round in 0..<40 {
        id = id.next
        // The targets are so far apart that a position shows which seek it follows.
        targets[id] = Double(round % 8) * 100 + 10
        test.player.seek(to: targets[id] ?? 0, id)
        // Every second seek follows at once, the others after the first sound of the seek before.
        guard round % 2 == 0 else { continue }
        let newest = id
        for _ in 1...2 { _ = await test.next { $0.seek == newest ? true : nil } }
      }
      let newest = id
      for _ in 1...2 { _ = await test.next { $0.seek == newest ? true : nil } }
      for event in test.seen {
        guard case .position(_, let seconds, let seek) = event, let target = targets[seek] else { continue }
        #expect(seconds >= target - 0.01 && seconds < target + 60, "\(event) follows a seek to \(target)")
      }
      #expect(test.player.currentPosition?.seek == newest)
    }

    /// When a range request is refused, FFmpeg reads on where it was, while mpv believes that it is at the target.
    @Test(arguments: [1, 9]) func refusedSeekDoesNotReportItsTarget(refusals: Int) async throws {
      let server = try LoopbackServer(routes: [:])
      let resource = LoopbackServer.Resource(TestAudio.clock(seconds: 60), type: "audio/wav")
      let left = Mutex(refusals)
      server.route("/a.wav") { request in
        guard request.byteRange?.first ?? 0 > 0 else {
          return resource.answer(request).dripping(bytes: 16_000, everyMilliseconds: 100)
        }
        let isRefused = left.withLock { left in
          left -= 1
          return left >= 0
        }
        return isRefused ? .status(403) : resource.answer(request)
      }
      let test = ListeningTest(.null(isTimed: true)) { $0.bufferBytes = 32 * 1024 }
      test.load(server.url("/a.wav"))
      #expect(await test.next { $0.positionSeconds.flatMap { $0 > 0 ? true : nil } } == true)
      test.player.seek(to: 50)
      if refusals == 1 {
        #expect(await test.next { $0.positionSeconds.flatMap { $0 > 50.5 ? true : nil } } == true)
        #expect(left.withLock { $0 } < 0, "the server has sent the bytes of the target")
      } else {
        let end = await test.next { event in
          if case .failed(1, let position, let text, _) = event { (position, text) } else { nil }
        }
        #expect(end?.0 == 50)
        #expect(end?.1 == "the server refuses access (403)")
      }
    }
  }
}
