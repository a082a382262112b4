import Testing

@testable import Playback

extension RealCore {
  @Suite struct Probing {
    @Test func probeNamesTheAudioOutput() throws {
      let probe = try MpvProbe(options: PlayerOptions(output: .null(isTimed: true)), waitingAtMost: 60)
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
      let output = try MpvProbe(options: options, waitingAtMost: 60).output
      guard case .failed("no sound device can be opened") = output else {
        Issue.record("\(output)")
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
