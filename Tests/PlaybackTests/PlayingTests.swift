import Model
import Testing

@testable import Playback

extension RealCore {
  @Suite struct Playing {
    @Test func toneIsPlayedToItsEnd() async {
      let test = ListeningTest()
      test.loadTone(seconds: 3)
      let outcome = await test.next { Outcome($0) }
      #expect(outcome == .ended(generation: 1, atEnd: true))
      #expect(test.seen.contains { $0.isStart })
      let end = test.seen.compactMap(\.endSeconds).last ?? 0
      #expect(abs(end - 3) < 0.2)
      #expect(test.player.currentPosition == PlaybackPosition(generation: 1, seconds: end))
    }

    @Test func localFileReportsItsDurationAndNoBuffer() async throws {
      let test = ListeningTest()
      try test.loadFile(TestAudio.clock(seconds: 5), as: "a b%é.wav")
      _ = await test.next { Outcome($0) }
      #expect(test.seen.first == .started(generation: 1, duration: 5, seekable: true))
      #expect(test.seen.contains(.buffered(generation: 1, until: 5)))
    }

    @Test func pausedFromTheStartStaysThere() async throws {
      let test = ListeningTest()
      try test.loadFile(TestAudio.clock(seconds: 20), start: 7.25) { $0.isPaused = true }
      let position = await test.next(\.positionSeconds)
      #expect(position.map { abs($0 - 7.25) < 0.01 } == true)
      #expect(test.seen.contains(.paused(generation: 1, true)))
      test.player.setPaused(false)
      let outcome = await test.next { Outcome($0) }
      #expect(outcome == .ended(generation: 1, atEnd: true))
    }

    @Test func pauseReportsThePositionAndResumes() async throws {
      let test = ListeningTest(.null(isTimed: true))
      try test.loadFile(TestAudio.clock(seconds: 600), start: 3)
      _ = await test.next(\.positionSeconds)
      test.player.setPaused(true)
      _ = await test.next { $0 == .paused(generation: 1, true) ? true : nil }
      var position = await test.next(\.positionSeconds)
      #expect(position.map { $0 >= 2.99 && $0 < 600 } == true)
      // mpv corrects the position by a fraction when the device has stopped. The player reports a correction that
      // matters.
      while let reported = position, abs((test.player.currentPosition?.seconds ?? -1) - reported) >= 0.1 {
        position = await test.next(\.positionSeconds)
      }
      #expect(position != nil)
      test.player.setPaused(false)
      let isGoingOn: Bool? = await test.next { $0 == .paused(generation: 1, false) ? true : nil }
      #expect(isGoingOn == true)
      let later = await test.next { event in event.positionSeconds.flatMap { $0 > (position ?? 0) ? $0 : nil } }
      #expect(later != nil)
    }

    @Test func commandsDuringOpeningAreApplied() async throws {
      let test = ListeningTest(.null(isTimed: true))
      try test.loadFile(TestAudio.clock(seconds: 60))
      test.player.setPaused(true)
      test.player.setSpeed(1.5)
      test.player.setVolume(40)
      test.player.seek(to: 30)
      test.player.seek(to: 35)
      let position = await test.next { event in event.positionSeconds.flatMap { abs($0 - 35) < 0.01 ? $0 : nil } }
      #expect(position != nil)
      #expect(await test.happens(.speed(1.5)))
      #expect(await test.happens(.volume(40)))
      #expect(await test.happens(.paused(generation: 1, true)))
      test.player.setPaused(false)
      #expect(await test.next { $0 == .paused(generation: 1, false) ? true : nil } == true)
    }

    @Test func speedAndVolumeStayWithinTheirBounds() async throws {
      let test = ListeningTest(.null(isTimed: true))
      try test.loadFile(TestAudio.clock(seconds: 60)) {
        // A playing file could end before this test gets a thread again.
        $0.isPaused = true
        $0.speed = 2
        $0.volume = 120
      }
      _ = await test.next { $0 == .volume(120) ? true : nil }
      #expect(test.seen.contains(.speed(2)))
      test.player.setSpeed(99)
      _ = await test.next { $0 == .speed(4) ? true : nil }
      test.player.setSpeed(.nan)
      test.player.setVolume(1000)
      _ = await test.next { $0 == .volume(150) ? true : nil }
      test.player.setVolume(-3)
      _ = await test.next { $0 == .volume(0) ? true : nil }
      #expect(test.seen.filter { if case .speed = $0 { true } else { false } } == [.speed(2), .speed(4)])
    }

    @Test func stopReportsThePosition() async throws {
      let test = ListeningTest(.null(isTimed: true))
      try test.loadFile(TestAudio.clock(seconds: 60), start: 12)
      _ = await test.next(\.positionSeconds)
      test.player.stop()
      let seconds = await test.next(\.endSeconds)
      #expect(seconds.map { $0 >= 11.99 && $0 < 60 } == true)
      #expect(test.seen.last.flatMap { Outcome($0) } == .ended(generation: 1, atEnd: false))
      #expect(test.player.currentPosition?.seconds == seconds)
    }

    @Test(.enabled(if: Encoder.path != nil, "ffmpeg makes the file, and is not installed"))
    func chaptersOfTheFileStartAtCleanTimes() async throws {
      let directory = try TemporaryDirectory()
      let wave = try directory.write(TestAudio.scale(seconds: 12), as: "a.wav")
      let marks = [(0, 5000, "One"), (5000, 12_000, "Two: 流動")]
        .map { "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($1)\ntitle=\($2)\n" }
      let list = try directory.write([UInt8]((";FFMETADATA1\n" + marks.joined()).utf8), as: "chapters.txt")
      let file = "\(directory.path)/a.mp3"
      #expect(try Encoder.run(["-i", wave, "-i", list, "-map_metadata", "1", file]))
      let test = ListeningTest()
      test.load(file)
      let chapters = await test.next { if case .chapters(1, let chapters) = $0 { chapters } else { nil } }
      #expect(chapters == [Chapter(start: 0, title: "One"), Chapter(start: 5, title: "Two: 流動")])
    }
  }
}
