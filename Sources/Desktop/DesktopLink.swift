import Foundation
import Model
import Synchronization

/// All connections of this player to the outside: the control socket, MPRIS on the session bus, and Now Playing on
/// macOS. A missing service is left out and logged.
///
/// Only `close` waits. All methods may be called on any thread.
public final class DesktopLink: Sendable {
  private let shared = SharedState()
  private let watchers = Watchers()
  private let onEvent: (@Sendable (WatchEvent) -> Void)?
  private let server: Mutex<ControlServer?>
  private let makeServer: @Sendable () throws(DesktopError) -> ControlServer
  /// Whether there was a server at the start.
  private let isServing: Bool
  #if canImport(CSDBus)
    private let bus: MediaPlayerBus?
  #endif
  #if canImport(MediaPlayer)
    private let center: NowPlayingCenter
  #endif

  /// - Parameters:
  ///   - isOnBus: false: the session bus is not used.
  ///   - timeout: seconds within which a command must be carried out. Then `earshot ctl` gets the state as it is. A
  ///     client has twice as long to send its request. Less than the timeout of `ControlClient`.
  ///   - onCommand: passes a command on. Called on threads of the link; must not wait.
  ///   - onEvent: gets each event, in order, on the thread of `update` or `emit`. Nil: nobody wants them.
  ///   - log: reports a missing service.
  public init(
    control directory: ControlDirectory, isOnBus: Bool = true,
    environment: [String: String] = ProcessInfo.processInfo.environment, timeout: Double = 1,
    onCommand: @escaping @Sendable (RemoteCommand) -> Void,
    onEvent: (@Sendable (WatchEvent) -> Void)? = nil,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.onEvent = onEvent
    let (shared, watchers) = (self.shared, self.watchers)
    makeServer = { () throws(DesktopError) in
      try ControlServer(
        directory, timeout: 2 * timeout, watchers: watchers, status: { shared.now }, onCommand: onCommand,
        outcome: { command, before in
          shared.wait(atMost: timeout) { now in command.isDone(before: before, now: now) }
        })
    }
    var first: ControlServer?
    do throws(DesktopError) { first = try makeServer() } catch { log(error.description) }
    isServing = first != nil
    server = Mutex(first)
    #if canImport(CSDBus)
      bus =
        isOnBus && Self.hasSessionBus(environment) ? MediaPlayerBus(NowPlaying(), onCommand: onCommand, log: log) : nil
    #endif
    #if canImport(MediaPlayer)
      center = NowPlayingCenter(onCommand: onCommand)
    #endif
  }

  /// The state that the server reads. It is separate from the link, which owns the server.
  /// `@unchecked`, because the condition's lock protects both variables.
  private final class SharedState: @unchecked Sendable {
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

    var hasClosed: Bool { changed.withLock { isClosed } }

    /// Ends all waiting.
    func close() {
      changed.withLock {
        isClosed = true
        changed.broadcast()
      }
    }

    /// Waits until `condition` holds, at most the given seconds.
    /// - Returns: the state then.
    func wait(atMost seconds: Double, until condition: (NowPlaying) -> Bool) -> NowPlaying {
      let deadline = Date(timeIntervalSinceNow: seconds)
      return changed.withLock {
        while !isClosed, !condition(value), changed.wait(until: deadline) {}
        return value
      }
    }
  }

  /// Makes the control socket again if it was deleted with its directory, as a cleaner of temporary files does. Call it
  /// regularly.
  public func keepReachable() {
    guard isServing, !shared.hasClosed else { return }
    server.withLock { server in
      guard server?.isReachable != true else { return }
      // The old one ends first, because both have the same path.
      server = nil
      // If the directory cannot be made yet, the next call tries again.
      server = try? makeServer()
    }
  }

  /// Publishes the current state. Cheap if nothing has changed.
  public func update(_ now: NowPlaying) {
    let before = shared.now
    guard now != before else { return }
    shared.set(now)
    if isWatched { WatchEvent.changes(from: before, to: now).forEach(emit) }
    if now.position != before.position { watchers.sendPosition(now) }
    keepReachable()
    #if canImport(CSDBus)
      bus?.update(now)
    #endif
    #if canImport(MediaPlayer)
      center.update(now)
    #endif
  }

  /// Whether anybody wants events.
  public var isWatched: Bool { onEvent != nil || !watchers.isEmpty }

  /// Tells watchers and hooks of an event.
  public func emit(_ event: WatchEvent) {
    guard !shared.hasClosed else { return }
    watchers.send(event)
    onEvent?(event)
  }

  /// Shows a desktop notification, if the desktop has a service for it.
  public func notify(title: String, body: String) {
    #if canImport(CSDBus)
      bus?.notify(title: title, body: body)
    #endif
  }

  /// Closes all connections. Called once, at the end.
  public func close() {
    emit(WatchEvent(.quit, status: PlayerStatus(shared.now)))
    shared.close()
    watchers.closeAll()
    server.withLock { $0 = nil }
    #if canImport(CSDBus)
      bus?.close()
    #endif
  }

  /// Whether sd-bus would find a session bus. Without this check, a start over ssh would wait for a bus that
  /// does not exist.
  private static func hasSessionBus(_ environment: [String: String]) -> Bool {
    if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
    guard let runtime = environment["XDG_RUNTIME_DIR"] else { return false }
    return FileManager.default.fileExists(atPath: runtime + "/bus")
  }
}
