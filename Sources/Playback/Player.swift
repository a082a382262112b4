import Foundation
import Model

/// Plays one file or stream at a time through libmpv. It does not know about podcasts.
///
/// A `Player` needs no thread and little memory until it is used. The first `load`, `warmUp` or `listDevices` opens
/// libmpv and starts the thread that owns it. All methods may be called from any thread, and none of them blocks except
/// `shutDown`. Events go to `deliver`, in order, on the player's thread; `deliver` must not block either.
///
/// Every event carries the generation of its load. Once `load` has been called, events of earlier loads are dropped.
/// One of them may already be on its way, so the receiver must compare generations as well. To get the last position
/// of the previous file, read `currentPosition` just before `load`.
public final class Player: Sendable {
  private let options: PlayerOptions
  private let deliver: @Sendable (PlayerEvent) -> Void
  private let mailbox = PlayerMailbox()
  private let hasEnded = DispatchSemaphore(value: 0)

  public init(options: PlayerOptions = PlayerOptions(), deliver: @escaping @Sendable (PlayerEvent) -> Void) {
    self.options = options
    self.deliver = deliver
  }

  deinit { _ = mailbox.post(.shutDown) }

  /// Starts the core ahead of the first `load`. Measured with libmpv 0.35 on Debian 12: opening libmpv and its 234
  /// dependencies takes two thirds of the time to the first sound. An idle core costs 48 MB of resident memory (11 MB
  /// of its own, 37 MB of mapped files), two threads and no CPU. If the core cannot start, the next `load` tries
  /// again and reports the error.
  public func warmUp() { send(.warmUp) }

  /// Opens libmpv on a thread of its own, so that a player that is created later finds it loaded. For verbs of the
  /// command line, which know early that they will play something.
  public static func openLibraryAhead() {
    let thread = Thread {
      // The player reports a failure when it opens the library itself.
      _ = try? MpvLibrary(names: MpvLibrary.names)
    }
    thread.name = "libmpv"
    thread.start()
  }

  /// Plays this instead of the current file. Ends with `.started` and later `.ended`, or with `.failed`, which gives
  /// the reason.
  public func load(_ request: PlayRequest) { send(.load(request)) }

  /// Sets the file that follows when the current one has played to its end; nil removes it. It is opened ahead and
  /// starts without a gap.
  ///
  /// After `.ended`, the caller must at once `load` the same address. That makes the prepared file the current one,
  /// with the settings of the new request, and its events are reported from then on. A `load` of another address, a
  /// `stop`, or no call within two seconds silences it. The generation of this request is ignored.
  public func prepare(_ request: PlayRequest?) { send(.prepare(request)) }

  // The commands below change the loaded file. They do nothing before the first load, because each request brings its
  // own speed, volume and pause.

  public func setPaused(_ isPaused: Bool) { send(.setPaused(isPaused)) }

  /// Seeks to exactly this second, or to the end if that is earlier. All positions reported from then on carry the
  /// id.
  public func seek(to seconds: Double, _ id: SeekID) { send(.seek(seconds, id)) }

  /// A factor, 0.25 to 4.
  public func setSpeed(_ speed: Double) { send(.setSpeed(speed)) }

  /// Percent, 0 to 150.
  public func setVolume(_ percent: Double) { send(.setVolume(percent)) }

  public func setSound(_ sound: SoundShape) { send(.setSound(sound)) }

  /// A factor of the volume, 0 to 1, for fading out. `.volume` does not report it. Every load starts with 1.
  public func setFade(_ share: Double) { send(.setFade(share)) }

  /// Chooses the `AudioDevice` with this name.
  public func setDevice(_ name: String) { send(.setDevice(name)) }

  /// The answer is the event `.devices`, which comes even if nothing plays.
  public func listDevices() { send(.listDevices) }

  /// Stops playback. `.ended` with the last position follows.
  public func stop() { send(.stop) }

  /// The newest position of the newest load, at most 0.1 s old while playing. Callers save it before the program
  /// exits. It remains after the end of the file, and is nil until a file has been open.
  public var currentPosition: PlaybackPosition? { mailbox.position }

  /// Stops playback and the core. Waits at most `seconds`; false means that the core was still busy (a DNS lookup
  /// cannot be interrupted). `.shutDown` is the last event.
  @discardableResult
  public func shutDown(waitingAtMost seconds: Double = 2) -> Bool {
    let before = mailbox.phase
    send(.shutDown)
    switch before {
    case .shutDown: return true
    case .cold:
      deliver(.shutDown)
      return true
    case .running: return hasEnded.wait(timeout: .now() + seconds) == .success
    }
  }

  private func send(_ command: PlayerCommand) {
    guard mailbox.post(command) else { return }
    let thread = Thread { [options, mailbox, deliver, hasEnded] in
      PlayerThread(options: options, mailbox: mailbox, deliver: deliver).run()
      hasEnded.signal()
    }
    thread.name = "player"
    thread.start()
  }
}
