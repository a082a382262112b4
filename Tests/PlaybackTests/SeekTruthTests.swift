import Foundation
import LoopbackServer
import Model
import Testing

@testable import Playback

extension RealCore {
  /// Seeks in mp3 streams. Each kind of stream maps times to bytes in a different way.
  @Suite(.enabled(if: Encoder.path != nil, "ffmpeg makes the files, and is not installed"))
  struct SeekTruth {
    @Test(arguments: [
      (["-b:a", "48k"], true), (["-b:a", "48k", "-write_xing", "0"], true), (["-q:a", "6"], false),
      (["-q:a", "6", "-write_xing", "0"], false),
    ])
    func soundEqualsThePosition(options: [String], isFast: Bool) async throws {
      let directory = try TemporaryDirectory()
      let bytes = try TestAudio.tenMinutes(options, in: directory)
      let server = try LoopbackServer(serving: .init(bytes, type: "audio/mpeg"), at: "/a.mp3")
      for start in [330.25, 525.25] {
        let test = ListeningTest(recordingIn: directory) { $0.bufferBytes = 256 * 1024 }
        test.load(server.url("/a.mp3"), start: start)
        let outcome = await test.next { Outcome($0) }
        // The estimate is 5:05.
        let duration = test.seen.lazy.compactMap(\.startDuration).first
        #expect(duration.map { abs($0 - 600) < 1 } ?? !isFast)
        #expect(outcome == .ended(generation: 1, atEnd: true), "\(start): \(test.seen.suffix(8))")
        #expect(test.seen.filter(\.isStart).count == 1)
        let heard = try test.recording()
        #expect(heard.second(at: 1) == Int(start + 1) % 60, "\(options) at \(start)")
        // The sound at a position that a fast seek missed is never heard.
        #expect(heard.second() == Int(start) % 60, "\(options) at \(start)")
      }
      let firsts = server.requests.compactMap { $0.byteRange?.first }.filter { $0 > bytes.count / 4 }
      #expect(!firsts.isEmpty || !isFast)
    }

    @Test func seekDuringPlaybackIsCorrected() async throws {
      let directory = try TemporaryDirectory()
      let bytes = try TestAudio.tenMinutes(["-q:a", "6"], in: directory)
      let server = try LoopbackServer()
      server.route("/a.mp3") { request in
        LoopbackServer.Resource(bytes, type: "audio/mpeg").answer(request)
          .dripping(bytes: 32_768, everyMilliseconds: 2)
      }
      let test = ListeningTest { $0.bufferBytes = 256 * 1024 }
      test.load(server.url("/a.mp3")) { $0.isPaused = true }
      _ = await test.next(\.positionSeconds)
      test.player.seek(to: 550)
      #expect(await test.settles(at: 550))
      test.player.seek(to: 30)
      #expect(await test.settles(at: 30))
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      #expect(test.seen.filter(\.isStart).count == 1)
    }
  }

  @Suite struct SeekDoubts {
    private func isUnreliable(
      _ reliability: SeekReliability, rate: Double?, timing: StreamTiming? = nil,
      duration: Double? = nil, feed: Double? = nil, at second: Double = 50
    ) -> Bool {
      reliability.isUnreliable(
        at: second,
        SeekReliability.Evidence(averageRate: rate, timing: timing, duration: duration, feedDuration: feed))
    }

    private static let scaling = LogLine("mp3: Using scaling to seek VBR MP3; may be imprecise.")

    @Test func seekTablesAreNotTrusted() {
      var seekReliability = SeekReliability()
      #expect(!isUnreliable(seekReliability, rate: nil))
      seekReliability.read(Self.scaling)
      #expect(!isUnreliable(seekReliability, rate: 128_000))
      #expect(isUnreliable(seekReliability, rate: 127_998))
      #expect(isUnreliable(seekReliability, rate: nil))
      seekReliability.read(LogLine("mp3: Using MP3 TOC to seek; may be imprecise."))
      #expect(isUnreliable(seekReliability, rate: 128_000))
    }

    /// libmpv 0.41 begins with a seek to the beginning. A later one within the buffer needs no method.
    @Test func seekToTheBeginningSaysNothingAboutALaterOne() {
      var seekReliability = SeekReliability()
      seekReliability.read(Self.scaling)
      #expect(!isUnreliable(seekReliability, rate: 127_998, at: 0))
      seekReliability.soundStarted(at: 0)
      #expect(!isUnreliable(seekReliability, rate: 127_998))
      seekReliability.read(Self.scaling)
      seekReliability.soundStarted(at: 50)
      #expect(isUnreliable(seekReliability, rate: 127_998))
    }

    @Test func scaledSeekNeedsEvidence() {
      var seekReliability = SeekReliability()
      seekReliability.read(Self.scaling)
      let timing = StreamTiming(proportionalUntil: 40, durationAtConstantRate: 100)
      #expect(isUnreliable(seekReliability, rate: 128_000, timing: timing))
      #expect(!isUnreliable(seekReliability, rate: 128_000, timing: timing, at: 39))
      #expect(!isUnreliable(seekReliability, rate: 128_000, timing: timing, feed: 101))
      #expect(isUnreliable(seekReliability, rate: 128_000, timing: timing, feed: 103))
      // Without the relay, FFmpeg's estimate is compared with the feed.
      #expect(isUnreliable(seekReliability, rate: 128_000, duration: 160, feed: 60))
      #expect(!isUnreliable(seekReliability, rate: 128_000, duration: 60.3, feed: 60))
    }

