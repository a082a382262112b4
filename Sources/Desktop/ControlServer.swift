import Foundation
import Model

/// Listens for `earshot ctl` on a socket of this process. One thread; a client has two seconds to say its line.
public final class ControlServer: Sendable {
  private let path: String
  private let descriptor: Int32
  /// Closed to end the thread: reading end, writing end.
  private let stop: (read: Int32, write: Int32)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - status: what is playing now. Called on the server's thread, like the others.
  ///   - onCommand: passes the command on, and does not wait for what comes of it.
  ///   - outcome: what is playing once the command, which was passed on, has been carried out; it was `before` then. May
  ///     wait for a second: the client waits for two.
  public init(
    _ directory: ControlDirectory, status: @escaping @Sendable () -> NowPlaying,
    onCommand: @escaping @Sendable (RemoteCommand) -> Void,
    outcome: (@Sendable (_ command: RemoteCommand, _ before: NowPlaying) -> NowPlaying)? = nil
  ) throws(DesktopError) {
    try directory.prepare()
    directory.tidy()
    path = directory.socket(of: getpid())
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .cannotListen(path, reason: String(cString: strerror(errno))) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stop = (ends[0], ends[1])
    do {
      descriptor = try UnixSocket.listen(path)
    } catch {
      ends.forEach { _ = close($0) }
      throw error
    }
    let answerer = Answerer(status: status, onCommand: onCommand, outcome: outcome ?? { _, _ in status() })
    let thread = Thread { [descriptor, stop, hasEnded] in
      Self.serve(descriptor, stop: stop.read, answerer)
      hasEnded.signal()
    }
    thread.name = "control"
    thread.start()
  }

  deinit {
    close(stop.write)
    hasEnded.wait()
    close(descriptor)
    close(stop.read)
    unlink(path)
  }

  private static func serve(_ descriptor: Int32, stop: Int32, _ answerer: Answerer) {
    while true {
      var entries = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&entries, 2, -1) < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return
      }
      if entries[1].revents != 0 { return }
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { continue }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      UnixSocket.setTimeout(client, 2)
      if let line = UnixSocket.readLine(client, limit: 4096) {
        let answer = answerer.answer(line)
        // What cannot be encoded is not there to be sent; the client hears that nobody answered.
        if let data = try? JSONEncoder().encode(answer) { UnixSocket.writeLine(client, data) }
      }
      close(client)
    }
  }
}

/// Turns a line of a client into an answer.
private struct Answerer: Sendable {
  let status: @Sendable () -> NowPlaying
  let onCommand: @Sendable (RemoteCommand) -> Void
  let outcome: @Sendable (RemoteCommand, NowPlaying) -> NowPlaying

  func answer(_ line: [UInt8]) -> ControlAnswer {
    guard let request = try? JSONDecoder().decode(ControlRequest.self, from: Data(line)) else {
      return ControlAnswer(error: "this Earshot does not know the command")
    }
    guard let command = request.command else {
      guard request.verb == .status else { return ControlAnswer(error: "\(request.verb.rawValue) wants a value") }
      return ControlAnswer(status: PlayerStatus(status()))
    }
    let before = status()
    if let reason = command.refusal(by: before) { return ControlAnswer(error: reason) }
    onCommand(command)
    return ControlAnswer(status: PlayerStatus(outcome(command, before)))
  }
}
