import Foundation
import Model
import Synchronization

/// All ways in which this player is seen and steered from outside: the control socket, MPRIS on the session bus, Now
/// Playing on macOS. What is not there is left out, with a line for the log.
///
/// No method waits but `close`; all may be called from any thread.
public final class DesktopLink: Sendable {
  private let box = Box()
  private let server: Mutex<ControlServer?>
  #if canImport(CSDBus)
    private let bus: MediaPlayerBus?
  #endif
  #if canImport(MediaPlayer)
    private let center: NowPlayingCenter
  #endif

  /// - Parameters:
  ///   - isOnBus: false leaves the session bus alone.
  ///   - onCommand: passes a wish on; called on threads of the link, must not wait.
  ///   - log: what is missing, in words.
  public init(
    control directory: ControlDirectory, isOnBus: Bool = true,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    onCommand: @escaping @Sendable (RemoteCommand) -> Void, log: @escaping @Sendable (String) -> Void
  ) {
    let box = self.box
    do throws(DesktopError) {
      server = Mutex(
        try ControlServer(
          directory, status: { box.now }, onCommand: onCommand,
          outcome: { command, before in
            box.wait(atMost: Self.patience) { now in command.isDone(before: before, now: now) }
          }))
    } catch {
      server = Mutex(nil)
      log(error.description)
    }
    #if canImport(CSDBus)
      bus =
        isOnBus && Self.hasSessionBus(environment) ? MediaPlayerBus(NowPlaying(), onCommand: onCommand, log: log) : nil
    #endif
    #if canImport(MediaPlayer)
      center = NowPlayingCenter(onCommand: onCommand)
    #endif
  }

  /// Seconds that `earshot ctl` waits for a command to be carried out; it may be one that changes nothing.
  private static let patience = 1.0

  /// What the server reads; apart from the link, which owns the server.
  /// `@unchecked`: the condition's lock guards both variables.
  private final class Box: @unchecked Sendable {
    private let changed = NSCondition()
    private var value = NowPlaying()
    private var isClosed = false

    var now: NowPlaying { changed.withLock { value } }

    func set(_ now: NowPlaying) {
      changed.withLock {
        value = now
        changed.broadcast()
      }
    }

    /// Ends all waiting.
    func close() {
      changed.withLock {
        isClosed = true
        changed.broadcast()
      }
    }

    /// What is playing as soon as `condition` holds, or after so many seconds.
    func wait(atMost seconds: Double, until condition: (NowPlaying) -> Bool) -> NowPlaying {
      let deadline = Date(timeIntervalSinceNow: seconds)
      return changed.withLock {
        while !isClosed, !condition(value), changed.wait(until: deadline) {}
        return value
      }
    }
  }

  /// Tells everybody what is playing. Cheap when nothing has changed.
  public func update(_ now: NowPlaying) {
    guard now != box.now else { return }
    box.set(now)
    #if canImport(CSDBus)
      bus?.update(now)
    #endif
    #if canImport(MediaPlayer)
      center.update(now)
    #endif
  }

  /// A notification of the desktop, where there is one.
  public func notify(title: String, body: String) {
    #if canImport(CSDBus)
      bus?.notify(title: title, body: body)
    #endif
  }

  /// Nobody can reach the player any more. Called once, at the end.
  public func close() {
    box.close()
    server.withLock { $0 = nil }
    #if canImport(CSDBus)
      bus?.close()
    #endif
  }

  /// Where sd-bus would look: without this a start by ssh would wait for nothing.
  private static func hasSessionBus(_ environment: [String: String]) -> Bool {
    if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
    guard let runtime = environment["XDG_RUNTIME_DIR"] else { return false }
    return FileManager.default.fileExists(atPath: runtime + "/bus")
  }
}
