/// Checks whether libmpv can be used and whether sound would be heard, for `earshot doctor`.
public struct MpvProbe: Sendable {
  public enum Output: Sendable {
    /// The sound opened with this audio driver: "pulse", "alsa".
    case opened(String)
    /// Why no driver opened.
    case failed(String)
  }

  /// "mpv 0.35.1".
  public let mpv: String
  /// "5.1.6".
  public let ffmpeg: String
  /// The version of libmpv's client API: "2.0".
  public let interface: String
  public let output: Output
  /// How many devices can be chosen, not counting "auto".
  public let devices: Int

  /// Opens the sound device and plays a moment of silence, as the player would with these options. Blocks for up to
  /// `seconds`. Throws if libmpv cannot be used.
  public init(options: PlayerOptions = PlayerOptions(), waitingAtMost seconds: Double = 20) throws {
    let library = try MpvLibrary(names: options.libraryNames)
    let version = library.functions.client_api_version()
    interface = "\(version >> 16).\(version & 0xFFFF)"
    let core = try MpvCore(library: library, options: MpvOption.table(for: options))
    defer { core.terminate() }
    mpv = core.value(of: "mpv-version").text ?? "mpv"
    ffmpeg = core.value(of: "ffmpeg-version").text ?? "?"
    devices = core.value(of: "audio-device-list").elements.count { $0["name"].text != "auto" }
    do throws(PlaybackError) {
      output = .opened(try Self.driver(of: core, waitingAtMost: seconds))
    } catch { output = .failed("\(error)") }
  }

  private static func driver(of core: MpvCore, waitingAtMost seconds: Double) throws(PlaybackError) -> String {
    var reason = FailureReason()
    _ = try core.load("av://lavfi:anullsrc=d=1")
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      switch core.wait(timeout: max(0, (end - ContinuousClock.now) / .seconds(1))) {
      case .playbackRestart:
        guard let driver = core.value(of: "current-ao").text else { throw .noSoundDevice }
        return driver
      case .endFile(_, let ending):
        guard case .error(let code, let text) = ending else { throw .noSoundDevice }
        throw reason.error(code: code, text: text)
      case .log(let line): reason.read(line)
      default: break
      }
    }
    throw .other("the sound device did not answer in \(Int(seconds)) seconds")
  }
}
