import Testing

@testable import Playback

extension RealCore {
  @Suite struct Probing {
    @Test func probeNamesTheAudioOutput() throws {
      let probe = try MpvProbe(options: PlayerOptions(output: .null(isTimed: true)))
      guard case .opened("null") = probe.output else {
        Issue.record("\(probe.output)")
        return
      }
      #expect(probe.mpv.hasPrefix("mpv ") && !probe.ffmpeg.isEmpty && probe.interface.contains("."))
    }

    @Test func deviceThatCannotBeOpenedIsReported() throws {
      var options = PlayerOptions()
      // A file that may not be written is the only output that fails on every machine.
      options.output = .wave(path: "/proc/earshot/none.wav")
      guard case .failed("no sound device can be opened") = try MpvProbe(options: options).output else {
        Issue.record("\(try MpvProbe(options: options).output)")
        return
      }
    }

    @Test func missingLibmpvIsReported() {
      var options = PlayerOptions()
      options.libraryNames = ["libmpv-that-is-not-there.so"]
      #expect(throws: PlaybackError.libraryMissing) { try MpvProbe(options: options) }
    }
  }
}
