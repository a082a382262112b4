import LoopbackServer
import Testing

@testable import Playback

extension RealCore {
  @Suite struct Failing {
    private func failure(of address: String) async -> String? {
      let test = ListeningTest()
      test.load(address)
      let message = await test.next(\.failure)
      #expect(!test.seen.contains { $0.isStart })
      return message
    }

    @Test(arguments: [
      (404, "the server does not have the file any more (404)"),
      (410, "the server does not have the file any more (410)"),
      (403, "the server refuses access (403)"), (503, "the server has an internal problem (503)"),
    ])
    func refusalOfTheServerIsReported(status: Int, message: String) async throws {
      let server = try LoopbackServer()
      server.route("/a.mp3", .status(status))
      #expect(await failure(of: server.url("/a.mp3")) == message)
    }

    @Test func connectionRefused() async throws {
      let server = try LoopbackServer()
      let address = server.url("/a.mp3")
      server.stop()
      let message = await failure(of: address)
      #expect(message?.hasPrefix("the server cannot be reached") == true, "\(message ?? "")")
    }

    @Test func notAudio() async throws {
      let server = try LoopbackServer()
      server.route("/page", .text("<html><body>Not here</body></html>", type: "text/html"))
      server.route("/noise", .bytes((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }))
      server.route("/nothing", .bytes([]))
      for path in ["/page", "/noise", "/nothing"] {
        let message = await failure(of: server.url(path))
        #expect(message == "this is not audio that mpv can play", "\(path)")
      }
    }

    @Test func missingAndStrangeFiles() async throws {
      let directory = try TemporaryDirectory()
      #expect(await failure(of: "\(directory.path)/none.mp3") == "there is no file \(directory.path)/none.mp3")
      #expect(await failure(of: directory.path) == "\(directory.path) is not a file")
      #expect(await failure(of: "/dev/zero") == "/dev/zero is not a file")
    }

    @Test(arguments: [
      "edl://%4%/etc", "lavf://http://127.0.0.1/", "file:///etc/passwd", "-", "a.mp3", "../a.mp3", "", "ytdl://x",
      "av://lavfi:sine", "fd://0", "http:/127.0.0.1", "https://", "~/a.mp3", "http://127.0.0.1/\n--script=x", "cdda://",
    ])
    func addressOfAnotherKindIsRefused(address: String) async {
      let message = await failure(of: address)
      #expect(message?.hasPrefix("the address cannot be played: ") == true, "\(message ?? "")")
    }

    @Test(arguments: [
      "#EXTM3U\n#EXTINF:1,a\nSECRET\n", "# mpv EDL v0\nSECRET\n", "[playlist]\nFile1=SECRET\n",
      "ffconcat version 1.0\nfile 'SECRET'\n",
      "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nSECRET\n#EXT-X-ENDLIST\n",
    ])
    func playlistFromAServerOpensNoLocalFile(list: String) async throws {
      let directory = try TemporaryDirectory()
      let secret = try directory.write(TestAudio.clock(seconds: 5), as: "secret.wav")
      let server = try LoopbackServer()
      for (name, target) in [("path", secret), ("url", "file://\(secret)")] {
        server.route("/\(name).m3u8", .text(list.replacing("SECRET", with: target), type: "audio/mpegurl"))
        let test = ListeningTest()
        test.load(server.url("/\(name).m3u8"))
        #expect(await test.next { Outcome($0) } == .failed(generation: 1))
        #expect(!test.seen.contains { $0.positionSeconds ?? 0 > 0 })
      }
    }

    @Test func redirectToAnotherSchemeIsRefused() async throws {
      let directory = try TemporaryDirectory()
      let secret = try directory.write(TestAudio.clock(seconds: 5), as: "secret.wav")
      let server = try LoopbackServer()
      server.route("/a.wav", .redirect(302, to: "file://\(secret)"))
      #expect(await failure(of: server.url("/a.wav")) != nil)
    }

    @Test func missingLibmpvIsReported() async {
      let test = ListeningTest { $0.libraryNames = ["libmpv-that-is-not-there.so"] }
      for generation in 1...2 {
        test.load("/etc/hostname", generation: generation)
        let message = await test.next(\.failure)
        #expect(message == "libmpv was not found: apt-get install libmpv2 (brew install mpv on macOS)")
      }
    }

    @Test func optionThatMpvRefusesIsReported() async {
      let test = ListeningTest { $0.overrides = [MpvOption("demuxer-max-bytes", "many")] }
      test.loadTone(seconds: 1)
      let message = await test.next(\.failure)
      #expect(message?.contains("demuxer-max-bytes=many") == true)
    }

    @Test func missingSoundDeviceIsReplaced() async {
      let gone = "alsa/earshot-has-no-such-device"
      let test = ListeningTest(.system) { $0.device = gone }
      test.loadTone(seconds: 1)
      let first = await test.next { event in
        switch event {
        case .deviceGone, .failed, .ended: event
        default: nil
        }
      }
      #expect(first == .deviceGone(gone))
      // Without any sound device the new choice fails too, and that is reported. On other machines it plays.
      guard let outcome = await test.next({ Outcome($0) }) else {
        Issue.record("nothing came of it")
        return
      }
      #expect(
        outcome == .ended(generation: 1, atEnd: true) || test.seen.last?.failure == "no sound device can be opened")
      #expect(test.seen.filter { if case .deviceGone = $0 { true } else { false } }.count == 1)
    }

    @Test func missingSoundDeviceIsReported() async {
      // An ALSA device with a name that does not exist.
      let test = ListeningTest(.null(isTimed: true)) {
        $0.overrides = [MpvOption("ao", "pcm"), MpvOption("ao-pcm-file", "/nonexistent/directory/a.wav")]
      }
      test.loadTone(seconds: 1)
      #expect(await test.next(\.failure) == "no sound device can be opened")
    }
  }
}