    @Test(arguments: [
      "mp3: invalid concatenated file detected - using bitrate for duration",
      "mp3: filesize and duration do not match (growing file?)",
    ]) func falseIndexIsNotTrusted(text: String) {
      var seekReliability = SeekReliability()
      seekReliability.read(LogLine(text))
      #expect(isUnreliable(seekReliability, rate: 128_000))
      #expect(!isUnreliable(seekReliability, rate: 128_000, at: 0))
    }
  }

  /// Seeks through the relay in files whose first frames say nothing, or the wrong thing, about the rest.
  @Suite(.enabled(if: Encoder.path != nil, "ffmpeg makes the files, and is not installed"))
  struct JoinedSeeks {
    enum Kind: String, CaseIterable {
      case sameRate, sameRateWithIndex, otherRate, otherRateWithIndex, otherRateInTheMiddle, tagInTheMiddle
      case noIndex, index, variable, longTag
    }

    /// 60 seconds, in which second n is a tone of its own.
    private func file(_ kind: Kind) throws -> [UInt8] {
      let directory = try TemporaryDirectory()
      let wave = try directory.write(TestAudio.minute, as: "a.wav")
      func piece(_ start: Int, _ end: Int, _ rate: Int, index: Bool = false) throws -> [UInt8] {
        let path = "\(directory.path)/p.mp3"
        let part = ["-ss", "\(start)", "-t", "\(end - start)", "-i", wave, "-ar", "16000"]
        let form = ["-b:a", "\(rate)k", "-write_xing", index ? "1" : "0", "-id3v2_version", "0"]
        try #require(try Encoder.run(part + form + [path]))
        return try TestAudio.bytes(of: path)
      }
      let tag = [UInt8]("ID3".utf8) + [3, 0, 0, 0, 3, 84, 86] + [UInt8](repeating: 0, count: 3 * 16384 + 84 * 128 + 86)
      return switch kind {
      case .sameRate: try piece(0, 10, 32) + piece(10, 60, 32)
      case .sameRateWithIndex: try piece(0, 10, 32, index: true) + piece(10, 60, 32)
      case .otherRate: try piece(0, 10, 64) + piece(10, 60, 32)
      case .otherRateWithIndex: try piece(0, 10, 64, index: true) + piece(10, 60, 32, index: true)
      case .otherRateInTheMiddle: try piece(0, 20, 32) + piece(20, 30, 64) + piece(30, 60, 32)
      case .tagInTheMiddle:
        try { $0[..<100_000] + tag + $0[100_000...] }(piece(0, 60, 32, index: true))
      case .noIndex: try piece(0, 60, 32)
      case .index: try piece(0, 60, 32, index: true)
      case .variable: try piece(0, 40, 32) + piece(40, 60, 160)
      case .longTag: tag + tag + (try piece(0, 60, 32, index: true))
      }
    }

    @Test(arguments: Kind.allCases, [nil, 60.0, 40.0]) func soundEqualsThePosition(
      kind: Kind, feed: Double?
    )
      async throws
    {
      let source = try Relayed.Source()
      let bytes = try file(kind)
      let server = try LoopbackServer(serving: .init(bytes, type: "audio/mpeg", etag: "\"1\""), at: "/a.mp3")
      let directory = try TemporaryDirectory()
      for start in [45.25, 55.25] {
        let test = ListeningTest(recordingIn: directory) { $0.streams = source }
        test.load(server.url("/a.mp3")) {
          $0.start = start
          $0.feedDuration = feed
        }
        #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true), "\(test.seen.suffix(8))")
        let first = try test.recording().second()
        #expect(abs(first - Int(start)) <= 1, "\(kind), \(String(describing: feed)): \(first) at \(start)")
      }
    }

    /// The servers behind one address give one file different validators. FFmpeg asks for its end while it opens it.
    @Test func fileWhoseServersDifferHasAnEnd() async throws {
      let source = try Relayed.Source()
      let bytes = try file(.noIndex)
      let server = try LoopbackServer()
      let gate = DispatchSemaphore(value: 0)
      defer { gate.signal() }
      server.route("/a.mp3") { request in
        server.route("/a.mp3", LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"2\"").answer)
        return LoopbackServer.Resource(bytes, type: "audio/mpeg", etag: "\"1\"").answer(request)
          .held(afterBytes: 60_000) { gate.wait() }
      }
      let test = ListeningTest { $0.streams = source }
      test.load(server.url("/a.mp3"))
      let duration = await test.next { event -> Double? in
        if case .started(_, let duration, _) = event { duration ?? 0 } else { nil }
      }
      #expect(duration.map { abs($0 - 60) < 1 } == true, "\(test.seen.suffix(8))")
    }

    /// The estimate from the first frames is 2:40.
    @Test func estimateDoesNotReplaceTheDurationOfTheFeed() async throws {
      let source = try Relayed.Source()
      let server = try LoopbackServer(serving: .init(file(.variable), type: "audio/mpeg"), at: "/a.mp3")
      let directory = try TemporaryDirectory()
      let path = try directory.write(try file(.variable), as: "a.mp3")
      for address in [server.url("/a.mp3"), path] {
        let test = ListeningTest { $0.streams = source }
        test.load(address) { $0.feedDuration = 60 }
        #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
        let durations = test.seen.compactMap { event -> Double? in
          switch event {
          case .started(_, let duration, _): duration
          case .duration(_, let duration): duration
          default: nil
          }
        }
        #expect(durations.allSatisfy { abs($0 - 60) < 1 }, "\(durations)")
      }
    }
  }
}
