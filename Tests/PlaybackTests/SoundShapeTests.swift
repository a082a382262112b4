import Foundation
import Model
import Testing

@testable import Playback

extension RealCore {
  /// Every sound filter, compared with what is heard: the reported positions stay correct.
  @Suite struct Shapes {
    private static let shapes: [SoundShape] = [
      SoundShape(), SoundShape(gain: -6.5), SoundShape(isLevelled: true), SoundShape(skipsSilence: true),
      SoundShape(isMono: true), SoundShape(gain: 3, isLevelled: true, skipsSilence: true, isMono: true),
    ]

    @Test(arguments: shapes, [0.5, 1, 2.3, 4])
    func heardSoundMatchesReportedPositions(shape: SoundShape, speed: Double) async throws {
      let directory = try TemporaryDirectory()
      let test = ListeningTest(recordingIn: directory)
      try test.loadFile(TestAudio.minute, start: 20) {
        $0.speed = speed
        $0.sound = shape
      }
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 60) < 0.1 } == true)
      let heard = try test.recording()
      let (rate, samples) = (heard.rate, heard.samples)
      #expect(abs(heard.seconds * speed - 40) < 0.3)
      for second in [21, 25, 30] {
        let middle = Int((Double(second) + 0.5 - 20) / speed * Double(rate))
        let half = Int(0.3 / speed * Double(rate))
        guard samples.count > middle + half else {
          Issue.record("second \(second) was not heard")
          continue
        }
        #expect(TestAudio.second(ofScale: Array(samples[(middle - half)..<(middle + half)]), rate: rate) == second)
      }
    }

    /// One second of speech, two seconds of silence, repeated, in real time.
    private static func speech(seconds: Int) -> [UInt8] {
      let tones =
        (0..<seconds * TestAudio.rate).map { index -> Int16 in
          let second = index / TestAudio.rate
          guard second % 3 == 0 else { return 0 }
          let turns = TestAudio.frequency(ofSecond: second) * Double(index) / Double(TestAudio.rate)
          return Int16(sin(2 * .pi * turns) * 12_000)
        }
      return TestAudio.wave(tones)
    }

    @Test func silenceIsSkippedAndSpeechIsNot() async throws {
      let directory = try TemporaryDirectory()
      let test = ListeningTest(recordingIn: directory)
      try test.loadFile(Self.speech(seconds: 13)) {
        $0.sound = SoundShape(skipsSilence: true)
        $0.extraFilter = "@clock:lavfi=[arealtime]"
      }
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      let heard = try test.recording()
      let loud = heard.samples.count { abs(Int($0)) > 600 }
      // Five times one second of speech. A tone is above the limit nearly all the time.
      let speech = Double(loud) / Double(heard.rate)
      #expect(heard.seconds < 12.6, "heard \(heard.seconds)")
      #expect(speech > 4.4, "speech \(speech)")
      #expect(!test.seen.contains(.speed(SilenceDetector.speed)))
      #expect(test.seen.last?.endSeconds.map { abs($0 - 13) < 0.1 } == true)
    }

    @Test func timeSavedBySkippedSilenceIsReported() async throws {
      let test = ListeningTest(.null(isTimed: true))
      try test.loadFile(Self.speech(seconds: 13)) { $0.sound.skipsSilence = true }
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      let saved: [Double] = test.seen.compactMap { if case .saved(1, let seconds) = $0 { seconds } else { nil } }
      // Four pauses of 2 s, minus the silence needed to detect each, at four times the speed: at most 5.
      #expect((1.5...6).contains(saved.reduce(0, +)), "\(saved)")
      let positions = test.seen.compactMap(\.positionSeconds)
      #expect(positions == positions.sorted())
    }

    @Test func soundChangesWhilePlaying() async throws {
      let test = ListeningTest(.null(isTimed: true))
      // On a busy machine a shorter file could end before the last change.
      try test.loadFile(TestAudio.clock(seconds: 600), start: 3)
      _ = await test.next(\.positionSeconds)
      for shape in Self.shapes {
        test.player.setSound(shape)
        let before = test.player.currentPosition?.seconds ?? 0
        test.player.seek(to: before + 5)
        _ = await test.next { event in event.positionSeconds.flatMap { $0 > before ? $0 : nil } }
      }
      #expect(!test.seen.contains { Outcome($0) != nil })
    }

    @Test func fadingChangesTheSoundAndNotTheReportedVolume() async throws {
      let test = ListeningTest(.null(isTimed: true))
      try test.loadFile(TestAudio.minute) { $0.volume = 80 }
      _ = await test.next(\.positionSeconds)
      test.player.setFade(0.5)
      test.player.setVolume(60)
      #expect(await test.happens(.volume(60)))
      test.player.setFade(1)
      test.player.setVolume(70)
      #expect(await test.happens(.volume(70)))
      #expect(
        test.seen.filter { if case .volume = $0 { true } else { false } } == [.volume(80), .volume(60), .volume(70)])
    }

    @Test func devicesAreListedBeforeAnythingPlays() async {
      let test = ListeningTest()
      test.player.listDevices()
      let devices = await test.next {
        if case .devices(let devices, let chosen) = $0 { (devices, chosen) } else { nil }
      }
      #expect(devices?.0.first?.name == "auto")
      #expect(devices?.1 == "auto")
      test.loadTone(seconds: 0.5)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
    }
  }

  @Suite struct SilenceWatching {
    @Test func silenceReportsOfTheFilterChangeTheSpeed() {
      var detector = SilenceDetector()
      var changes = detector.heard(start: nil, end: nil)
      #expect(!changes)
      changes = detector.heard(start: "5.2", end: nil)
      #expect(changes)
      detector.count(now: 60, base: 1)
      changes = detector.heard(start: "5.2", end: nil)
      #expect(!changes)
      detector.count(now: 60.5, base: 1)
      var saved = detector.take()
      #expect(saved == 1.5)
      changes = detector.heard(start: "5.2", end: "8.1")
      #expect(changes)
      detector.count(now: 60.525, base: 1)
      saved = detector.take(all: true)
      #expect(saved.map { abs($0 - 0.075) < 0.001 } == true)
      // A pause that ended before it was noticed.
      changes = detector.heard(start: "9", end: "9.6")
      #expect(!changes)
      changes = detector.heard(start: "12", end: "9.6")
      #expect(changes)
      detector.forgetSilence()
      changes = detector.heard(start: "12", end: "9.6")
      #expect(!changes)
      detector.count(now: 100, base: 1)
      saved = detector.take(all: true)
      #expect(saved == nil)
    }

    /// The thread was late: silence ended at 6.5, and 0.5 s of it were heard before it was skipped.
    @Test func silenceSavesAtMostItsLength() {
      var detector = SilenceDetector()
      _ = detector.heard(start: "5", end: nil)
      detector.count(now: 60, base: 1)
      detector.count(now: 60.9, base: 1)
      _ = detector.heard(start: "5", end: "6.5")
      detector.count(now: 60.95, base: 1)
      let saved = detector.take(all: true)
      #expect(saved.map { abs($0 - 0.75) < 0.001 } == true)
      // The seconds that were reported too much are subtracted later.
      _ = detector.heard(start: "20", end: "6.5")
      detector.count(now: 70, base: 2)
      detector.count(now: 71, base: 2)
      let early = detector.take()
      #expect(early == 1)
      _ = detector.heard(start: "20", end: "22.5")
      detector.count(now: 71.5, base: 2)
      let none = detector.take(all: true)
      #expect(none == nil)
      _ = detector.heard(start: "30", end: "22.5")
      detector.count(now: 80, base: 2)
      detector.count(now: 81, base: 2)
      let later = detector.take(all: true)
      #expect(later == 0.5)
    }

    /// The process was stopped for an hour, or the machine was asleep.
    @Test func timeAsleepIsNotCountedAsSaved() {
      var detector = SilenceDetector()
      _ = detector.heard(start: "5", end: nil)
      detector.count(now: 60, base: 1)
      detector.count(now: 3660, base: 1)
      let saved = detector.take()
      #expect(saved.map { $0 <= 3 } == true)
    }
  }
}
