import CMpv
import Foundation
import LoopbackServer
import Testing

@testable import Playback

extension RealCore {
  /// Compares the samples of the audio output.
  @Suite struct Sound {
    private func heard(
      _ address: String, start: Double, in directory: TemporaryDirectory,
      through adapt: (@Sendable (MpvLibrary) -> MpvLibrary)? = nil, change: (inout PlayRequest) -> Void = { _ in }
    ) async throws -> Recording {
      let test = ListeningTest(recordingIn: directory) { if let adapt { $0.adaptLibrary = adapt } }
      test.load(address, start: start, change: change)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      return try test.recording()
    }

    @Test(arguments: [0, 0.5, 12.345, 28.999])
    func startsAtTheMillisecond(start: Double) async throws {
      let directory = try TemporaryDirectory()
      let file = try directory.write(TestAudio.clock(seconds: 30), as: "a.wav")
      let heard = try await heard(file, start: start, in: directory)
      #expect(heard.samples.first.map { abs(Double($0) / 1000 - start) < 0.002 } == true)
      #expect(abs(heard.seconds - (30 - start)) < 0.01)
      #expect(heard.samples.last == 29_999)
    }

    /// A server without ranges is read to the position.
    @Test(arguments: [true, false]) func streamStartsAtThePosition(honoursRanges: Bool) async throws {
      let directory = try TemporaryDirectory()
      let file = LoopbackServer.Resource(TestAudio.clock(seconds: 30), type: "audio/wav", honoursRanges: honoursRanges)
      let server = try LoopbackServer(serving: file, at: "/a.wav")
      let samples = try await heard(server.url("/a.wav"), start: 17.5, in: directory).samples
      #expect(samples.first.map { abs(Int($0) - 17_500) <= 2 } == true)
    }

    @Test func twiceTheSpeedIsHalfTheLengthAtTheSamePitch() async throws {
      let directory = try TemporaryDirectory()
      let file = try directory.write(TestAudio.scale(seconds: 10), as: "a.wav")
      let heard = try await heard(file, start: 0, in: directory, change: { $0.speed = 2 })
      #expect(abs(heard.seconds - 5) < 0.3)
      let count = heard.samples.count
      let middle = Array(heard.samples[(count * 44 / 100)..<(count * 48 / 100)])
      #expect(TestAudio.second(ofScale: middle, rate: heard.rate) == 4)
    }

    @Test(
      .enabled(if: Encoder.path != nil, "ffmpeg makes the files, and is not installed"),
      arguments: [
        ["-b:a", "64k", "-f", "mp3"], ["-q:a", "4", "-ar", "44100", "-f", "mp3"], ["-c:a", "aac", "-f", "mp4"],
        ["-c:a", "libopus", "-f", "ogg"],
      ], [0.25, 31.25, 57.25])
    func compressedFilesStartInTheRightSecond(format: [String], start: Double) async throws {
      let directory = try TemporaryDirectory()
      let file = try TestAudio.compressed(TestAudio.minute, format, as: "a.audio", in: directory)
      let heard = try await heard(file, start: start, in: directory)
      // The first half second lies completely within the start's second.
      #expect(heard.second() == Int(start))
      #expect(abs(heard.seconds - (60 - start)) < 0.15)
    }

    /// Ogg streams behind each other, as archives of radio servers are. The timestamps begin again in each.
    @Test(
      .enabled(if: Encoder.path != nil, "ffmpeg makes the files, and is not installed"),
      arguments: ["libopus", "libvorbis"], [0, 0.25, 15.25, 31.25, 57.25])
    func chainedFilesStartInTheRightSecond(codec: String, start: Double) async throws {
      let directory = try TemporaryDirectory()
      let bytes = try TestAudio.chain(codec, in: directory)
      let server = try LoopbackServer(serving: .init(bytes, type: "audio/ogg"), at: "/a.ogg")
      for address in [server.url("/a.ogg"), try directory.write(bytes, as: "a.ogg")] {
        let heard = try await heard(address, start: start, in: directory)
        #expect(heard.second() == Int(start) && abs(heard.seconds - (60 - start)) < 0.3)
      }
    }

    /// FFmpeg does not notice the chain if the last stream is short.
    @Test(.enabled(if: Encoder.path != nil, "ffmpeg makes the files, and is not installed"), arguments: [15.25, 45.25])
    func shortChainedFilesStartInTheRightSecond(start: Double) async throws {
      let directory = try TemporaryDirectory()
      let bytes = try TestAudio.chain("libvorbis", rate: 8000, in: directory)
      #expect(bytes.count < 150_000)
      let heard = try await heard(directory.write(bytes, as: "a.ogg"), start: start, in: directory)
      #expect(heard.second() == Int(start) && abs(heard.seconds - (60 - start)) < 0.3)
    }

    /// A busy player learns only when mpv has played all it can that the file is chained.
    @Test(.enabled(if: Encoder.path != nil, "ffmpeg makes the files, and is not installed"))
    func chainedFileIsHeardOnce() async throws {
      let directory = try TemporaryDirectory()
      let file = try directory.write(TestAudio.chain("libvorbis", in: directory), as: "a.ogg")
      let heard = try await heard(file, start: 15.25, in: directory, through: Self.playBeforeOpeningIsReported)
      #expect(abs(heard.seconds - 44.75) < 0.3)
    }

    private static let playBeforeOpeningIsReported: @Sendable (MpvLibrary) -> MpvLibrary = { library in
      AdaptedMpv.adapt(library) { real, handle, timeout in
        let event = real.wait_event(handle, timeout)
        if event?.pointee.event_id == MPV_EVENT_FILE_LOADED {
          // mpv also pauses at the end of the file.
          var isPaused: Int32 = 0
          while isPaused == 0, real.get_property(handle, "pause", MPV_FORMAT_FLAG, &isPaused) >= 0 { usleep(1000) }
        }
        return event
      }
    }

    @Test(.enabled(if: Encoder.path != nil, "ffmpeg makes the files, and is not installed"))
    func chainedFileIsSeekable() async throws {
      let directory = try TemporaryDirectory()
      let file = try directory.write(TestAudio.chain("libopus", in: directory), as: "a.opus")
      let test = ListeningTest { _ in }
      test.load(file) { ($0.isPaused, $0.feedDuration) = (true, 60) }
      _ = await test.next(\.positionSeconds)
      for target in [45.0, 5, 25] {
        test.player.seek(to: target)
        #expect(await test.settles(at: target))
      }
      test.player.seek(to: 58)
      test.player.setPaused(false)
      #expect(await test.next { Outcome($0) } == .ended(generation: 1, atEnd: true))
      // What mpv has read is not the duration.
      #expect(test.seen.lazy.compactMap(\.startDuration).first == nil)
    }
  }
}
