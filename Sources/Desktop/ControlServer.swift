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
  ///   - status: what is playing now. Called on the server's thread, like `onCommand`.
  ///   - onCommand: passes the command on, and does not wait for what comes of it.
  public init(
    _ directory: ControlDirectory, status: @escaping @Sendable () -> NowPlaying,
    onCommand: @escaping @Sendable (RemoteCommand) -> Void
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
    let thread = Thread { [descriptor, stop, hasEnded] in
      Self.serve(descriptor, stop: stop.read, status: status, onCommand: onCommand)
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

  private static func serve(
    _ descriptor: Int32, stop: Int32, status: () -> NowPlaying, onCommand: (RemoteCommand) -> Void
  ) {
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
        let answer = answer(line, status: status, onCommand: onCommand)
        // What cannot be encoded is not there to be sent; the client hears that nobody answered.
        if let data = try? JSONEncoder().encode(answer) { UnixSocket.writeLine(client, data) }
      }
      close(client)
    }
  }

  private static func answer(
    _ line: [UInt8], status: () -> NowPlaying, onCommand: (RemoteCommand) -> Void
  ) -> ControlAnswer {
    guard let request = try? JSONDecoder().decode(ControlRequest.self, from: Data(line)) else {
      return ControlAnswer(error: "this Earshot does not know the command")
    }
    if let command = request.command {
      if let reason = command.refusal(by: status()) { return ControlAnswer(error: reason) }
      onCommand(command)
    } else if request.verb != .status {
      return ControlAnswer(error: "\(request.verb.rawValue) wants a number")
    }
    return ControlAnswer(status: PlayerStatus(status()))
  }
}
