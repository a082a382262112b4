import LoopbackServer
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
      let server = try LoopbackServer()
      server.route("/a.mp3", LoopbackServer.Resource(bytes, type: "audio/mpeg").answer)
      for start in [330.25, 525.25] {
        let wave = "\(directory.path)/heard.wav"
        let test = ListeningTest(.wave(path: wave)) { $0.bufferBytes = 256 * 1024 }
        test.load(server.url("/a.mp3")) {
          $0.start = start
          $0.end = start + 2
        }
        let outcome = await test.next { Outcome($0) }
        // The estimate is 5:05.
        let duration = test.seen.lazy.compactMap(\.startDuration).first
        #expect(duration.map { abs($0 - 600) < 1 } ?? !isFast)
        #expect(outcome == .ended(generation: 1, atEnd: false), "\(start): \(test.seen.suffix(8))")
        #expect(test.seen.filter(\.isStart).count == 1)
        #expect(test.player.shutDown(waitingAtMost: 20))
        let (rate, samples) = try TestAudio.samples(ofWave: wave)
        let last = TestAudio.second(ofScale: Array(samples.suffix(rate).prefix(rate / 2)), rate: rate)
        #expect(last == Int(start + 1) % 60, "\(options) at \(start)")
        // The sound at a position that a fast seek missed is never heard.
        let first = TestAudio.second(ofScale: Array(samples.prefix(rate / 2)), rate: rate)
        #expect(first == Int(start) % 60, "\(options) at \(start)")
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
    @Test func seekTablesAreNotTrusted() {
      var seekReliability = SeekReliability()
      #expect(!seekReliability.isUnreliable(averageRate: nil))
      seekReliability.note(
        LogLine(source: "ffmpeg/demuxer", text: "mp3: Using scaling to seek VBR MP3; may be imprecise."))
      #expect(!seekReliability.isUnreliable(averageRate: 128_000))
      #expect(seekReliability.isUnreliable(averageRate: 127_998))
      #expect(seekReliability.isUnreliable(averageRate: nil))
      seekReliability.note(LogLine(source: "ffmpeg/demuxer", text: "mp3: Using MP3 TOC to seek; may be imprecise."))
      #expect(seekReliability.isUnreliable(averageRate: 128_000))
    }
  }
}
