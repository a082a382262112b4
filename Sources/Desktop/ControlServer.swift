import Foundation
import LoopbackSocket
import Model

/// Serves `earshot ctl` on a socket of this process, on a separate thread. A client has a limited time to send its
/// request, and a silent one does not block others.
final class ControlServer: Sendable {
  private let path: String
  private let descriptor: Int32
  /// A byte in it ends the thread.
  private let stop: WakePipe
  private let hasEnded = DispatchSemaphore(value: 0)

  private static let waitingLimit = 32
  /// The maximum number of connections of one process.
  private static let connectionsPerProcess = 4
  /// The longest request. A thousand episodes for the queue fit into it.
  static let maxLineBytes = 16_384

  /// - Parameters:
  ///   - timeout: seconds within which a client must send its request.
  ///   - watchers: gets the clients of `watch`.
  ///   - status: the current state. All closures are called on the server's thread.
  ///   - onCommand: passes the command on. Must not wait for its result.
  ///   - outcome: the state after the command was carried out; `before` is the state when it came. May wait, but
  ///     less than the timeout of `ControlClient`.
  init(
    _ directory: ControlDirectory, timeout: Double, watchers: Watchers = Watchers(),
    status: @escaping @Sendable () -> NowPlaying,
    onCommand: @escaping @Sendable (RemoteCommand) -> Void,
    outcome: (@Sendable (_ command: RemoteCommand, _ before: NowPlaying) -> NowPlaying)? = nil
  ) throws(DesktopError) {
    try directory.prepare()
    directory.removeStaleSockets()
    path = directory.socket(of: getpid())
    do throws(POSIXFailure) { stop = try WakePipe() } catch { throw .cannotListen(path, reason: error.description) }
    descriptor = try UnixSocket.listen(path)
    let thread = Thread { [descriptor, stop, hasEnded] in
      var server = LocalServer(
        listener: descriptor, stop: stop.readEnd, end: [10], timeout: timeout, bytes: Self.maxLineBytes,
        clients: Self.waitingLimit, perPeer: Self.connectionsPerProcess)
      server.run(peers: { $0.map(UnixSocket.ownProcess) }) { client, line in
        let request = try? JSONDecoder().decode(ControlRequest.self, from: Data(line))
        if let request, request.verb == .watch {
          let interval = request.value.flatMap { $0.isFinite ? max(1, $0) : nil }
          let isAdded = watchers.add(client, every: interval) { WatchEvent(.state, status: PlayerStatus(status())) }
          guard !isAdded else { return }
        }
        let answer = Self.answer(request, status, onCommand, outcome)
        // The answer fits into the socket's buffer. A client that does not read must not block others.
        UnixSocket.setTimeout(client, 0.1)
        // If the answer cannot be encoded, the client reports that there was none.
        if let line = try? JSONFormat().bytes(of: answer) { UnixSocket.writeLine(client, Data(line)) }
        close(client)
      }
      hasEnded.signal()
    }
    thread.name = "control"
    thread.start()
  }

  /// Whether clients find the socket.
  var isReachable: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  deinit {
    stop.wake()
    hasEnded.wait()
    // In this order, because a client removes a socket that refuses connections.
    unlink(path)
    close(descriptor)
  }

  /// - Parameter request: nil for a line that is none.
  private static func answer(
    _ request: ControlRequest?, _ status: () -> NowPlaying, _ onCommand: (RemoteCommand) -> Void,
    _ outcome: (@Sendable (_ command: RemoteCommand, _ before: NowPlaying) -> NowPlaying)?
  ) -> ControlAnswer {
    guard let request else { return ControlAnswer(error: "this Earshot does not know the command") }
    guard request.verb != .watch else { return ControlAnswer(error: "too many programs watch this player") }
    guard let command = request.command else {
      guard request.verb == .status else { return ControlAnswer(error: "\(request.verb.rawValue) needs a value") }
      return ControlAnswer(status: PlayerStatus(status()))
    }
    let before = status()
    if let reason = command.refusal(by: before) { return ControlAnswer(error: reason) }
    onCommand(command)
    return ControlAnswer(status: PlayerStatus(outcome?(command, before) ?? status()))
  }
}
