import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import Playback

extension RealCore {
  @Suite struct ClipExporting {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The first and last millisecond of a WAVE file that was cut from `TestAudio.clock`, and its duration.
    private func times(_ path: String) throws -> (first: Int, last: Int, seconds: Double) {
      let wave = try Recording(ofWave: path)
      return (Int(try #require(wave.samples.first)), Int(try #require(wave.samples.last)), wave.seconds)
    }

    @Test func clipOfALocalFileIsExact() throws {
      let source = try directory.write(TestAudio.clock(seconds: 25), as: "a.wav")
      let target = directory.path + "/clip.wav"
      let length = try ClipExport(address: source, start: 12.5, end: 15.25, target: target, title: "A, “b”=%c").run()
      let times = try times(target)
      #expect(abs(length - 2.75) < 0.01 && abs(times.seconds - 2.75) < 0.01)
      #expect(times.first == 12_500 && times.last == 15_249)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["a.wav", "clip.wav"])
    }

    /// libmpv 0.35 sometimes loses the start of a short part. Here the first core is paused instead.
    @Test func lostStartIsRepeated() throws {
      let source = try directory.write(TestAudio.clock(seconds: 25), as: "a.wav")
      let target = directory.path + "/clip.wav"
      var export = ClipExport(address: source, start: 12.5, end: 15.25, target: target)
      export.options.adaptLibrary = LostStart.adapt
      #expect(abs(try export.run() - 2.75) < 0.01)
      #expect(LostStart.count == 1)
      let times = try times(target)
      #expect(abs(times.first - 12_500) <= 2 && abs(times.last - 15_249) <= 2)
    }

    /// On a busy machine a short clip has ended before mpv can be asked whether the file is seekable.
    @Test(arguments: [0.0, 12.5]) func clipThatEndsEarlyIsExact(start: Double) throws {
      let file = LoopbackServer.Resource(TestAudio.clock(seconds: 600), type: "audio/wav")
      let server = try LoopbackServer(serving: file, at: "/a.wav")
      let target = directory.path + "/clip.wav"
      var export = ClipExport(address: server.url("/a.wav"), start: start, end: start + 2, target: target)
      (export.mediaBytes, export.duration) = (9_600_044, 600)
      export.options.adaptLibrary = EarlyEnd.adapt
      #expect(abs(try export.run() - 2) < 0.01)
      #expect(EarlyEnd.withheld.contains("seekable"))
      #expect(abs(try times(target).first - Int(start * 1000)) <= 2)
      // Nothing was asked for without an end.
      #expect(server.requests.allSatisfy { $0.header("Range")?.hasSuffix("-") == false })
    }

    /// The recording ends before the clip does.
    @Test func endOfAClipThatEndsEarlyIsTheEndOfTheFile() throws {
      let source = try directory.write(TestAudio.clock(seconds: 25), as: "a.wav")
      let target = directory.path + "/clip.wav"
      var export = ClipExport(address: source, start: 0, end: 40, target: target)
      export.options.adaptLibrary = EarlyEnd.adapt
      #expect(abs(try export.run() - 25) < 0.01)
      #expect(EarlyEnd.withheld.contains("duration"))
    }

    @Test(arguments: ClipFormat.allCases) func everyFormatIsExported(format: ClipFormat) throws {
      let source = try directory.write(TestAudio.scale(seconds: 8), as: "a.wav")
      let target = "\(directory.path)/clip.\(format.rawValue.uppercased())"
      let length = try ClipExport(address: source, start: 2, end: 5, target: target).run()
      #expect(abs(length - 3) < 0.2)
      #expect(!FileManager.default.fileExists(atPath: target + ".part.\(format.rawValue)"))
    }

    @Test func onlyTheClipOfAStreamIsFetched() throws {
      let server = try LoopbackServer()
      let asked = Mutex<[String]>([])
      let bytes = TestAudio.clock(seconds: 600)
      let file = LoopbackServer.Resource(bytes, type: "audio/wav")
      server.route("/a.wav") { request in
        asked.withLock { $0.append(request.header("Range") ?? "all") }
        return file.answer(request)
      }
      let target = directory.path + "/clip.wav"
      var export = ClipExport(address: server.url("/a.wav"), start: 300, end: 302, target: target)
      (export.mediaBytes, export.duration) = (Int64(bytes.count), 600)
      _ = try export.run()
      #expect(try times(target).first == 0)
      // At 16,000 bytes a second the second request begins just before the clip and ends shortly after it.
      let last = try #require(asked.withLock { $0.last })
      let range = last.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
      #expect(range.count == 2 && (4_700_000...4_800_044).contains(range[0]), "\(last)")
      #expect((4_832_000...5_200_000).contains(range.last ?? 0), "\(last)")

      // A wrong size or duration in the feed costs a second attempt, but the clip is made.
      (export.mediaBytes, export.duration) = (1_000_000, 600)
      #expect(try export.run() == 2)
      #expect(try times(target).first == 0)
    }

    @Test func serverWithoutRangesIsReadToTheClip() throws {
      let file = LoopbackServer.Resource(TestAudio.clock(seconds: 25), type: "audio/wav", honoursRanges: false)
      let server = try LoopbackServer(serving: file, at: "/a.wav")
      let target = directory.path + "/clip.wav"
      _ = try ClipExport(address: server.url("/a.wav"), start: 20, end: 21, target: target).run()
      #expect(abs(try times(target).first - 20_000) <= 2)
    }

    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func clipOfAVariableRateMP3IsExact() throws {
      let source = try TestAudio.compressed(TestAudio.minute, ["-q:a", "6"], in: directory)
      let server = try LoopbackServer(serving: .init(TestAudio.bytes(of: source), type: "audio/mpeg"), at: "/a.mp3")
      let target = directory.path + "/clip.wav"
      _ = try ClipExport(address: server.url("/a.mp3"), start: 41, end: 42, target: target).run()
      let cut = try Recording(ofWave: target)
      #expect(TestAudio.second(ofScale: cut.samples, rate: cut.rate) == 41)
    }

    /// Ogg streams behind each other: a clip from the last one, and the whole file.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg"), arguments: ["libopus", "libvorbis"])
    func clipOfAChainedFileIsExact(codec: String) throws {
      let source = try directory.write(TestAudio.chain(codec, in: directory), as: "a.ogg")
      let target = directory.path + "/clip.wav"
      _ = try ClipExport(address: source, start: 41, end: 42, target: target).run()
      let cut = try Recording(ofWave: target)
      #expect(TestAudio.second(ofScale: cut.samples, rate: cut.rate) == 41)
      var whole = ClipExport(address: source, start: 0, end: 60, target: target)
      whole.isWhole = true
      #expect(abs(try whole.run() - 60) < 0.3)
    }

    /// The duration estimated from the first frames is shorter than the clip's start.
    @Test(.enabled(if: Encoder.path != nil, "needs ffmpeg")) func clipOfAnMP3WithAWrongEstimateIsExact() throws {
      let bytes = try TestAudio.tenMinutes(["-q:a", "6", "-write_xing", "0"], in: directory)
      let server = try LoopbackServer(serving: .init(bytes, type: "audio/mpeg"), at: "/b.mp3")
      let target = directory.path + "/clip.wav"
      _ = try ClipExport(address: server.url("/b.mp3"), start: 341, end: 342, target: target).run()
      let cut = try Recording(ofWave: target)
      #expect(TestAudio.second(ofScale: cut.samples, rate: cut.rate) == 41)
    }

    @Test func failedExportLeavesNoFile() throws {
      let server = try LoopbackServer()
      server.route("/a.wav", .status(404))
      let source = try directory.write(TestAudio.clock(seconds: 5), as: "a.wav")
      func failure(_ address: String, _ name: String, _ start: Double = 1) -> ClipExportError? {
        do throws(ClipExportError) {
          _ = try ClipExport(address: address, start: start, end: start + 1, target: name).run()
          return nil
        } catch { return error }
      }
      let target = directory.path + "/clip.wav"
      #expect(failure(server.url("/a.wav"), target) == .source("the server does not have the file any more (404)"))
      #expect(failure(directory.path + "/none.wav", target)?.description.contains("there is no file") == true)
      #expect(failure("edl://x", target) != nil)
      #expect(failure(source, target, 30) == .source("the recording is only 0:05 long"))
      #expect(failure(source, directory.path + "/clip.doc") == .format(path: directory.path + "/clip.doc"))
      if case .target = failure(source, directory.path + "/none/clip.wav") {} else { Issue.record("no .target") }
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.wav"])
    }

    @Test func truncatedStreamIsAnError() throws {
      let server = try LoopbackServer()
      let file = LoopbackServer.Resource(TestAudio.clock(seconds: 60), type: "audio/wav", honoursRanges: false)
      // The second half is never sent.
      server.route("/a.wav") { file.answer($0).cut(afterBytes: 480_000) }
      let target = directory.path + "/clip.wav"
      var options = PlayerOptions()
      (options.networkTimeout, options.reconnectSeconds) = (1, 1)
      let export = ClipExport(address: server.url("/a.wav"), start: 20, end: 50, target: target, options: options)
      #expect(throws: ClipExportError.self) { try export.run() }
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }
}
