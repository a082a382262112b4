import Foundation
import LoopbackServer
import Model
import Testing

@testable import Playback

extension RealCore {
  @Suite struct Loading {
    @Test func eventsOfAnOlderLoadAreDropped() async {
      let test = ListeningTest()
      for generation in 1...50 { test.loadTone(seconds: 2, generation: generation) }
      let outcome = await test.next { event in Outcome(event).flatMap { event.generation == 50 ? $0 : nil } }
      #expect(outcome == .ended(generation: 50, atEnd: true))
      let generations = test.seen.compactMap(\.generation)
      #expect(generations == generations.sorted())
      #expect(test.seen.last == .ended(generation: 50, seconds: test.seen.last?.endSeconds ?? -1, atEnd: true))
    }

    @Test func loadAfterTheStartOfAnotherIsPlayed() async throws {
      let directory = try TemporaryDirectory()
      let file = try directory.write(TestAudio.clock(seconds: 60), as: "a.wav")
      let test = ListeningTest(.null(isTimed: true))
      for generation in 1...20 {
        let (isPaused, speed) = (generation.isMultiple(of: 2), generation.isMultiple(of: 3) ? 2.0 : 1.0)
        let loaded = ContinuousClock.now
        test.load(file, generation: generation, start: Double(generation)) {
          $0.isPaused = isPaused
          $0.speed = speed
        }
        let start = try #require(await test.next { $0.generation == generation ? $0.positionSeconds : nil })
        // Sound that is not paused may have gone on before its position was reported.
        let heard = isPaused ? 0 : loaded.duration(to: .now) / .seconds(1) * speed
        #expect((-0.05...0.05 + heard).contains(start - Double(generation)), "\(start) in load \(generation)")
        #expect(test.player.currentPosition?.generation == generation)
        #expect(test.seen.contains(.paused(generation: generation, generation.isMultiple(of: 2))))
      }
      let generations = test.seen.compactMap(\.generation)
      #expect(generations == generations.sorted())
    }

    @Test func failedLoadStopsThePreviousFile() async throws {
      let test = ListeningTest(.null(isTimed: true))
      test.loadTone(seconds: 60)
      _ = await test.next(\.positionSeconds)
      test.load("edl://x", generation: 2)
      #expect(await test.next { Outcome($0) } == .failed(generation: 2))
      test.loadTone(seconds: 0.2, generation: 3)
      #expect(await test.next { Outcome($0) } == .ended(generation: 3, atEnd: true))
    }

    @Test func shutDownDoesNotWaitForAServerThatNeverAnswers() async throws {
      let server = try LoopbackServer()
      server.route("/a.mp3", .never)
      let test = ListeningTest { $0.networkTimeout = 60 }
      test.load(server.url("/a.mp3"))
      #expect(await server.requestsArrive(1))
      test.player.shutDown(waitingAtMost: 0)
      #expect(await test.next { $0 == .shutDown ? true : nil } == true)
      #expect(!test.seen.contains { $0.isStart })
    }

    @Test func loadReplacesOneThatNeverAnswers() async throws {
      let server = try LoopbackServer()
      server.route("/a.mp3", .never)
      let test = ListeningTest { $0.networkTimeout = 60 }
      test.load(server.url("/a.mp3"))
      #expect(await server.requestsArrive(1))
      test.loadTone(seconds: 1, generation: 2)
      #expect(await test.next { Outcome($0) } == .ended(generation: 2, atEnd: true), "\(test.seen.suffix(5))")
    }

    @Test func shutDownWithoutALoadStartsNothing() async {
      let test = ListeningTest { $0.libraryNames = ["libmpv-that-is-not-there.so"] }
      test.player.setPaused(true)
      test.player.seek(to: 3)
      test.player.stop()
      #expect(test.player.shutDown())
      #expect(await test.next { $0 } == .shutDown)
      test.loadTone(seconds: 1)
      #expect(test.player.shutDown())
      #expect(test.player.currentPosition == nil)
    }

    @Test func preparedCorePlaysAndEnds() async {
      let test = ListeningTest()
      test.player.warmUp()
      test.player.warmUp()
      test.loadTone(seconds: 1)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(test.player.shutDown(waitingAtMost: 300))
      let idle = ListeningTest()
      idle.player.warmUp()
      #expect(idle.player.shutDown(waitingAtMost: 300))
      #expect(await idle.next { $0 } == .shutDown)
    }

    @Test func loadReportsTheErrorOfTheWarmUp() async {
      let test = ListeningTest { $0.libraryNames = ["libmpv-that-is-not-there.so"] }
      test.player.warmUp()
      test.loadTone(seconds: 1)
      guard case .failed(1, nil, let message, _) = await test.next({ $0 }) else {
        Issue.record("the load did not fail first")
        return
      }
      #expect(message.contains("libmpv was not found"))
    }

    #if os(Linux)
      /// mpv's built-in scripts name their threads. A player without a screen must run none of them.
      @Test func builtInScriptsDoNotRun() async throws {
        let withScript = ListeningTest(.null(isTimed: true)) {
          $0.overrides = [MpvOption("load-stats-overlay", "yes")]
        }
        let scripts = try await scriptThreads(of: withScript)
        #expect(!scripts.isEmpty, "a script is found by the name of its thread")
        #expect(withScript.player.shutDown(waitingAtMost: 300))
        #expect(try await scriptThreads(of: ListeningTest(.null(isTimed: true))) == [])
      }

      private func scriptThreads(of test: ListeningTest) async throws -> [String] {
        test.loadTone(seconds: 60)
        _ = await test.next(\.positionSeconds)
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        // A thread may end between listing it and reading its name.
        let names = tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.filter { $0.contains("script") || $0.contains("lua") }
      }
    #endif

    @Test func lastPositionIsKeptAfterTheCoreEnds() async throws {
      let test = ListeningTest(.null(isTimed: true))
      try test.loadFile(TestAudio.clock(seconds: 60), generation: 9, start: 33) {
        $0.isPaused = true
      }
      _ = await test.next(\.positionSeconds)
      #expect(test.player.shutDown(waitingAtMost: 300))
      #expect(test.player.currentPosition?.generation == 9)
      #expect(test.player.currentPosition.map { abs($0.seconds - 33) <= 0.01 } == true)
    }
  }
}
