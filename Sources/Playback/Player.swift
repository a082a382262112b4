import Foundation
import Model

/// Plays one address at a time through libmpv. Knows nothing of podcasts.
///
/// Making one costs nothing: libmpv is opened, and the thread that owns it started, by the first `load`, or before it by
/// `warmUp`. No method waits, except `shutDown`; all may be called from any thread. What happens is told through
/// `deliver`, on the player's thread and in order, which must not wait either.
///
/// Every event carries the generation of its load. After `load` the events of earlier loads are dropped here; one may
/// already be on its way, so the receiver compares generations as well. `currentPosition` asked just before a `load`
/// is the newest position of what was playing.
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

  /// Starts the core, so that the first `load` need not wait for it. Measured (libmpv 0.35, Debian 12): opening libmpv
  /// and its 234 dependencies takes two thirds of the time to the first sound; the core that idles then costs 48 MB of
  /// resident memory, of which 11 are its own and 37 are mapped files, two threads, and no CPU. What keeps it from starting
  /// is told by the `load`, which tries again.
  public func warmUp() { send(.warmUp) }

  /// Opens libmpv on a thread of its own and forgets it, so that a player that is made later finds it open: for verbs,
  /// which know that there will be sound before they know of what.
  public static func openLibraryAhead() {
    let thread = Thread {
      // Whether that went well, the player finds out, and says.
      _ = try? MpvLibrary(names: MpvLibrary.names)
    }
    thread.name = "libmpv"
    thread.start()
  }

  /// Plays this instead of what was playing. Ends in `.started`, then `.ended`; or in `.failed`, which says why.
  public func load(_ request: PlayRequest) { send(.load(request)) }

  /// What will be loaded when the file that plays has been heard to its end; nil takes that back. It is opened ahead, and
  /// sounds without a gap. Then, after `.ended`, a `load` of the same address must follow at once, and makes it the file
  /// that plays, as that request has it: nothing is told of it before. A `load` of something else, `stop` or nothing
  /// silences it. Its generation is not looked at.
  public func prepare(_ request: PlayRequest?) { send(.prepare(request)) }

  // What follows concerns the file that is loaded. Before the first load nothing is playing and nothing happens:
  // each request brings its own speed, volume and pause.

  public func setPaused(_ isPaused: Bool) { send(.setPaused(isPaused)) }

  /// To this second, exactly. Beyond the end is the end. All positions that are told from then on carry the id.
  public func seek(to seconds: Double, _ id: SeekID) { send(.seek(seconds, id)) }

  /// From the present position, or from the target of the last seek when that is still under way.
  public func seek(by seconds: Double, _ id: SeekID) { send(.seekBy(seconds, id)) }

  /// 0.25 to 4.
  public func setSpeed(_ speed: Double) { send(.setSpeed(speed)) }

  /// Percent, 0 to 150.
  public func setVolume(_ percent: Double) { send(.setVolume(percent)) }

  public func setSound(_ sound: SoundShape) { send(.setSound(sound)) }

  /// A share of the volume, 0 to 1, that `.volume` does not tell: for fading out. Every load begins with 1.
  public func setFade(_ share: Double) { send(.setFade(share)) }

  /// The name of an `AudioDevice`.
  public func setDevice(_ name: String) { send(.setDevice(name)) }

  /// Answered by `.devices`, also when nothing plays.
  public func listDevices() { send(.listDevices) }

  /// Ends what is playing: `.ended` with its last position follows.
  public func stop() { send(.stop) }

  /// The newest position of the newest load, at most a tenth of a second old while playing: for a last write before
  /// the program goes. Stays after the end of the file. Nil until a file was open.
  public var currentPosition: PlaybackPosition? { mailbox.position }

  /// Ends playback and the core. Waits at most that many seconds; false when the core was still busy then (a name
  /// server that does not answer cannot be interrupted). `.shutDown` is the last event.
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
