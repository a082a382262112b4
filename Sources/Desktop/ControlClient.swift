import Foundation
import Model

/// Sends commands to running players.
public struct ControlClient: Sendable {
  private let directory: ControlDirectory
  /// Seconds to wait for the status.
  private let timeout: Double
  /// More seconds to wait for the answer to a command, which comes after it was carried out. On a busy machine `ctl`
  /// would otherwise report a failure of a command that succeeds.
  private static let execution = 3.0

  public init(_ directory: ControlDirectory, timeout: Double = 2) {
    self.directory = directory
    self.timeout = timeout
  }

  /// The players that answer: playing ones first, then paused ones, and the newest process first. Sockets of processes
  /// that have ended are removed.
  public func players() -> [PlayerStatus] {
    let order: [NowPlaying.Status] = [.playing, .loading, .paused, .stopped]
    let answers = directory.processes().compactMap { process in try? ask(process, ControlRequest(verb: .status)) }
    return answers.sorted { (order.firstIndex(of: $0.status) ?? 9) < (order.firstIndex(of: $1.status) ?? 9) }
  }

  /// A process with a player that is not among those that have answered.
  public func silentPlayer(besides players: [PlayerStatus]) -> Int32? {
    directory.processes().first { process in !players.contains { $0.pid == process } }
  }

  /// The status of this process, or of the first of `players`.
  public func status(of process: Int32? = nil) throws(DesktopError) -> PlayerStatus {
    if let process { return try ask(process, ControlRequest(verb: .status)) }
    guard let first = players().first else {
      // Stale sockets were removed by `players`.
      throw directory.processes().first.map { .noAnswer($0) } ?? .noPlayer
    }
    return first
  }

  /// Sends a command.
  /// - Returns: the status after the command.
  @discardableResult
  public func send(_ command: RemoteCommand, to process: Int32? = nil) throws(DesktopError) -> PlayerStatus {
    let process = if let process { process } else { try status().pid }
    return try ask(process, ControlRequest(command))
  }

  /// Receives events, the state first, until the player ends or `receive` returns false.
  /// - Parameter interval: seconds between two positions; nil: none.
  public func watch(
    _ process: Int32? = nil, every interval: Double? = nil, receive: (WatchEvent, _ line: String) -> Bool
  ) throws(DesktopError) {
    let process = if let process { process } else { try status().pid }
    guard case .open(let descriptor) = UnixSocket.connect(directory.socket(of: process), timeout: timeout) else {
      throw .noPlayerWithID(process)
    }
    defer { close(descriptor) }
    guard let data = try? JSONFormat().bytes(of: ControlRequest(verb: .watch, value: interval)),
      UnixSocket.writeLine(descriptor, Data(data))
    else { throw .noAnswer(process) }
    var (isFirst, hasQuit) = (true, false)
    var buffered: [UInt8] = []
    while let line = UnixSocket.readLine(descriptor, &buffered) {
      guard let event = try? JSONDecoder().decode(WatchEvent.self, from: Data(line)) else {
        // An older player, or too many watchers.
        if let answer = try? JSONDecoder().decode(ControlAnswer.self, from: Data(line)), let error = answer.error {
          throw .refused(error)
        }
        continue
      }
      // Between events there may be hours.
      if isFirst { UnixSocket.setTimeout(descriptor, 0) }
      isFirst = false
      if event.event == .quit { hasQuit = true }
      guard receive(event, String(decoding: line, as: UTF8.self)) else { return }
    }
    if isFirst { throw .noAnswer(process) }
    // A player that was killed sends no `quit` either. Its process may still be there for a moment.
    if !hasQuit, (try? ask(process, ControlRequest(verb: .status))) != nil { throw .cutOff(process) }
  }

  private func ask(_ process: Int32, _ request: ControlRequest) throws(DesktopError) -> PlayerStatus {
    let path = directory.socket(of: process)
    switch UnixSocket.connect(path, timeout: timeout + (request.verb == .status ? 0 : Self.execution)) {
    case .open(let descriptor):
      defer { close(descriptor) }
      var buffered: [UInt8] = []
      guard let data = try? JSONFormat().bytes(of: request) else { throw .noAnswer(process) }
      guard data.count < ControlServer.maxLineBytes else { throw .tooLong }
      guard UnixSocket.writeLine(descriptor, Data(data)),
        let line = UnixSocket.readLine(descriptor, &buffered, limit: 64 * 1024),
        let answer = try? JSONDecoder().decode(ControlAnswer.self, from: Data(line))
      else { throw .noAnswer(process) }
      if let error = answer.error { throw .refused(error) }
      guard let status = answer.status else { throw .noAnswer(process) }
      return status
    case .stale:
      unlink(path)
      throw .noPlayerWithID(process)
    case .busy: throw .noAnswer(process)
    case .failed: throw .noPlayerWithID(process)
    }
  }
}
